/** What is known of a balancing policy that the operator allows, by its name. */
export interface PolicyState {
  /** what is in force; absent: nothing can be, or nothing yet */
  readonly usable?: UsablePolicy
  /** why that is not the module that is there now; absent: it is, or it is still being compiled */
  readonly trouble?: PolicyTrouble
}

export interface UsablePolicy {
  /** SHA-256 of its module, 64 hex digits; what nginx loads is compiled from that */
  readonly digest: string
  /** bits of docs/abi.md, "Policies": what is kept and found out for it */
  readonly needs: number
}

/** `missing`: no source has it. `refused`: it may not or cannot be used. `faulty`: it was in force and failed too often. */
export interface PolicyTrouble {
  readonly kind: "missing" | "refused" | "faulty"
  /** fits after a colon */
  readonly reason: string
}

/** What `wick policies` shows of a policy that is allowed. */
export interface ShownPolicy extends PolicyState {
  readonly name: string
  /** of the module that is there; absent: there is none */
  readonly digest?: string
}
