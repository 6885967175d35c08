/** One kind of objects as the API server has them under one path, as far as selectors let them through. */
export interface Resource {
  /** for people, in log lines and as a label of metrics: `EndpointSlices`, `ConfigMap "ingress/settings"` */
  readonly title: string
  /** as `/apis/discovery.k8s.io/v1/endpointslices` */
  readonly path: string
  /** `labelSelector`, `fieldSelector` */
  readonly selectors?: Readonly<Record<string, string>>
  /** media types wanted; JSON when absent */
  readonly accept?: { readonly list: string; readonly watch: string }
}

/** What became of one object. `name` is `namespace/name`, or the name alone of a cluster-scoped one. */
export type ObjectChange =
  | {
      readonly kind: "set"
      readonly name: string
      /** metadata.resourceVersion: another one is another content */
      readonly version: string
      /** as JSON gave it; in lists the server leaves `kind` and `apiVersion` out */
      readonly object: unknown
    }
  | { readonly kind: "deleted"; readonly name: string }

/**
 * Changes in the order in which they happened. A `set` always is of another version than the one before of this name. What a list lacks is
 * deleted only when the list is complete.
 */
export interface Delta {
  /** empty at times, as when the first list has nothing */
  readonly changes: readonly ObjectChange[]
  /** true from the delta on that completes the first list */
  readonly synced: boolean
}
