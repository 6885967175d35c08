/** Requests since their series began, by labels. */
export interface RequestCount {
  /** `namespace/name`; "" where no Ingress is for them */
  readonly ingress: string
  /** absent with `--metrics-per-host=false` */
  readonly host?: string
  /** `200`, or `2xx` */
  readonly status: string
  readonly count: number
}
