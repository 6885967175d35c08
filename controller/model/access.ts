// Who may request a path. Field meanings: docs/wire.md, ACCESS and ADDRESS_LIST.

/** Networks of clients. What has the same id is the same. */
export interface AddressList {
  readonly id: string
  /** `address/bits`, masked, each once, in byte order; at least one */
  readonly ranges: readonly string[]
}

/** The checks of a route; at least one list. */
export interface Access {
  /** `AddressList.id` */
  readonly allow?: string
  /** `AddressList.id` */
  readonly deny?: string
  /** absent: every kind of check has to let a request in */
  readonly satisfy?: "any"
}
