import { problemFamilies } from "../model/problems/catalogue.ts"
import type { StandingProblem } from "../model/standing-problem.ts"

/** What a request meets on its way, as an explanation names it. */
export type Step =
  | "host"
  | "server"
  | "route"
  | "to"
  | "sees"
  | "location"
  | "clients"
  | "script"
  | "cors"
  | "limits"
  | "access"
  | "firewall"
  | "backend"
  | "canary"
  | "with"
  | "problems"

/** Annotations and keys, by the beginning of their names; the first that fits. */
const byName: readonly (readonly [beginning: RegExp, step: Step])[] = [
  [/^auth-tls/, "clients"],
  [/^(global-)?auth|^enable-global-auth|^no-auth|^satisfy|^(allow|deny|white)list/, "access"],
  [/^limit-/, "limits"],
  [/^enable-modsecurity|^enable-owasp|^modsecurity-/, "firewall"],
  [/^cors-|^enable-cors/, "cors"],
  [/^canary/, "canary"],
  [/^server-snippet/, "server"],
  [/^(configuration|location)-snippet/, "script"],
]

const byFamily: Readonly<Partial<Record<keyof typeof problemFamilies, Step>>> = {
  "Hosts and paths": "route",
  Services: "backend",
  "Balancing and canaries": "backend",
  "Secrets and certificates": "host",
  "Certificates of hosts": "host",
  "Certificates of clients": "clients",
  "TLS passthrough": "host",
}

/** Where a Problem has its effect. */
export function stepOf({ code, field }: Pick<StandingProblem, "code" | "field">): Step {
  if (code === "auth-service-unusable") return "access"
  const name = /annotations\["[^"/]*\/([^"]+)"\]|^data\["?([\w-]+)/.exec(field)?.slice(1).find(Boolean) ?? ""
  const named = byName.find(([beginning]) => beginning.test(name))
  if (named !== undefined) return named[1]
  const families = Object.entries(problemFamilies) as [keyof typeof problemFamilies, object][]
  const family = families.find(([, codes]) => code in codes)?.[0]
  return (family && byFamily[family]) ?? "problems"
}
