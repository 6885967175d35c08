/**
 * Blocks of memory that live longer than one callback. A block is rounded up to one of four sizes per doubling (at most
 * a quarter is lost) and goes back to the list of its size, from which the next one of that size is taken. So memory
 * follows the largest amount that was ever in use, and a million replaced records leave it where it was.
 */

/** Before each block: u32 class, u32 unused. */
const HEAD_BYTES: usize = 8
const SMALLEST_BYTES: usize = 32
const CLASSES: i32 = 4 * 32
const PAGE_BYTES: usize = 65536
/** Memory is asked for in steps of this many pages. */
const STEP_PAGES: i32 = 4

/** Heads of the lists of free blocks, one u32 per class. */
const FREE: usize = memory.data(CLASSES * 4, 4)

/** What is left of the pages that were got last. Only this file grows the memory: AssemblyScript's own
 * allocator serves the tables that are made at the start, in the memory that there is from the beginning
 * (asconfig.json: texts and tables have to fit), and then rests: it would take pages of ours for its own. */
let top: usize = 0
let end: usize = 0

/** A block of at least `bytes` bytes, aligned to 8, not cleared. Traps when the host refuses the memory. */
export function allocate(bytes: usize): usize {
  const kind = classOf(bytes)
  const list = FREE + ((<usize>kind) << 2)
  const block = <usize>load<u32>(list)
  if (block != 0) {
    store<u32>(list, load<u32>(block))
    return block
  }
  return carve(kind)
}

/** Gives back what `allocate` gave. */
export function free(block: usize): void {
  const list = FREE + ((<usize>load<u32>(block - HEAD_BYTES)) << 2)
  store<u32>(block, load<u32>(list))
  store<u32>(list, <u32>block)
}

/** How many bytes the block can really hold. */
export function capacity(block: usize): usize {
  return sizeOf(load<u32>(block - HEAD_BYTES))
}

/** Class 4e + q holds blocks of (5 + q) · 2^(e-2) bytes: the smallest, 32 bytes, is e = 4, q = 3. */
function classOf(bytes: usize): u32 {
  const last = <u32>max(bytes, SMALLEST_BYTES) - 1
  const exponent = 31 - clz(last)
  return (exponent << 2) | ((last >> (exponent - 2)) & 3)
}

function sizeOf(kind: u32): usize {
  return (<usize>5 + (kind & 3)) << ((kind >> 2) - 2)
}

function carve(kind: u32): usize {
  const bytes = HEAD_BYTES + sizeOf(kind)
  if (bytes > end - top) grow(bytes)
  const block = top + HEAD_BYTES
  top += bytes
  store<u32>(block - HEAD_BYTES, kind)
  return block
}

function grow(bytes: usize): void {
  const pages = max(<i32>((bytes + PAGE_BYTES - 1) / PAGE_BYTES), STEP_PAGES)
  const before = memory.grow(pages)
  if (before < 0) unreachable()
  if (end != <usize>before * PAGE_BYTES) top = <usize>before * PAGE_BYTES
  end = <usize>(before + pages) * PAGE_BYTES
}
