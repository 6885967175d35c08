import { accepted, boolean, refused } from "../options/parser.ts"
import { values } from "../options/usage.ts"
import { type Family, fromConfigMap } from "./entry.ts"
import { type AnnotationParser, trimmed } from "./parse.ts"

/** OpenSSL's words; commands to it are those that ingress-nginx lets through. */
const ciphers: AnnotationParser<string> = trimmed((text) =>
  /^(?:[A-Za-z0-9!:+\-_]|@STRENGTH|@SECLEVEL=[0-5])+$/.test(text) && text.length <= 4096
    ? accepted(text)
    : refused("write letters, digits and ! : + - _, @STRENGTH or @SECLEVEL=0 to 5"),
)

const host = { section: "TLS to clients", scope: "server", risk: "low", since: "0.1.0" } as const

/** TLS towards the clients of a host; ranges as in model/certificate.ts. */
export const handshakeAnnotations = {
  ciphers: {
    ...host,
    name: "ssl-ciphers",
    parse: ciphers,
    values: "an OpenSSL cipher list",
    default: fromConfigMap,
    example: "ECDHE-RSA-AES256-GCM-SHA384",
    description:
      "ciphers for TLS 1.2 and below; if several Ingresses of a host have it, the oldest one's are used",
  },
  prefersServerCiphers: {
    ...host,
    name: "ssl-prefer-server-ciphers",
    parse: trimmed(boolean),
    values: values.boolean,
    default: "`true`",
    example: "false",
    description: "whether the server's order of ciphers counts, not the client's",
  },
} satisfies Family
