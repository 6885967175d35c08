// What a route says of TLS towards its backends, as docs/wire.md 2 has it.
import type { BackendTls } from "../../controller/model/route-records.ts"
import { encoded } from "../../wire/encode.ts"
import { CRITICAL, field } from "./field.ts"

export function backendTlsOf(tls: BackendTls): Buffer {
  return Buffer.concat([
    field(1 + CRITICAL, tls.authority),
    field(2 + CRITICAL, tls.depth === undefined ? undefined : encoded("depth", tls.depth)),
    ...(tls.alternativeNames ?? []).map((name) => field(3 + CRITICAL, name)),
    field(4, tls.certificate),
    field(5, tls.sendsName && Buffer.of(1)),
    field(6 + CRITICAL, tls.ciphers),
    field(7 + CRITICAL, tls.version && encoded("tls_version", tls.version)),
  ])
}
