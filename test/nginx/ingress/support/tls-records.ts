// Records of the zone of certificates as docs/wire.md 2 has them, written by hand so that no filter is needed.

import { u16, u32 } from "../../../../wire/encode.ts"
import type { Identity } from "../../../support/pki.ts"
import { field } from "./records.ts"

export interface TlsHost {
  /** Ids; default none. */
  readonly certificates?: readonly string[]
  readonly ciphers?: string
  readonly preferServerCiphers?: boolean
  readonly authority?: string
  /** Default `on` where there is an authority. */
  readonly verify?: "on" | "optional" | "optional_no_ca"
  readonly depth?: number
}

export interface AuthorityRecord {
  readonly certificates: readonly Identity[]
  /** PEM. */
  readonly crls?: readonly string[]
}

const version = Buffer.of(1, 0)

/** The certificate, everything between it and the root, and its key. */
export function pairRecord(identity: Identity): Buffer {
  const chain = [identity, ...identity.issuers.slice(0, -1)].map(({ der }) => der)
  const key = identity.key.export({ type: "pkcs8", format: "der" })
  return Buffer.concat([version, u16(chain.length), text(key), ...chain.map(text)])
}

/** With anything for leaf and key. */
export function pairOf(leaf: Buffer, key: Buffer): Buffer {
  return Buffer.concat([version, u16(1), text(key), text(leaf)])
}

export function authorityRecord({ certificates, crls = [] }: AuthorityRecord): Buffer {
  const ders = [...certificates.map(({ der }) => der), ...crls.map(derOf)]
  return Buffer.concat([version, u16(certificates.length), u16(crls.length), u16(0), ...ders.map(text)])
}

export function stapleRecord(response: Uint8Array, untilMs: number): Buffer {
  const until = Buffer.alloc(8)
  until.writeBigInt64LE(BigInt(untilMs))
  return Buffer.concat([version, u16(0), u32(0), until, response])
}

export function tlsHostRecord(host: TlsHost): Buffer {
  const modes = ["on", "optional", "optional_no_ca"]
  const mode = modes.indexOf(host.verify ?? "on") + 1
  return Buffer.concat([
    version,
    u16(0),
    ...(host.certificates ?? []).map((id) => field(1, id)),
    field(2, host.ciphers),
    field(
      3,
      host.preferServerCiphers === undefined ? undefined : Buffer.of(Number(host.preferServerCiphers)),
    ),
    field(4, host.authority),
    field(5, host.authority === undefined ? undefined : Buffer.of(mode)),
    field(6, host.depth === undefined ? undefined : u32(host.depth)),
  ])
}

function text(bytes: Buffer): Buffer {
  return Buffer.concat([u32(bytes.length), bytes])
}

function derOf(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----.*-----/g, ""), "base64")
}
