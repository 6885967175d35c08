import { rewritesToOwnPath } from "./conditions.ts"
import { type Differences, everyRequest, operation } from "./difference.ts"
import { both, refused, says, uses } from "./matching.ts"

/** Differences under the heading "Rewrites and redirects". */
export const rewritesDifferences = {
  "rewrite-target-own-path": {
    what: "`rewrite-target` is the path of every rule of the Ingress",
    before: "All paths of its hosts become regular expressions, because of the implicit `/` of each host",
    now: "The paths stay as they are",
    why: "Nothing is rewritten",
    concerns: rewritesToOwnPath,
  },
  "rewrite-leaves-dots": {
    what: "`rewrite-target`: what a group has found leaves `.` or `..` between slashes: `/api../x` with the path `/api(.*)` and the target `/$1`",
    before: "The backend is asked for `/../x`",
    now: "400",
    why: "It leads out of what the Ingress is for",
    concerns: everyRequest,
  },
  "template-variable-unknown": {
    what: "`rewrite-target`, `app-root` or `x-forwarded-prefix` uses a variable that nginx does not have",
    before: "nginx refuses the whole configuration",
    now: "The variable is empty, with a Problem that names the closest one",
    why: "One Ingress must not stop all others",
    concerns: refused("rewrite-target", "app-root", "x-forwarded-prefix", /has no variable/),
  },
  "template-with-credentials": {
    what: "`rewrite-target`, `app-root`, `x-forwarded-prefix`, `upstream-vhost`, `proxy-ssl-name`, `mirror-target` or `mirror-host` uses a variable that holds credentials (`$http_authorization`, `$http_proxy_authorization`, `$http_cookie`, `$cookie_NAME`, cookies of responses)",
    before: "The credentials are inserted",
    now: "The value is refused, with a Problem",
    why: "URLs, names and logs are seen by others",
    concerns: refused(
      "rewrite-target",
      "app-root",
      "x-forwarded-prefix",
      "upstream-vhost",
      "proxy-ssl-name",
      "mirror-target",
      "mirror-host",
      /passwords or sessions/,
    ),
  },
  "redirects-x-forwarded-prefix-like-capture": {
    what: "Redirects, `x-forwarded-prefix` and the like: capture groups and variables",
    before: "Inserted unchanged, including line breaks",
    now: "Control characters are escaped, such as `%0A`",
    why: "A path must not be able to write headers",
    concerns: everyRequest,
  },
  "temporal-redirect-not-url": {
    what: "`temporal-redirect` is not a URL",
    before: "The Ingress loses `permanent-redirect` and `from-to-www-redirect`, too",
    now: "The annotation is ignored, with a Problem",
    why: "Each annotation stands for itself",
    concerns: refused("temporal-redirect"),
  },
  "permanent-redirect-code-without-location": {
    what: "`permanent-redirect-code` is 300, 304, 305 or 306",
    before: "The URL is sent as the body of the response",
    now: "The URL is sent as `Location`",
    why: "A redirect has to lead somewhere",
    concerns: both(
      uses("permanent-redirect"),
      says("routing", "permanentRedirectCode", (code) => [300, 304, 305, 306].includes(code)),
    ),
  },
  "www-redirect-of-wildcard": {
    what: "`from-to-www-redirect` on a wildcard host, or with rules without host",
    before: "Redirects a name that nobody requests",
    now: "A Problem",
    concerns: operation,
  },
} satisfies Differences
