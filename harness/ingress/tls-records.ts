// Records of the zone of certificates as docs/wire.md 2 has them, so that no filter is needed.

import { encoded, recordOf } from "../../wire/encode.ts"
import { records } from "../../wire/schema.ts"
import type { Identity } from "../pki.ts"
import { CRITICAL, field } from "./field.ts"

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

/** The certificate, everything between it and the root, and its key. */
export function pairRecord(identity: Identity): Buffer {
  const chain = [identity, ...identity.issuers.slice(0, -1)].map(({ der }) => field(1, der))
  const key = identity.key.export({ type: "pkcs8", format: "der" })
  return recordOf(records.pair.version, ...chain, field(2, key))
}

/** With anything for leaf and key. */
export function pairOf(leaf: Buffer, key: Buffer): Buffer {
  return recordOf(records.pair.version, field(1, leaf), field(2, key))
}

export function authorityRecord({ certificates, crls = [] }: AuthorityRecord): Buffer {
  const lists = crls.map((pem) => field(2 + CRITICAL, derOf(pem)))
  return recordOf(records.authority.version, ...certificates.map(({ der }) => field(1, der)), ...lists)
}

export function stapleRecord(response: Uint8Array, untilMs: number): Buffer {
  return recordOf(records.staple.version, field(1, response), field(2, encoded("moment", untilMs)))
}

export function tlsHostRecord(host: TlsHost): Buffer {
  const { authority, depth, preferServerCiphers: prefers } = host
  return recordOf(
    records.tls_host.version,
    ...(host.certificates ?? []).map((id) => field(1, id)),
    field(2, host.ciphers),
    field(3, prefers === undefined ? undefined : encoded("flag", prefers)),
    field(4 + CRITICAL, authority),
    field(5 + CRITICAL, authority === undefined ? undefined : encoded("verify", host.verify ?? "on")),
    field(6 + CRITICAL, depth === undefined ? undefined : encoded("depth", depth)),
  )
}

function derOf(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----.*-----/g, ""), "base64")
}
