/** Names of servers that are listeners: `http:10.0.0.1:80`, `https:[2001:db8::1]:443`, `http:*:8080`. */
import * as address from "../address"
import * as bytes from "../../../policy-as/assembly/lib/bytes"

const text: usize = memory.data(<i32>address.MAX_TEXT_BYTES)

/** Each listener has one name: the address is in canonical form, the port without leading zeros. */
export function isListener(at: usize, length: usize): bool {
  const scheme: usize = bytes.startsWith(at, length, "http:")
    ? 5
    : bytes.startsWith(at, length, "https:")
      ? 6
      : 0
  if (scheme == 0) return false
  return bytes.startsWith(at + scheme, length - scheme, "*:")
    ? isPort(at + scheme + 2, length - scheme - 2)
    : isAddressAndPort(at + scheme, length - scheme)
}

/** `10.0.0.1:80`, `[2001:db8::1]:443` */
export function isAddressAndPort(at: usize, length: usize): bool {
  let colon = length
  while (colon > 0 && load<u8>(at + colon - 1) != 0x3a) colon--
  return colon > 0 && isPort(at + colon, length - colon) && isAddress(at, colon - 1)
}

/** 1 to 65535, without leading zeros. */
export function isPort(at: usize, length: usize): bool {
  let port: u32 = 0
  for (let i: usize = 0; i < length; i++) {
    const digit = <u32>load<u8>(at + i) - 48
    port = port * 10 + digit
    if (digit > 9 || port == 0 || port > 65535) return false
  }
  return length > 0
}

/** An address is compared with what is printed for it. */
function isAddress(at: usize, length: usize): bool {
  const kind = address.parse(at, length)
  const isBracketed = length > 0 && load<u8>(at) == 0x5b
  if (kind == 0 || isBracketed != (kind == 6)) return false
  const from: usize = isBracketed ? at + 1 : at
  const wanted: usize = isBracketed ? length - 2 : length
  return address.print(kind, address.parsed, text) - text == wanted && memory.compare(text, from, wanted) == 0
}
