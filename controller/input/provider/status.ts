import type { StatusAddress } from "../../model/objects/status-address.ts"

export type { StatusAddress } from "../../model/objects/status-address.ts"

/** What this controller says in the status of objects, by their kind. */
export interface StatusParts {
  /** under which addresses it is reached, in no particular order */
  readonly Ingress: readonly StatusAddress[]
}

export type StatusKind = keyof StatusParts

/** Our part of the status of the objects of one kind: what it says now, and how to write it. Names are `namespace/name`. */
export interface StatusWriter<Part> {
  /** undefined when no such object is known */
  current(name: string): Part | undefined
  /**
   * Replaces our part. What others have written into the status stays as it is.
   *
   * @throws Failure when that was not possible: with the code `status-refused` when this is about this object, with another one when others
   *   need not be tried now. That the object is gone is none
   */
  write(name: string, part: Part, signal: AbortSignal): Promise<void>
}

/** The writers, by kind. */
export type Statuses = { readonly [Kind in StatusKind]: StatusWriter<StatusParts[Kind]> }
