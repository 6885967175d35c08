/** What may be the name of something. */
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import { MaxBytes } from "../ids"
import { isAddressAndPort, isListener, isPort } from "./listener"

/** Hexadecimal digits of SHA-256. */
export const DIGEST_BYTES: usize = 64
export const DIGEST_RULE: string = "64 hexadecimal digits in lower case are expected"

export function isBackendName(at: usize, length: usize): bool {
  return length > 0 && length <= MaxBytes.NAME && load<u8>(at) != 0x3a
}

/** A certificate's or an authority's: 1 to 64 bytes of letters, digits, dash and underscore. */
export function isId(at: usize, length: usize): bool {
  if (length == 0 || length > MaxBytes.ID) return false
  for (let i: usize = 0; i < length; i++) {
    const byte = load<u8>(at + i)
    if (!isLabelByte(byte) && !isUpper(byte) && byte != 0x5f) return false
  }
  return true
}

/** SHA-256: hexadecimal digits in lower case. */
export function isDigest(at: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i++) {
    const byte = load<u8>(at + i)
    if (!((byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66))) return false
  }
  return length == DIGEST_BYTES
}

function isUpper(byte: u8): bool {
  return byte >= 0x41 && byte <= 0x5a
}

/** `_`, or a name in lower case, perhaps behind `*.` or `**.`; underscores in it are allowed as browsers do. */
export function isHost(at: usize, length: usize): bool {
  const skipped: usize = bytes.startsWith(at, length, "*.") ? 2 : bytes.startsWith(at, length, "**.") ? 3 : 0
  return length <= MaxBytes.NAME && isPlainName(at + skipped, length - skipped)
}

/** Of all listeners, or `LISTENER/HOST`. */
export function isTlsHost(at: usize, length: usize): bool {
  const slash = bytes.indexOf(at, length, 0x2f)
  if (slash == length) return isHost(at, length) || bytes.is(at, length, ":default")
  return isListener(at, slash) && isHost(at + slash + 1, length - slash - 1)
}

/** A host that stands for one name alone. */
export function isExactHost(at: usize, length: usize): bool {
  return length <= MaxBytes.NAME && isPlainName(at, length) && !bytes.is(at, length, "_")
}

function isPlainName(at: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i++) {
    const byte = load<u8>(at + i)
    if (!isLabelByte(byte) && byte != 0x2e && byte != 0x5f) return false
  }
  return length > 0
}

/** A protocol and a port, perhaps an address between them. */
export function isStreamName(at: usize, length: usize): bool {
  const isKnown = bytes.startsWith(at, length, "tcp:") || bytes.startsWith(at, length, "udp:")
  return isKnown && (isPort(at + 4, length - 4) || isAddressAndPort(at + 4, length - 4))
}

/** A name that a configuration has given to a server block, or a listener. Neither has a slash, which ends it in keys, or begins with a colon. */
export function isServer(at: usize, length: usize): bool {
  return isListener(at, length) || isLabel(at, length)
}

function isLabel(at: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i++) if (!isLabelByte(load<u8>(at + i))) return false
  return length > 0 && length <= MaxBytes.SERVER
}

/** A lower-case letter, a digit or a dash. */
export function isLabelByte(byte: u8): bool {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte == 0x2d
}
