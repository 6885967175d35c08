import { type Differences, everyRequest, operation } from "./difference.ts"
import { hasDirective, snippetHas } from "./snippet-directives.ts"

const asksInput = hasDirective(/./, /\$\{?http_/i)
const asksRoute = hasDirective(/./, /\$\{?(namespace|ingress_name|service_name|service_port|location_path)\b/)
const setsInput = hasDirective(/^more_(set|clear)_input_headers$/)

/** Differences under the heading "Snippets", besides those in who gets in. */
export const snippetsDifferences = {
  "snippet-changes": {
    what: "A snippet of an Ingress is added or changed",
    before: "nginx reloads",
    now: "What is data is posted, without a reload. What is printed anew ([reference/snippets.md](reference/snippets.md)) takes one reload for each different text",
    concerns: operation,
  },
  "snippet-forwarded-headers": {
    what: "A snippet reads or sets `X-Forwarded-For`, also by `$proxy_add_x_forwarded_for`",
    before: "It sees what the client said, and what it sets counts as said by the client",
    now: "It sees the same, but nothing of a sender that is not trusted where `proxy-real-ip-cidr` says who is; what it sets does not change whose address is believed",
    why: "As for headers of proxies everywhere",
    concerns: everyRequest,
  },
  "snippet-limit-except-variables": {
    what: "A snippet has `limit_except`, and names `$namespace`, `$ingress_name`, `$service_name`, `$service_port` or `$location_path` in a header",
    before: "They are empty for methods that are refused",
    now: "They have their values",
    concerns: snippetHas((all) => hasDirective(/^limit_except$/)(all) && asksRoute(all)),
  },
  "snippet-limit-except-headers": {
    what: "A snippet has `limit_except` and changes request headers, and an error page of it has a backend",
    before: "For methods that are refused the page's backend gets the changed headers",
    now: "It gets those of the client",
    concerns: snippetHas(
      (all) => hasDirective(/^limit_except$/)(all) && setsInput(all) && hasDirective(/^error_page$/)(all),
    ),
  },
  "snippet-pass-host": {
    what: "Steps or errors of a path lead to a `location` with `proxy_pass` of the host's (`rewrite … last`, `error_page … @name`)",
    before: "Its backend gets the name of the path's own backend as `Host`, `namespace-service-port`",
    now: "It gets the name in `proxy_pass`, as when the location is requested",
    concerns: operation,
  },
  "snippet-named-location": {
    what: "`error_page … @name` of a path's snippet names a location that a `server-snippet` of another namespace has",
    before: "The location answers, without the checks of its own namespace's paths",
    now: "500, as for a name that no location has",
    why: "Nobody leads requests past what others guard",
    concerns: operation,
  },
  "snippet-length": {
    what: "A snippet sets `Content-Length` with `more_set_headers`",
    before: "The client gets the header as it is written",
    now: "The length is nginx's own. Only `Content-Length: 0` of an answer with 204 is sent",
    why: "A length that is not the body's mixes up answers",
    concerns: snippetHas(hasDirective(/^more_set_headers$/, /Content-Length *:/i)),
  },
  "snippet-type-condition": {
    what: "A `more_set_headers` with `-t` sets `Content-Type` and other headers",
    before: "The type is looked at once for all of them",
    now: "The type is looked at for each header, so those behind `Content-Type` see the new one",
    why: "Write the others in a directive before it",
    concerns: snippetHas(hasDirective(/^more_set_headers$/, /(?=.*-t )(?=.*Content-Type *:)/i)),
  },
  "snippet-input-headers-read-before": {
    what: "A snippet changes request headers (`more_set_input_headers`) and reads them by `$http_…`",
    before: "A variable that was read before keeps the value that it had",
    now: "The variable has the new value from then on",
    concerns: snippetHas((all) => setsInput(all) && asksInput(all)),
  },
  "snippet-sent-headers": {
    what: "A snippet reads a header of the answer by `$sent_http_…`",
    before: "The value is that of the first time it was read",
    now: "The value is that of the moment",
    concerns: snippetHas(hasDirective(/./, /\$\{?sent_http_/i)),
  },
} satisfies Differences
