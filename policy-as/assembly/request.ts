import * as crc32 from "./lib/crc32"
import * as host from "./host"
import * as record from "./record"
import { MapKind } from "./abi"
import { Foreign } from "./foreign"

const GET_COOKIE: host.Name = new host.Name(Foreign.GET_COOKIE)

/** The client's request, for which an endpoint is wanted. Only in `pick`. */
@unmanaged
export class Request {
  /** 0 for the first attempt of a request, then 1, 2 … : after a failure the policy is asked again. */
  get attempt(): i32 {
    return <i32>record.attempt()
  }

  /** The value of `upstream-hash-by`; null if the Ingress has none. */
  get key(): string | null {
    return this.hasKey ? String.UTF8.decodeUnsafe(record.key(), record.keyLength()) : null
  }

  get hasKey(): bool {
    return record.keyLength() != record.NONE
  }

  /** A hash of the key, 0 if there is none: the one by which `upstream-hash-by` itself goes. */
  get keyHash(): u32 {
    return this.hasKey ? crc32.checksum(record.key(), record.keyLength()) : 0
  }

  /** `GET` */
  get method(): string {
    return this.always(":method")
  }

  /** With its query: `/cart?item=7`. */
  get path(): string {
    return this.always(":path")
  }

  /** The Host header, lower case or not. */
  get host(): string {
    return this.always(":authority")
  }

  private always(name: string): string {
    const value = this.header(name)
    return value == null ? "" : value
  }

  /** A header by its lower-case name; null if the request has none, or if the operator has not made it readable (`policy-readable-headers`). */
  header(name: string): string | null {
    return host.header(MapKind.HTTP_REQUEST_HEADERS, name)
  }

  /** A cookie by its name; null if the request has none. The header `cookie` must be readable. */
  cookie(name: string): string | null {
    return host.textFor(GET_COOKIE, name)
  }

  /** Milliseconds of a clock that all workers share and that never goes back. */
  get nowMs(): u64 {
    return record.nowMs()
  }

  /** A number that this request's `report` and its next attempt find again. */
  get note(): u64 {
    return record.note()
  }
  set note(value: u64) {
    record.leaveNote(value)
  }
}
