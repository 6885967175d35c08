import { boolean, oneOf } from "../options/values.ts"
import type { Annotation } from "./entry.ts"
import { cookieSeconds, nameText, trimmed, urlText } from "./parse.ts"

const affinity = { place: "affinity", scope: "ingress", since: "0.1.0" } as const
const setting = { ...affinity, needs: "affinity" } as const

/** Sessions: a client stays with its endpoint by means of a cookie. */
export const affinityAnnotations: readonly Annotation[] = [
  { ...affinity, name: "affinity", risk: "low", field: "kind", parse: trimmed(oneOf("cookie")) },
  {
    ...setting,
    name: "affinity-mode",
    risk: "medium",
    field: "mode",
    parse: trimmed(oneOf("balanced", "persistent")),
  },
  {
    ...affinity,
    name: "affinity-canary-behavior",
    needs: "canary",
    risk: "low",
    field: "canaryBehavior",
    parse: trimmed(oneOf("sticky", "legacy")),
  },
  { ...setting, name: "session-cookie-name", risk: "medium", field: "cookieName", parse: nameText },
  {
    ...setting,
    name: "session-cookie-expires",
    risk: "medium",
    field: "expiresSeconds",
    parse: cookieSeconds,
  },
  {
    ...setting,
    name: "session-cookie-max-age",
    risk: "medium",
    field: "maxAgeSeconds",
    parse: cookieSeconds,
  },
  { ...setting, name: "session-cookie-path", risk: "medium", field: "path", parse: urlText },
  { ...setting, name: "session-cookie-domain", risk: "medium", field: "domain", parse: nameText },
  {
    ...setting,
    name: "session-cookie-samesite",
    risk: "low",
    field: "sameSite",
    parse: trimmed(oneOf("None", "Lax", "Strict")),
  },
  { ...setting, name: "session-cookie-secure", risk: "low", field: "secure", parse: boolean },
  {
    ...setting,
    name: "session-cookie-conditional-samesite-none",
    risk: "low",
    field: "conditionalSameSiteNone",
    parse: boolean,
  },
  {
    ...setting,
    name: "session-cookie-change-on-failure",
    risk: "low",
    field: "changeOnFailure",
    parse: boolean,
  },
]
