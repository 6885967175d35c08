/** Reads numbers. We keep only whole ones; all others are checked and passed over. */

/** The number read last is written without fraction and exponent, and lies between -2^53 and 2^53. */
export let isWhole: bool = false
/** There is a minus before it. */
export let isNegative: bool = false
/** Its value without the minus, if it is whole. */
export let value: u64 = 0

const MAX_VALUE: u64 = 1 << 53

/** Returns the address behind the number, or 0 if there is none at `at`. */
export function readNumber(at: usize): usize {
  const unsigned = load<u8>(at) == 0x2d ? at + 1 : at
  let behind = readDigits(unsigned)
  if (behind == 0 || (load<u8>(unsigned) == 0x30 && behind != unsigned + 1)) return 0
  isNegative = unsigned != at
  isWhole = value <= MAX_VALUE
  if (load<u8>(behind) == 0x2e) behind = readPart(behind + 1)
  if (behind != 0 && (load<u8>(behind) | 0x20) == 0x65) behind = readPart(behind + signLength(behind + 1) + 1)
  return behind
}

/** Digits of a fraction or exponent. */
function readPart(at: usize): usize {
  isWhole = false
  return readDigits(at)
}

function signLength(at: usize): usize {
  const byte = load<u8>(at)
  return byte == 0x2b || byte == 0x2d ? 1 : 0
}

/** Their value stops to grow beyond 2^53. Returns 0 if there is no digit. */
function readDigits(at: usize): usize {
  let behind = at
  let number: u64 = 0
  for (let digit = digitAt(behind); digit <= 9; digit = digitAt(++behind)) {
    if (number <= MAX_VALUE) number = number * 10 + digit
  }
  value = number
  return behind == at ? 0 : behind
}

/** Greater than 9 if it is none. */
function digitAt(at: usize): u32 {
  return <u32>load<u8>(at) - 48
}
