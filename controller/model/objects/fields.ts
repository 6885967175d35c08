/** The fields of a mapping, or of the items of a list; `true`: whatever is in it. */
export interface Fields {
  readonly [name: string]: Fields | true
}

/** @param names separated by blanks, of fields about which nothing more is said */
export function fields(names: string, more: Fields = {}): Fields {
  return { ...Object.fromEntries(names.split(" ").map((name) => [name, true as const])), ...more }
}

const metadata = fields(
  "name namespace labels annotations generateName finalizers ownerReferences creationTimestamp deletionTimestamp deletionGracePeriodSeconds generation managedFields resourceVersion selfLink uid",
)

export function objectFields(more: Fields): Fields {
  return { ...fields("apiVersion kind"), metadata, ...more }
}
