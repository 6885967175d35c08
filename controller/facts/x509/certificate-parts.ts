import { randomBytes } from "node:crypto"
import { isIP } from "node:net"
import { type BaseBlock, OctetString, Sequence, Set as SetOf, Utf8String } from "asn1js"
import {
  AltName,
  AttributeTypeAndValue,
  Extension,
  GeneralName,
  RelativeDistinguishedNames,
  Time,
} from "pkijs"
import { addressBytes } from "../../support/address.ts"

// What certificates are put together from. Source: RFC 5280.

export interface SubjectName {
  readonly organization: string
  readonly commonName: string
}

/** Positive, and no zero in front. */
export function serial(): Uint8Array {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return new Uint8Array(bytes)
}

/** PKI.js encodes a name that it decoded as it was; one put together of attributes it would make one part of all. */
export function nameOf({ organization, commonName }: SubjectName): RelativeDistinguishedNames {
  const part = (type: string, text: string) => {
    const attribute = new AttributeTypeAndValue({ type, value: new Utf8String({ value: text }) })
    return new SetOf({ value: [attribute.toSchema()] })
  }
  const parts = new Sequence({ value: [part("2.5.4.10", organization), part("2.5.4.3", commonName)] })
  return RelativeDistinguishedNames.fromBER(parts.toBER())
}

/** To the second; UTCTime up to 2049, GeneralizedTime from then on (4.1.2.5). */
export function timeOf(ms: number): Time {
  const value = new Date(Math.floor(ms / 1000) * 1000)
  return new Time({ type: value.getUTCFullYear() < 2050 ? 0 : 1, value })
}

export function extension(extnID: string, critical: boolean, value: Pick<BaseBlock, "toBER">): Extension {
  return new Extension({ extnID, critical, extnValue: value.toBER() })
}

/** For whom a certificate is: DNS names and IP addresses. */
export function alternativeNames(hosts: readonly string[]): Extension {
  const altNames = hosts.map((host) =>
    isIP(host) === 0
      ? new GeneralName({ type: 2, value: host })
      : new GeneralName({
          type: 7,
          value: new OctetString({ valueHex: new Uint8Array(addressBytes(host)) }),
        }),
  )
  return extension("2.5.29.17", false, new AltName({ altNames }).toSchema())
}
