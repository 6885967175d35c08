import { limitsOrigins, slashRedirect } from "./conditions.ts"
import { type Differences, operation } from "./difference.ts"
import { both, either, refused, says, settingRefused, uses, usesOrKey } from "./matching.ts"

/** Differences in access control: cors. */
export const corsDifferences = {
  "cors-allow-origin-anchored": {
    what: "The origins of `cors-allow-origin` are compared in another way",
    before:
      "An origin matches anywhere: `https://a.test` also allows `evil-https://a.test`, and `null` allows `https://xnull`",
    now: "The whole `Origin` has to match",
    concerns: limitsOrigins,
  },
  "cors-allow-origin-vary": {
    what: "The answers depend on the origin (`cors-allow-origin`), and a cache may keep them",
    before: "Responses have no `Vary`",
    now: "Responses have `Vary: Origin`",
    why: "A cache must not give one origin's answer to another",
    concerns: limitsOrigins,
  },
  "cors-allow-origin-refused": {
    what: "`cors-allow-origin` has an item that is no origin, such as `https://a.test/`",
    before: "Every origin is allowed (`*`)",
    now: "Such an item is left out, with a Problem. If none is left, no origin is allowed",
    why: "A typo must not open what was limited",
    concerns: refused("cors-allow-origin"),
  },
  "cors-allow-credentials-refused": {
    what: "`cors-allow-credentials` is neither true nor false, such as `no`",
    before: "Credentials are allowed",
    now: "Credentials are not allowed, with a Problem",
    concerns: refused("cors-allow-credentials"),
  },
  "cors-allow-credentials-false": {
    what: "`cors-allow-credentials` is false, and a backend may send `Access-Control-Allow-Credentials`",
    before: "The backend's header reaches the client",
    now: "The header is removed for allowed origins",
    concerns: both(says("cors", "isEnabled", true), says("cors", "allowsCredentials", false)),
  },
  "cors-of-errors-and-redirects": {
    what: "`enable-cors` is on where nginx itself answers: pages of `custom-http-errors`, redirects that add a slash (301), `app-root`",
    before: "These answers have no CORS headers, and preflights are redirected",
    now: "These answers have CORS headers as every other response of the Ingress",
    why: "A page has to learn of the error. A browser does not follow a redirected preflight",
    concerns: both(
      says("cors", "isEnabled", true),
      either(usesOrKey("custom-http-errors", "custom-http-errors"), uses("app-root"), slashRedirect),
    ),
  },
  "block-cidrs-pod-s-own-addresses": {
    what: "`block-cidrs` with the pod's own addresses",
    before: "Locks the controller out of nginx's status",
    now: "Never applies to the status and control servers: who can reach them can use them",
    concerns: operation,
  },
  "configmap-named-groups": {
    what: "`block-user-agents`, `block-referers` or `skip-access-log-urls` has a pattern with named groups",
    before: "The groups set nginx variables of these names",
    now: "The pattern is refused, with a Problem",
    concerns: settingRefused("block-user-agents", "block-referers", "skip-access-log-urls"),
  },
} satisfies Differences
