/**
 * Answers that list things: `?limit=K` for those of at most about K keys, `?cursor=C` to go on where another answer ended. An
 * answer ends after 1 MiB or 8192 things at the latest, and one of which parts are wanted when a good part of a large zone
 * was walked and little found, so that no worker is held up by a question, however much is in force.
 */
import * as answer from "./answer"
import * as host from "../host"
import * as listing from "./listing"
import * as query from "./query"

const MAX_ANSWER_BYTES: usize = 1 << 20
const MAX_THINGS: u64 = 8192
/** Of pages for which the host looked at much and found little; some 0.3 ms each in a worker of nginx. */
const MAX_SHORT_PAGES: i32 = 3
const NO_LIMIT: u64 = u64.MAX_VALUE

let limit: u64 = 0
let left: u64 = 0
let shortPages: i32 = 0

/** Reads the limit; false, and an answer, if there is no sense in it. */
export function begin(): bool {
  limit = NO_LIMIT
  if (query.find("limit")) limit = query.readNumber(0) ? query.number : 0
  left = min(limit, MAX_THINGS)
  shortPages = 0
  if (limit == 0) answer.sendError(400, "The limit must be a whole number from 1 on")
  return limit != 0
}

/** May more be written? */
function hasRoom(): bool {
  if (limit != NO_LIMIT && shortPages == MAX_SHORT_PAGES) return false
  return left > 0 && answer.out.length < MAX_ANSWER_BYTES
}

/**
 * Writes the keys of a zone from a cursor on, with commas between them; `write` writes the key of listing.ts, or
 * returns false. It is asked for `keysAtOnce` keys before it is seen whether there is room for more. Returns whether
 * that was all; if not, listing.ts has the cursor to go on with.
 */
export function walk(zone: host.Name, from: u64, keysAtOnce: u64, write: () => bool): bool {
  const out = answer.out
  let isFirst = true
  listing.begin(zone, from)
  while (hasRoom() && listing.nextPage(<u32>min(left, keysAtOnce))) {
    if (listing.isShort) shortPages++
    while (listing.next()) {
      const before = out.length
      if (left > 0) left--
      if (!isFirst) out.u8(0x2c)
      if (!write()) {
        out.length = before
        continue
      }
      isFirst = false
    }
  }
  return listing.isDone
}

/** Answers, unless the walk failed or was cut although nobody asked for parts. */
export function end(isAll: bool): void {
  if (listing.failed) return answer.sendUnable("The host cannot list the keys of a zone")
  if (!isAll && limit == NO_LIMIT) {
    return answer.sendError(400, "This is too much for one answer: ask for parts, as in ?limit=1000")
  }
  answer.send(200)
}
