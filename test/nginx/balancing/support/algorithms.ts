// Every algorithm by its name, and how a backend of the control API asks for it.
import { backend } from "../../../../harness/plane.ts"

/** What a backend says beside its name and endpoints. Where something is hashed, it is the query's `key`. */
const settings = {
  round_robin: {},
  ewma: { "load-balance": "ewma" },
  chash: { upstreamHashByConfig: { "upstream-hash-by": "$arg_key" } },
  chashsubset: {
    upstreamHashByConfig: {
      "upstream-hash-by": "$arg_key",
      "upstream-hash-by-subset": true,
      "upstream-hash-by-subset-size": 2,
    },
  },
  sticky_balanced: sticky("balanced"),
  sticky_persistent: sticky("persistent"),
  least_conn: { "load-balance": "least_conn" },
  p2c: { "load-balance": "p2c" },
} as const

export type Algorithm = keyof typeof settings
export const algorithms = Object.keys(settings) as Algorithm[]

/** A backend that is balanced so. */
export function balanced(
  algorithm: Algorithm,
  name: string,
  endpoints: readonly { readonly endpoint: object }[],
  more: object = {},
): object {
  return { ...backend(name, endpoints), ...settings[algorithm], ...more }
}

/**
 * Settings of a backend that keeps its sessions with a cookie.
 *
 * @param cookie    attributes of the cookie beside its name, INGRESSCOOKIE
 * @param locations host → location paths whose answers may issue it
 */
export function sticky(
  mode: "balanced" | "persistent",
  cookie: object = {},
  locations: Readonly<Record<string, readonly string[]>> = {},
): object {
  const cookieSessionAffinity = { name: "INGRESSCOOKIE", ...cookie, locations }
  return { sessionAffinityConfig: { name: "cookie", mode, cookieSessionAffinity } }
}
