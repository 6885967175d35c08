/** One character of UTF-8 (RFC 3629) that is not ASCII. */

/** Bytes of the character that begins at `at`: 2 to 4, or 0 if none does. Three more bytes may be looked at. */
export function characterBytes(at: usize): usize {
  const first = load<u8>(at)
  if (first < 0xc2 || first > 0xf4) return 0
  if (!isSecond(first, load<u8>(at, 1))) return 0
  if (first < 0xe0) return 2
  if (!isFurther(load<u8>(at, 2))) return 0
  if (first < 0xf0) return 3
  return isFurther(load<u8>(at, 3)) ? 4 : 0
}

/** No surrogates, nothing longer than needed, nothing beyond U+10FFFF. */
function isSecond(first: u8, second: u8): bool {
  const lowest: u8 = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80
  const highest: u8 = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf
  return second >= lowest && second <= highest
}

function isFurther(byte: u8): bool {
  return (byte & 0xc0) == 0x80
}
