// Who may request a path. Field meanings: docs/wire.md, ACCESS and ADDRESS_LIST.

/** Networks of clients. What has the same id is the same. */
export interface AddressList {
  readonly id: string
  /** `address/bits`, masked, each once, in byte order; at least one */
  readonly ranges: readonly string[]
}

/** The checks of a route; at least one. */
export interface Access {
  /** `AddressList.id` */
  readonly allow?: string
  /** `AddressList.id` */
  readonly deny?: string
  /** absent: every kind of check has to let a request in */
  readonly satisfy?: "any"
  readonly external?: ExternalAuth
}

/** A service that is asked whether a request gets in. Templates are those of routes. */
export interface ExternalAuth {
  /** named location that passes the question on */
  readonly policy: string
  /** `Backend.name` */
  readonly backend: string
  /** template: path and query */
  readonly target: string
  /** template: Host header, and the server's name in TLS */
  readonly host: string
  /** absent: GET */
  readonly method?: string
  /** sent with the question; in the place of the client's of that name */
  readonly headers?: readonly RequestHeader[]
  /** names of the answer's headers that the backend gets */
  readonly responseHeaders?: readonly string[]
  /** template: where a 401 leads to */
  readonly signin?: string
  /** template; absent: `$request_uri` */
  readonly requestRedirect?: string
  /** false: cookies of the answer go with successful responses and redirects only */
  readonly alwaysSetsCookie: boolean
  /** template; absent: no answer is kept */
  readonly cacheKey?: string
  readonly cacheDurations?: readonly CacheDuration[]
}

export interface CacheDuration {
  /** 0: every other */
  readonly status: number
  readonly seconds: number
}

export interface RequestHeader {
  readonly name: string
  /** template */
  readonly value: string
}
