import { randomBytes } from "node:crypto"
import { isIP } from "node:net"
import {
  Boolean as Asn1Boolean,
  type BaseBlock,
  BitString,
  Constructed,
  GeneralizedTime,
  Integer,
  ObjectIdentifier,
  OctetString,
  Primitive,
  Sequence,
  Set as SetOf,
  UTCTime,
  Utf8String,
} from "asn1js"
import { addressBytes } from "../../support/address.ts"

// What certificates are put together from, in DER. Source: RFC 5280.

export interface SubjectName {
  readonly organization: string
  readonly commonName: string
}

/** Positive, and no zero in front. */
export function serial(): Integer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return new Integer({ valueHex: new Uint8Array(bytes) })
}

export function nameOf({ organization, commonName }: SubjectName): BaseBlock {
  const part = (type: string, text: string) =>
    new SetOf({ value: [sequence(identifier(type), new Utf8String({ value: text }))] })
  return sequence(part("2.5.4.10", organization), part("2.5.4.3", commonName))
}

/** To the second; UTCTime up to 2049, GeneralizedTime from then on (4.1.2.5). */
export function timeOf(ms: number): BaseBlock {
  const valueDate = new Date(Math.floor(ms / 1000) * 1000)
  return valueDate.getUTCFullYear() < 2050 ? new UTCTime({ valueDate }) : new GeneralizedTime({ valueDate })
}

/** @param isCritical a client that does not know it takes the certificate for invalid */
export function extension(type: string, isCritical: boolean, value: BaseBlock): BaseBlock {
  const critical = isCritical ? [new Asn1Boolean({ value: true })] : []
  return sequence(identifier(type), ...critical, new OctetString({ valueHex: value.toBER() }))
}

/** What the key is for. @param bits the first use is the highest bit (4.2.1.3) */
export function keyUsage(bits: number, unusedBits: number): BaseBlock {
  return extension("2.5.29.15", true, new BitString({ valueHex: new Uint8Array([bits]), unusedBits }))
}

export function serverAuthentication(): BaseBlock {
  return extension("2.5.29.37", false, sequence(identifier("1.3.6.1.5.5.7.3.1")))
}

/** What is the default, as that it is none, is left out. */
export function noAuthority(): BaseBlock {
  return extension("2.5.29.19", true, sequence())
}

/** For whom a certificate is: DNS names and IP addresses. */
export function alternativeNames(hosts: readonly string[]): BaseBlock {
  const names = hosts.map((host) =>
    isIP(host) === 0
      ? tagged(2, new Uint8Array(Buffer.from(host)))
      : tagged(7, new Uint8Array(addressBytes(host))),
  )
  return extension("2.5.29.17", false, sequence(...names))
}

export function sequence(...value: BaseBlock[]): Sequence {
  return new Sequence({ value })
}

export function identifier(value: string): ObjectIdentifier {
  return new ObjectIdentifier({ value })
}

/** Bytes whose type follows from a number. */
export function tagged(tagNumber: number, valueHex: Uint8Array<ArrayBuffer>): Primitive {
  return new Primitive({ idBlock: { tagClass: contextSpecific, tagNumber }, valueHex })
}

/** Something that comes behind a number, which says what it is for. */
export function labelled(tagNumber: number, value: BaseBlock): Constructed {
  return new Constructed({ idBlock: { tagClass: contextSpecific, tagNumber }, value: [value] })
}

/** X.690, 8.1.2.2. */
const contextSpecific = 3
