import { accepted, boolean, refused } from "../options/values.ts"
import type { Annotation } from "./entry.ts"
import { type AnnotationParser, trimmed } from "./parse.ts"

/** OpenSSL's words; commands to it are those that ingress-nginx lets through. */
const ciphers: AnnotationParser<string> = trimmed((text) =>
  /^(?:[A-Za-z0-9!:+\-_]|@STRENGTH|@SECLEVEL=[0-5])+$/.test(text) && text.length <= 4096
    ? accepted(text)
    : refused("write letters, digits and ! : + - _, @STRENGTH or @SECLEVEL=0 to 5"),
)

const host = { place: "handshake", scope: "server", since: "0.1.0" } as const

/** TLS towards the clients of a host. */
export const handshakeAnnotations: readonly Annotation[] = [
  { ...host, name: "ssl-ciphers", risk: "low", field: "ciphers", parse: ciphers },
  {
    ...host,
    name: "ssl-prefer-server-ciphers",
    risk: "low",
    field: "prefersServerCiphers",
    parse: trimmed(boolean),
  },
]
