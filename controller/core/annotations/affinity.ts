import { oneOf } from "../options/parser.ts"
import { none } from "../options/usage.ts"
import type { Family } from "./entry.ts"
import { trimmed } from "./parse.ts"
import { cookieSeconds, falseByDefault } from "./syntax.ts"
import { nameText, urlText } from "./texts.ts"

const affinity = { section: "Sessions", scope: "ingress", since: "0.1.0" } as const
const setting = {
  ...affinity,
  needs: "affinity",
  exampleWith: { annotations: { affinity: "cookie" } },
} as const

/** Sessions: a client stays with its endpoint by means of a cookie. Units and ranges as in model/backend.ts, AffinityCookie. */
export const affinityAnnotations = {
  kind: {
    ...affinity,
    name: "affinity",
    parse: trimmed(oneOf("cookie")),
    values: "`cookie`",
    default: none,
    example: "cookie",
    description: "a client stays with its endpoint by means of a cookie",
    risk: "low",
  },
  mode: {
    ...setting,
    name: "affinity-mode",
    parse: trimmed(oneOf("balanced", "persistent")),
    values: "`balanced` or `persistent`",
    default: "`balanced`",
    example: "persistent",
    description: "whether sessions may move when endpoints are added (`balanced`) or stay (`persistent`)",
    risk: "medium",
  },
  /** of a canary: whether it takes part in the sessions of the backend whose place it takes */
  canaryBehavior: {
    ...affinity,
    name: "affinity-canary-behavior",
    needs: "canary",
    parse: trimmed(oneOf("sticky", "legacy")),
    values: "`sticky` or `legacy`",
    default: "`sticky`",
    example: "legacy",
    exampleWith: { annotations: { canary: "true" } },
    description:
      "whether a canary keeps sessions the way its main backend does (`sticky`) or by its own settings",
    risk: "low",
  },
  cookieName: {
    ...setting,
    name: "session-cookie-name",
    parse: nameText,
    values: "a name",
    default: "`INGRESSCOOKIE`",
    example: "route",
    description: "name of the session cookie",
    risk: "medium",
  },
  expiresSeconds: {
    ...setting,
    name: "session-cookie-expires",
    ...cookieSeconds,
    default: none,
    example: "3600",
    description: "`Expires` of the session cookie, counted from now",
    risk: "medium",
  },
  maxAgeSeconds: {
    ...setting,
    name: "session-cookie-max-age",
    ...cookieSeconds,
    default: none,
    example: "3600",
    description: "`Max-Age` of the session cookie",
    risk: "medium",
  },
  path: {
    ...setting,
    name: "session-cookie-path",
    parse: urlText,
    values: "a path",
    default: "path of the rule; if that is a regular expression, the directory before it",
    example: "/",
    description: "`Path` of the session cookie",
    risk: "medium",
  },
  domain: {
    ...setting,
    name: "session-cookie-domain",
    parse: nameText,
    values: "a domain",
    default: none,
    example: "example.com",
    description: "`Domain` of the session cookie",
    risk: "medium",
  },
  sameSite: {
    ...setting,
    name: "session-cookie-samesite",
    parse: trimmed(oneOf("None", "Lax", "Strict")),
    values: "`None`, `Lax` or `Strict`",
    default: none,
    example: "Lax",
    description: "`SameSite` of the session cookie",
    risk: "low",
  },
  secure: {
    ...setting,
    ...falseByDefault,
    name: "session-cookie-secure",
    description: "whether the session cookie is `Secure` on plain HTTP too",
    risk: "low",
  },
  conditionalSameSiteNone: {
    ...setting,
    ...falseByDefault,
    name: "session-cookie-conditional-samesite-none",
    description: "no `SameSite=None` for browsers that mishandle it",
    risk: "low",
  },
  changeOnFailure: {
    ...setting,
    ...falseByDefault,
    name: "session-cookie-change-on-failure",
    description: "whether a session moves, after a failure, to the endpoint that answered",
    risk: "low",
  },
} satisfies Family
