// As much of ASN.1's DER as a certificate needs. Source: ITU-T X.690.

/** One value: tag, length, content. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes = Buffer.from(evenHex(length.toString(16)), "hex")
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

function evenHex(digits: string): string {
  return digits.length % 2 === 0 ? digits : `0${digits}`
}

export const sequence = (...items: readonly Uint8Array[]) => der(0x30, ...items)
export const set = (...items: readonly Uint8Array[]) => der(0x31, ...items)
export const octets = (content: Uint8Array) => der(0x04, content)
export const utf8 = (text: string) => der(0x0c, Buffer.from(text))
export const yes = der(0x01, Buffer.from([0xff]))
export const nothing = der(0x05)

/** An explicit tag of the context. */
export const explicit = (number: number, content: Uint8Array) => der(0xa0 | number, content)

/** @param bytes big endian, without sign */
export function integer(bytes: Uint8Array): Buffer {
  const isNegative = (bytes[0] ?? 0) >= 0x80
  return der(0x02, Buffer.from(isNegative ? [0] : []), bytes)
}

/** @param unused how many of the last bits do not count */
export function bits(bytes: Uint8Array, unused = 0): Buffer {
  return der(0x03, Buffer.from([unused]), bytes)
}

/** An object identifier, as `2.5.4.3`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** Seven bits each, all but the last with the high one. */
function base128(number: number): number[] {
  const low = number % 128
  const high = Math.floor(number / 128)
  return high === 0 ? [low] : [...base128(high).map((byte) => byte | 0x80), low]
}

/** A time to the second, years 1950 to 2049. */
export function utcTime(ms: number): Buffer {
  return der(
    0x17,
    Buffer.from(
      `${new Date(ms)
        .toISOString()
        .replaceAll(/[-:T]|\.\d+/g, "")
        .slice(2)}`,
    ),
  )
}
