import { type Differences, everyRequest, operation } from "./difference.ts"
import { hasDirective, serverSnippetHas, snippetHas } from "./snippet-directives.ts"

const answers = hasDirective(/^(return|rewrite)$/)
const setsHeaders = hasDirective(/^(add_header|expires|more_(set|clear)_headers)$/)
const asksInput = hasDirective(/./, /\$\{?http_/i)
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
    now: "It sees what a trusted proxy said, otherwise nothing; what it sets does not change whose address is believed",
    why: "As for headers of proxies everywhere",
    concerns: everyRequest,
  },
  "snippet-rewrite-circle": {
    what: "Steps of a snippet lead in a circle (`rewrite … last`), which is answered 500 after ten rounds",
    before: "The answer has the headers of the last location",
    now: "The answer has none of them",
    concerns: operation,
  },
  "snippet-server-answers": {
    what: "A `server-snippet` answers requests itself (`return`, `rewrite` to another host) and sets headers of answers",
    before: "These answers have the headers of the server",
    now: "These answers do not have them. Headers in a location block with its own `return` are sent",
    concerns: serverSnippetHas((all) => answers(all) && setsHeaders(all)),
  },
  "snippet-type-of-return": {
    what: "A snippet answers with a text of its own (`return 200 …`), and the path ends in `.json`, `.txt` or the like",
    before: "The answer has the type that belongs to the ending",
    now: "The answer has the type of `default_type`, `text/html` where there is none",
    why: "This nginx serves no files. Write `default_type` beside the `return`",
    concerns: snippetHas(hasDirective(/^return$/, /^(?!30[12378] )\d+ \S/)),
  },
  "snippet-length-of-nothing": {
    what: "A snippet sets `Content-Length`, or `Location` to a path, with `more_set_headers`",
    before: "The client gets the header as it is written, also with an answer without a body",
    now: "The length is nginx's own, which sends none with 204 and 304, and `Location` becomes a whole URL as in all redirects",
    concerns: snippetHas(hasDirective(/^more_set_headers$/, /Content-Length *:|Location *: *\//i)),
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
