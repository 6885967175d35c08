/**
 * Scratch memory of one callback: the host's answers, and whatever is needed until the callback returns. Chunks come
 * from the heap and go back to it when the next callback begins; the first one stays.
 */
import * as heap from "./heap"

/** Chunk: u32 chunk before it (0: none) · u32 its end · then the bytes. */
const HEAD_BYTES: usize = 8
const CHUNK_BYTES: usize = 65536 - 2 * HEAD_BYTES

const FIRST: usize = newChunk(CHUNK_BYTES, 0)
let chunk: usize = FIRST
let top: usize = FIRST + HEAD_BYTES

/** Forgets everything that was allocated. Called when a callback begins. */
export function reset(): void {
  if (chunk != FIRST) release(FIRST + HEAD_BYTES)
  top = FIRST + HEAD_BYTES
}

/** What `release` takes to forget all that is allocated from here on. */
export function mark(): usize {
  return top
}

export function release(mark: usize): void {
  while (mark < chunk || mark > chunkEnd(chunk)) {
    const before = <usize>load<u32>(chunk)
    heap.free(chunk)
    chunk = before
  }
  top = mark
}

/** Aligned to 8, not cleared. Eight bytes more than asked for are there: a reader may put an end mark behind its text, and
 * look at eight bytes at a time. */
export function allocate(bytes: usize): usize {
  const rounded = (bytes + 15) & ~7
  if (rounded > chunkEnd(chunk) - top) {
    chunk = newChunk(max(rounded, CHUNK_BYTES), chunk)
    top = chunk + HEAD_BYTES
  }
  const block = top
  top += rounded
  return block
}

function newChunk(bytes: usize, before: usize): usize {
  const block = heap.allocate(HEAD_BYTES + bytes)
  store<u32>(block, <u32>before)
  store<u32>(block, <u32>(block + heap.capacity(block)), 4)
  return block
}

function chunkEnd(chunk: usize): usize {
  return <usize>load<u32>(chunk, 4)
}
