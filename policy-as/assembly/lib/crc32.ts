/** CRC-32 as zlib and nginx compute it (reflected, polynomial 0xedb88320), eight bytes at a time. */

const POLYNOMIAL: u32 = 0xedb88320
const TABLE_BYTES: usize = 256 * 4
/** Tables, one behind the other. Number n says what a byte leaves in the register when n zero bytes follow it. */
const TABLES: usize = memory.data(16 * 256 * 4, 4)

fillTables()

function fillTables(): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    let register = byte
    for (let bit = 0; bit < 8; bit++) register = (register >> 1) ^ (POLYNOMIAL & (0 - (register & 1)))
    store<u32>(TABLES + ((<usize>byte) << 2), register)
  }
  const end = TABLES + 16 * TABLE_BYTES
  for (let entry = TABLES + TABLE_BYTES; entry < end; entry += 4) {
    const before = load<u32>(entry - TABLE_BYTES)
    store<u32>(entry, (before >> 8) ^ left(0, before))
  }
}

/** What the low byte of `word` leaves in the register when `zeros` bytes of zero follow it. */
// @ts-ignore: decorator
@inline
function left(zeros: usize, word: u32): u32 {
  return load<u32>(TABLES + zeros * TABLE_BYTES + ((<usize>(word & 0xff)) << 2))
}

/** The same of all four bytes of `word`, the lowest first. */
// @ts-ignore: decorator
@inline
function leftByWord(zeros: usize, word: u32): u32 {
  return (
    left(zeros + 3, word) ^ left(zeros + 2, word >> 8) ^ left(zeros + 1, word >> 16) ^ left(zeros, word >> 24)
  )
}

/** The checksum of `length` bytes. */
export function checksum(at: usize, length: usize): u32 {
  return ~pass(~0, at, length)
}

/** The checksum of the bytes that gave `sum` and of `length` further ones. */
export function extend(sum: u32, at: usize, length: usize): u32 {
  return ~pass(~sum, at, length)
}

/** The register after `length` bytes passed through it. */
function pass(register: u32, at: usize, length: usize): u32 {
  const end = at + length
  const behindEights = at + (length & ~7)
  for (; at < behindEights; at += 8)
    register = leftByWord(4, register ^ load<u32>(at)) ^ leftByWord(0, load<u32>(at, 4))
  for (; at < end; at++) register = (register >> 8) ^ left(0, register ^ load<u8>(at))
  return register
}

/** The register after a word of zero passed through it: a linear map, like all that a register goes through. */
// @ts-ignore: decorator
@inline
export function passZeroWord(register: u32): u32 {
  return leftByWord(0, register)
}

/** The register after four of them passed through it. */
// @ts-ignore: decorator
@inline
export function passFourZeroWords(register: u32): u32 {
  return leftByWord(12, register)
}
