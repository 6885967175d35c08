/** A balancing policy that Ingresses may use: `load-balance: wasm/NAME`. */
export interface AllowedPolicy {
  readonly name: string
  /** SHA-256 of its module, hex: it has to be one of these; absent: any that the operator's sources have */
  readonly digests?: readonly string[]
  /** of the Ingresses that may use it; absent: all */
  readonly namespaces?: readonly string[]
}
