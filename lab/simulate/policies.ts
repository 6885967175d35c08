/** Policies by name: the settings of a backend (docs/wire.md 1, BACKEND). `ewma+slow-start=10000` adds to one. */

import type { types } from "../../wire/types.ts"
import type { Properties } from "../host/host.ts"

/** What the posted backend has besides its name and endpoints. */
export type Settings = Readonly<Record<string, unknown>>

/** The host and path of every request, where the cookie is due. */
const affinity = { host: "shop.test", location: "/" } as const
export const requestProperties: Properties = [
  ["ngx\0ingress_host", affinity.host],
  ["ngx\0location_path", affinity.location],
]

const byUri = { "upstream-hash-by": "$request_uri" }
const byCookie = (mode: string) => ({
  sessionAffinityConfig: {
    name: "cookie",
    mode,
    cookieSessionAffinity: { name: "INGRESSCOOKIE", locations: { [affinity.host]: [affinity.location] } },
  },
})

export const policies: Readonly<Record<string, Settings>> = {
  round_robin: { "load-balance": "round_robin" },
  ewma: { "load-balance": "ewma" },
  least_conn: { "load-balance": "least_conn" },
  p2c: { "load-balance": "p2c" },
  chash: { upstreamHashByConfig: byUri },
  chashsubset: { upstreamHashByConfig: { ...byUri, "upstream-hash-by-subset": true } },
  sticky_balanced: byCookie("balanced"),
  sticky_persistent: byCookie("persistent"),
} satisfies Record<Exclude<(typeof types.algorithm.words)[number], "custom">, Settings>

const additions: Readonly<Record<string, (value: readonly number[]) => Settings | undefined>> = {
  "slow-start": ([window_ms, ...more]) =>
    window_ms && more.length === 0 ? { slowStart: { window_ms } } : undefined,
  "outlier-ejection": ([failures, ejection_ms, ...more]) =>
    failures && ejection_ms && more.length === 0 ? { outlierEjection: { failures, ejection_ms } } : undefined,
}

/** @throws Error naming what is unknown */
export function settingsOf(policy: string): Settings {
  const [name = "", ...added] = policy.split("+")
  const settings = Object.hasOwn(policies, name) ? policies[name] : undefined
  if (!settings) {
    throw new Error(`There is no policy "${name}": choose one of ${Object.keys(policies).join(", ")}`)
  }
  return Object.assign({}, settings, ...added.map(additionOf))
}

function additionOf(text: string): Settings {
  const [name = "", value = ""] = text.split("=")
  const numbers = value.split("/").map(Number)
  const addition = Object.hasOwn(additions, name) ? additions[name]?.(numbers) : undefined
  if (!addition) {
    throw new Error(
      `Cannot read "+${text}" of a policy: it must be +slow-start=MS or +outlier-ejection=FAILURES/MS`,
    )
  }
  return addition
}
