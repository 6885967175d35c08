/** Applies what was collected and tells the client how it went. */
import * as answer from "./answer"
import { apply, Outcome, zone, zoneLength } from "./apply"
import * as generation from "./generation"
import * as skipped from "./skipped"
import * as writes from "./writes"
import * as writer from "../json/writer"

/** `next` is the generation in force if it goes well, 0 for none. */
export function applyAndAnswer(next: usize, nextLength: usize): void {
  writes.pack()
  switch (apply()) {
    case Outcome.APPLIED:
      return answerApplied(next, nextLength)
    case Outcome.OTHER_BASE:
      return answerConflict()
    case Outcome.FULL:
      return answerZone(
        507,
        "A zone is full: ",
        "; give it more room (in wick: zone-sizes, max-zone-size), or remove something first",
      )
    case Outcome.NO_ZONE:
      return answerZone(500, "There is no such zone: ", "")
    default:
      return answer.sendError(500, "The host refuses to write")
  }
}

function answerApplied(next: usize, nextLength: usize): void {
  const out = answer.out
  out.literal('{"generation":')
  if (next == 0) out.literal("null")
  else writer.text(out, next, nextLength)
  skipped.show(out)
  out.u8(0x7d)
  answer.send(201)
}

/** 409, with the generation that is in force now. */
export function answerConflict(): void {
  const out = answer.out
  generation.read()
  out.literal('{"error":"The change builds on another generation","generation":')
  generation.show(out)
  out.u8(0x7d)
  answer.send(409)
}

/** The sentence and the name of the zone that made the change fail. */
function answerZone(code: i32, sentence: string, advice: string): void {
  const out = answer.out
  out.literal('{"error":"')
  out.literal(sentence)
  out.literal('\\"')
  out.bytes(zone, zoneLength)
  out.literal('\\"')
  out.literal(advice)
  out.literal('"}')
  answer.send(code)
}
