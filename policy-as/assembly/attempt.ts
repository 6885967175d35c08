import * as host from "./host"
import * as record from "./record"
import { MapKind } from "./abi"
import { Need, need } from "./needs"

// @ts-ignore: decorator
@lazy const TIMES: bool = need(Need.TIMES)

const UNKNOWN_TIME: u64 = 0xffffffffffffffff

/** How an attempt ended. */
export enum Outcome {
  /** The head of a response came. Its status may be an error. */
  ANSWERED,
  NO_CONNECTION,
  /** Connected, but no response in time. */
  NO_RESPONSE,
  /** A status for which the request is tried elsewhere (`proxy-next-upstream`). */
  BAD_STATUS,
  /** Says nothing about the endpoint: the client went away, for instance. */
  UNDECIDED,
}

/** An attempt that has ended. Only in `report`. */
@unmanaged
export class Attempt {
  /** The endpoint by its place in the list; the list may have changed since, the place is the present one. */
  get endpoint(): i32 {
    return <i32>record.tag()
  }

  get outcome(): Outcome {
    return <Outcome>record.outcome()
  }

  /** Did the endpoint, or the way to it, fail? */
  get hasFailed(): bool {
    return record.outcome() != 0 && record.outcome() < 4
  }

  /** Of the response; 0 if there was none. */
  get status(): i32 {
    return <i32>record.status()
  }

  /** A header of the response by its lower-case name; null if it has none, or if the operator has not made it readable. */
  header(name: string): string | null {
    return host.header(MapKind.HTTP_RESPONSE_HEADERS, name)
  }

  /** From the choice to the head of the response or the failure, in milliseconds; -1 if not known. */
  get firstByteMs(): f64 {
    TIMES
    const time = record.firstByteTime()
    return time == UNKNOWN_TIME ? -1 : <f64>time / 1e6
  }

  /** From the choice until the connection stood, in milliseconds: 0 on one that was kept, -1 if not known. */
  get connectMs(): f64 {
    TIMES
    const time = record.connectTime()
    return time == UNKNOWN_TIME ? -1 : <f64>time / 1e6
  }

  get nowMs(): u64 {
    return record.nowMs()
  }

  /** What `pick` noted for this request. */
  get note(): u64 {
    return record.note()
  }
}
