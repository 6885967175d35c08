/** The generation in force: the name of the change that was applied last. */
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import { Buffer } from "../buffer"
import { GENERATION } from "./keys"
import * as host from "../host"
import * as writer from "../json/writer"
import { ABSENT } from "./writes"

/** Its text, 0 if there is none; it lies in the arena. */
export let at: usize = 0
export let length: usize = 0
/** The cas number with which the key must be written, so that nobody else wrote it meanwhile. */
export let cas: u32 = ABSENT

export function read(): void {
  const isThere = host.sharedData(GENERATION.at, GENERATION.length)
  // A host may keep an empty value where one was deleted.
  const isKnown = isThere && host.length > 0
  at = isKnown ? host.at : 0
  length = isKnown ? host.length : 0
  cas = isThere ? host.cas : ABSENT
}

/** `text` is the generation that was read. */
export function is(text: usize, textLength: usize): bool {
  return at != 0 && length == textLength && bytes.equal(at, text, length)
}

/** The string, or null. */
export function show(out: Buffer): void {
  if (at == 0) out.literal("null")
  else writer.text(out, at, length)
}
