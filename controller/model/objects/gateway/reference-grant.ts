import type { Meta } from "../meta.ts"
import type { Reader } from "../reader.ts"

/** Which objects of other namespaces may name those of this one. */
export interface ReferenceGrant {
  readonly kind: "ReferenceGrant"
  readonly meta: Meta
  readonly from: readonly { readonly group: string; readonly kind: string; readonly namespace: string }[]
  readonly to: readonly GrantedTo[]
}

interface GrantedTo {
  readonly group: string
  readonly kind: string
  /** "": all of them */
  readonly name: string
}

export function readReferenceGrant(at: Reader, meta: Meta): ReferenceGrant | undefined {
  const spec = at.required("spec", (spec) => {
    const from = spec.every("from", (from) =>
      from.accepted({
        group: from.text("group"),
        kind: from.requiredText("kind"),
        namespace: from.requiredText("namespace"),
      }),
    )
    const to = spec.every("to", (to) =>
      to.accepted({ group: to.text("group"), kind: to.requiredText("kind"), name: to.text("name") }),
    )
    return spec.accepted({ from, to })
  })
  return spec && at.accepted({ kind: "ReferenceGrant", meta, ...spec })
}
