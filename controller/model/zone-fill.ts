/** What nginx says of a zone of shared memory (`GET /zones`); docs/abi.md, `$wasm_zones`. Bytes. */
export interface ZoneFill {
  readonly name: string
  readonly size: number
  readonly used: number
  readonly free: number
  readonly keys: number
  readonly slots?: number
  readonly slots_used?: number
  readonly processes?: number
  readonly processes_alive?: number
}

/** How often zones of what may be forgotten were too small (`GET /shortages`): clients with limits that had to share a place, nonces that were given back before their time. */
export type ZoneShortages = Readonly<Record<"limits" | "nonces", number>>

/** What the Ingresses of a namespace want of a zone of records, and what each namespace may have of it: Infinity without a limit. */
export interface NamespaceUse {
  readonly zone: string
  readonly namespace: string
  readonly bytes: number
  readonly shareBytes: number
}
