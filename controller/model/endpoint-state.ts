/** What the balancer knows of a backend's endpoints at a moment, the same in all workers. */
export interface BackendState {
  readonly name: string
  /** as the control API names it: `round_robin`, `ewma` … */
  readonly algorithm: string
  readonly endpoints: readonly EndpointState[]
}

/** What the backend's settings do not ask for is not known, and absent. */
export interface EndpointState {
  /** address and port, as `10.0.0.1:8080` or `[2001:db8::1]:8080` */
  readonly endpoint: string
  /** 1 to 100 */
  readonly weight: number
  /** attempts that run: `least_conn`, `p2c`, and policies that ask for it */
  readonly running?: number
  /** how soon its responses began lately, seconds: `ewma`; 0 while there was none */
  readonly scoreSeconds?: number
  /** failures in a row, and for how long it is still ejected, milliseconds; 0: it is not. With outlier ejection */
  readonly failures?: number
  readonly ejectedMs?: number
  /** how long it still has less than its share, milliseconds; 0: it has all. With slow start */
  readonly warmingMs?: number
}
