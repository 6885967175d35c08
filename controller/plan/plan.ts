import type { Backend } from "../model/backend.ts"
import type { Host } from "../model/route.ts"

/** What has to be done so that nginx serves the wanted model. */
export type Plan =
  | { readonly kind: "nothing" }
  | { readonly kind: "post"; readonly change: LiveChange }
  | { readonly kind: "reload"; readonly reasons: readonly string[]; readonly change: LiveChange }

/** The differing part of `live`; an empty change has four empty lists. */
export interface LiveChange {
  readonly setBackends: readonly Backend[]
  readonly removeBackends: readonly string[]
  readonly setHosts: readonly Host[]
  readonly removeHosts: readonly HostName[]
}

export interface HostName {
  readonly server: string
  readonly host: string
}
