import * as choices from "./choices"
import * as ewma from "./lib/ewma"
import * as hashing from "./hashing"
import * as numbers from "./numbers"
import * as record from "./record"
import { List } from "./list"
import { Need, need } from "./needs"

// @ts-ignore: decorator
@lazy const RUNNING: bool = need(Need.RUNNING)
// @ts-ignore: decorator
@lazy const TIMES: bool = need(Need.TIMES)
// @ts-ignore: decorator
@lazy const OWN: bool = need(Need.OWN)
// @ts-ignore: decorator
@lazy const HASHES: bool = hashing.use()

/**
 * The endpoints of one backend, numbered from 0 to `count` − 1. What it says of each: `id`, `weight`, `zone`, `address`, `isAvoided` (see List),
 * and the following numbers, which all workers share.
 */
@unmanaged
export class Endpoints extends List {
  /** How many requests this endpoint is working on, those of all workers together. */
  running(index: i32): u64 {
    RUNNING
    return numbers.get(numbers.RUNNING, index)
  }

  /** How soon its responses began lately, in milliseconds: a moving average that rises fast, and forgets within some ten seconds. 0: not known. */
  latencyMs(index: i32): f64 {
    TIMES
    const cell = numbers.get(numbers.LATENCY, index)
    return cell == 0 ? 0 : ewma.scoreAt(cell, <u32>record.nowMs()) / 1e6
  }

  /** One of four numbers (0 to 3) that the policy keeps for each endpoint; 0 at first. They stay while the endpoint does. */
  own(index: i32, cell: u32 = 0): u64 {
    OWN
    return numbers.get(cell, index)
  }

  /** Whatever another worker has written meanwhile is lost. */
  setOwn(index: i32, value: u64, cell: u32 = 0): void {
    for (let i = 0; i < 16 && !this.swapOwn(index, this.own(index, cell), value, cell); i++);
  }

  /** Adds to a number, and returns the sum. */
  addOwn(index: i32, by: u64, cell: u32 = 0): u64 {
    OWN
    return numbers.add(cell, index, by)
  }

  /** Writes a number if it is what it was expected to be; if not, it is false: read it again, and think again. */
  swapOwn(index: i32, expected: u64, wanted: u64, cell: u32 = 0): bool {
    OWN
    return numbers.swap(cell, index, expected, wanted)
  }

  /** Any endpoint but those to keep away from, all equally likely. `DECLINE` if there is none; so are the following. */
  any(): i32 {
    return choices.any(this)
  }

  /** Any endpoint, as likely as its weight says. */
  byWeight(): i32 {
    return choices.byWeight(this)
  }

  /** Each endpoint in its turn, as often as its weight says. */
  inTurn(): i32 {
    return choices.inTurn(this)
  }

  /** The endpoint with the fewest running requests for its weight. */
  leastBusy(): i32 {
    RUNNING
    return choices.leastBusy(this)
  }

  /** The endpoint to which a hash belongs: always the same, and when endpoints come or go only those hashes move that must. Above 1,024 endpoints weights do not count. */
  byHash(hash: u32): i32 {
    HASHES
    return hashing.byHash(this, hash)
  }

  /** What this worker remembers of this backend: an object of a class of the policy, made when it is first asked for. */
  state<T>(): T {
    if (this.kept == 0) this.kept = __pin(changetype<usize>(instantiate<T>()))
    return changetype<T>(this.kept)
  }
}
