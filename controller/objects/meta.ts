/** What every object carries. Parsed once at the border; afterwards nothing is optional that need not be. */
export interface Meta {
  /** "" for cluster-scoped kinds */
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** milliseconds since 1970; for manifests without one, when the object was first seen */
  readonly createdMs: number
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}
