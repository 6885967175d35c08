/** Why a posted text was refused: the first reason counts. */
import { Buffer } from "../buffer"

/** A sentence, as text. */
export const message: Buffer = new Buffer()
/** Where, in bytes from the start of the body. */
export let offset: usize = 0
export let failed: bool = false

const NAME_BYTES: usize = 80

export function clear(): void {
  message.drop()
  failed = false
}

export function fail(at: usize, sentence: string): void {
  if (isFirst(at)) message.literal(sentence)
}

/** As `fail`, with a piece of the posted text in quotes between the two halves of the sentence. */
export function failNaming(at: usize, before: string, name: usize, length: usize, after: string): void {
  if (!isFirst(at)) return
  message.literal(before)
  quote(name, length)
  message.literal(after)
}

/** The sentence `Field "name"` and what is wrong with it. */
export function failField(at: usize, name: string, what: string): void {
  if (!isFirst(at)) return
  message.literal('Field "')
  message.literal(name)
  message.u8(0x22)
  message.literal(what)
}

function isFirst(at: usize): bool {
  if (failed) return false
  failed = true
  offset = at
  return true
}

function quote(name: usize, length: usize): void {
  message.literal('"')
  message.bytes(name, shortened(name, length))
  message.literal(length > NAME_BYTES ? '..."' : '"')
}

/** No more than some bytes, and none of a character that would be cut in two. */
function shortened(name: usize, length: usize): usize {
  if (length <= NAME_BYTES) return length
  let cut = NAME_BYTES
  while (cut > 0 && (load<u8>(name + cut) & 0xc0) == 0x80) cut--
  return cut
}
