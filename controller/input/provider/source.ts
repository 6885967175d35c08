import type { Kind, KubernetesObject, ObjectKey } from "../../model/objects/object.ts"
import type { Problem } from "../../model/problem.ts"

/**
 * One thing that became known about the objects. `set` replaces the object of the same key as a whole. `problems` replaces every problem
 * known from the same origin (a file, an object of the API server); an empty list says that all is well there again.
 */
export type Change =
  | { readonly kind: "set"; readonly object: KubernetesObject }
  | { readonly kind: "delete"; readonly key: ObjectKey }
  | { readonly kind: "problems"; readonly origin: string; readonly problems: readonly Problem[] }

/** Changes that were noticed together and are applied together. */
export interface Batch {
  readonly changes: readonly Change[]
  /**
   * false until everything has been read that exists, and again while more is on its way that belongs to these changes, as the Secret that a new
   * Ingress names: what is missing then may still come. It never stays false for long because a single object cannot be read.
   */
  readonly synced: boolean
}

/** Kinds of which nobody reads more than what is named somewhere: they may be large, or secret. */
export type NamedKind = Extract<Kind, "Secret" | "ConfigMap">

/** `namespace/name` of each object of such a kind that is of use, whether it exists or not; the same set while it does not change. */
export type Named = (kind: NamedKind) => ReadonlySet<string>

/**
 * Where objects come from: a directory of manifests or an API server. It yields what exists, then what changes, until the signal aborts;
 * then it ends without an error. It never yields two batches for one key out of order.
 *
 * @throws Failure when the source cannot be opened; losing it later is a problem or a retry of its own
 */
export interface Source {
  /** @param named what is of use, as far as the batches say that were taken so far: it is asked again after each of them */
  changes(signal: AbortSignal, named: Named): AsyncIterable<Batch>
}
