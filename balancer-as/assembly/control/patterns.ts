/**
 * `POST /configuration/patterns`: would nginx compile these texts as the patterns of routes? A few at a time, because a
 * long pattern takes some tenths of a millisecond.
 */
import * as answer from "./answer"
import * as arena from "../../../policy-as/assembly/lib/arena"
import * as error from "../json/error"
import * as host from "../host"
import { MaxBytes } from "../ids"
import * as reader from "../json/reader"
import * as writer from "../json/writer"

const MAX_PATTERNS: i32 = 16

export function postPatterns(body: usize, length: usize): void {
  let left = MAX_PATTERNS
  let isAble = true
  reader.begin(body, length)
  reader.enterArray()
  answer.out.u8(0x5b)
  while (isAble && reader.nextItem()) {
    if (left-- == 0) error.fail(reader.place(), "At most 16 patterns are judged at once")
    isAble = judgeNext()
  }
  if (!isAble) return answer.sendUnable("The host cannot compile patterns")
  reader.finish()
  if (error.failed) return answer.sendRefusal()
  answer.out.u8(0x5d)
  answer.send(200)
}

/** Writes null or the reason; false if the host cannot say. */
function judgeNext(): bool {
  const out = answer.out
  if (!reader.readText("A pattern in quotes is expected")) return true
  if (out.length > 1) out.u8(0x2c)
  if (reader.length > MaxBytes.TEXT) {
    out.literal('"more than 4096 bytes"')
    return true
  }
  const mark = arena.mark()
  const isAble = host.checkPattern(reader.text, reader.length)
  if (isAble && host.length == 0) out.literal("null")
  else if (isAble) writer.text(out, host.at, host.length)
  arena.release(mark)
  return isAble
}
