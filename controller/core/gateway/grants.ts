import type { ReferenceGrant } from "../../model/objects/gateway/reference-grant.ts"
import type { ObjectRef } from "../../model/objects/gateway/references.ts"

/** The referrer: the object that names another. */
interface From {
  readonly group: string
  readonly kind: string
  readonly namespace: string
}

/** Which references into other namespaces are allowed there. */
export class Grants {
  readonly #byNamespace: ReadonlyMap<string, readonly ReferenceGrant[]>

  constructor(all: ReadonlyMap<string, ReferenceGrant>) {
    this.#byNamespace = Map.groupBy(all.values(), ({ meta }) => meta.namespace)
  }

  /** Those within a namespace need no grant. */
  allow(from: From, to: ObjectRef): boolean {
    if (from.namespace === to.namespace) return true
    return this.of(to.namespace).some(
      (grant) =>
        grant.from.some(
          ({ group, kind, namespace }) =>
            group === from.group && kind === from.kind && namespace === from.namespace,
        ) &&
        grant.to.some(
          ({ group, kind, name }) =>
            group === to.group && kind === to.kind && (name === "" || name === to.name),
        ),
    )
  }

  /** Those of a namespace; the same list while they are the same. */
  of(namespace: string): readonly ReferenceGrant[] {
    return this.#byNamespace.get(namespace) ?? none
  }
}

const none: readonly ReferenceGrant[] = []
