/** Who this controller is: the labels of nearly every metric, as ingress-nginx has them, and the holder of its Lease. */
export interface Identity {
  /** `--controller-class` */
  readonly controllerClass: string
  /** POD_NAMESPACE and POD_NAME, "" outside a cluster */
  readonly namespace: string
  readonly pod: string
}
