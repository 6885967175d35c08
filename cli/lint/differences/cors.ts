import { limitsOrigins, slashRedirect } from "./conditions.ts"
import { type Differences, operation } from "./difference.ts"
import { both, either, refused, says, settingRefused, uses, usesOrKey } from "./matching.ts"

/** Differences in access control: cors. */
export const corsDifferences = {
  "cors-allow-origin-anchored": {
    what: "`cors-allow-origin`: where the comparison begins",
    before: "Anywhere: `https://a.test` also allows `evil-https://a.test`, and `null` allows `https://xnull`",
    now: "At the beginning: the whole `Origin` has to match",
    concerns: limitsOrigins,
  },
  "cors-allow-origin-vary": {
    what: "`cors-allow-origin`: caches",
    before: "No `Vary`",
    now: "`Vary: Origin` on every response, unless every origin is allowed",
    why: "A cache must not give one origin's answer to another",
    concerns: limitsOrigins,
  },
  "cors-allow-origin-refused": {
    what: "`cors-allow-origin` with a value that is refused, such as `https://a.test/`",
    before: "Every origin is allowed (`*`)",
    now: "Such an item is left out, with a Problem. If none is left, no origin is allowed",
    why: "A typo must not open what was limited",
    concerns: refused("cors-allow-origin"),
  },
  "cors-allow-credentials-refused": {
    what: "`cors-allow-credentials` with a value that is refused, such as `no`",
    before: "`true`",
    now: "`false`, with a Problem",
    concerns: refused("cors-allow-credentials"),
  },
  "cors-allow-credentials-false": {
    what: '`cors-allow-credentials: "false"` and a backend that sends `Access-Control-Allow-Credentials`',
    before: "Passed on",
    now: "Removed for allowed origins",
    concerns: both(says("cors", "isEnabled", true), says("cors", "allowsCredentials", false)),
  },
  "cors-of-errors-and-redirects": {
    what: "CORS on pages of `custom-http-errors`, on redirects that lack only a slash (301), and on `app-root`",
    before: "No headers, and preflights are redirected",
    now: "As on every other response of the Ingress",
    why: "A page has to learn of the error. A browser does not follow a redirected preflight",
    concerns: both(
      says("cors", "isEnabled", true),
      either(usesOrKey("custom-http-errors", "custom-http-errors"), uses("app-root"), slashRedirect),
    ),
  },
  "block-cidrs-pod-s-own-addresses": {
    what: "`block-cidrs` with the pod's own addresses",
    before: "Locks the controller out of nginx's status",
    now: "Never applies to the status and control servers: whoever can reach them can use them",
    concerns: operation,
  },
  "configmap-named-groups": {
    what: "`block-user-agents`, `block-referers`, `skip-access-log-urls`: patterns with named groups",
    before: "The groups set nginx variables of these names",
    now: "Refused with a Problem",
    concerns: settingRefused("block-user-agents", "block-referers", "skip-access-log-urls"),
  },
} satisfies Differences
