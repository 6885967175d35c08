import type { TlsProtocol } from "../../model/location.ts"
import { accepted, oneOf, refused } from "../options/parser.ts"
import { none, values } from "../options/usage.ts"
import type { Family } from "./entry.ts"
import { type AnnotationParser, blankless, trimmed } from "./parse.ts"
import { countFromOne, onOff } from "./syntax.ts"
import { basicText } from "./texts.ts"
import { variableText } from "./variables.ts"

const ciphers: AnnotationParser<string> = trimmed((text) =>
  /^[A-Za-z0-9+:_\-!]{1,1024}$/.test(text)
    ? accepted(text)
    : refused("write at most 1024 letters, digits and + : _ - !"),
)

/** Versions separated by blanks, each once, in order. */
const versions: AnnotationParser<readonly TlsProtocol[]> = trimmed((text) => {
  const parsed = text.split(/ +/).map(oneOf("TLSv1.2", "TLSv1.3"))
  const known = parsed.flatMap((item) => (item.kind === "value" ? [item.value] : []))
  if (known.length === 0) return refused("write TLSv1.2, TLSv1.3 or both separated by a blank")
  const value = { ...accepted([...new Set(known)].sort()) }
  if (known.length === parsed.length) return value
  return { ...value, remark: `only TLSv1.2 and TLSv1.3 are known, ${known.join(" and ")} is used` }
})

const depth: AnnotationParser<number> = (text) => {
  const parsed = countFromOne.parse(text)
  return parsed.kind === "value" && parsed.value > 100 ? refused("write a number from 1 to 100") : parsed
}

const common = { section: "Proxying", scope: "ingress", since: "0.1.0" } as const
const withHttps = { "backend-protocol": "HTTPS" }
const withSecret = { ...withHttps, "proxy-ssl-secret": "shop/backend-tls" }
const setting = {
  ...common,
  needs: "proxy-ssl-secret",
  exampleWith: { annotations: withSecret },
} as const

/** TLS towards the backend: who we are, and whom we trust. Ranges as in model/location.ts, BackendTls. */
export const backendTlsAnnotations = {
  /** as `qualify` (references.ts) reads it */
  secret: {
    ...common,
    name: "proxy-ssl-secret",
    refersTo: "Secret",
    whenRefused: "requests get 503",
    parse: blankless(basicText),
    values: values.secret,
    default: none,
    example: "shop/backend-tls",
    exampleWith: { annotations: withHttps },
    description:
      "its `tls.crt` and `tls.key` are the client certificate for endpoints, its `ca.crt` the CAs to trust",
    risk: "medium",
  },
  ciphers: {
    ...setting,
    name: "proxy-ssl-ciphers",
    parse: ciphers,
    values: "an OpenSSL cipher list",
    default: "`DEFAULT`",
    example: "HIGH:!aNULL",
    description: "ciphers towards endpoints",
    risk: "medium",
  },
  protocols: {
    ...setting,
    name: "proxy-ssl-protocols",
    parse: versions,
    values: "`TLSv1.2`, `TLSv1.3`, or both separated by a blank",
    default: "`TLSv1.2`",
    example: "TLSv1.3",
    description: "TLS versions towards endpoints",
    risk: "low",
  },
  verifies: {
    ...setting,
    name: "proxy-ssl-verify",
    ...onOff,
    whenRefused: "requests get 503",
    default: "`off`",
    example: "on",
    description:
      "whether endpoints must have a certificate signed by the `ca.crt` of proxy-ssl-secret; else 502",
    risk: "low",
  },
  verifyDepth: {
    ...setting,
    name: "proxy-ssl-verify-depth",
    parse: depth,
    values: values.count,
    default: "1",
    example: "2",
    exampleWith: { annotations: { ...withSecret, "proxy-ssl-verify": "on" } },
    description: "longest certificate chain that endpoints may have",
    risk: "low",
  },
  sendsName: {
    ...common,
    exampleWith: { annotations: withHttps },
    name: "proxy-ssl-server-name",
    ...onOff,
    default: "`off`",
    example: "on",
    description:
      "whether endpoints are sent a server name (SNI): proxy-ssl-name, else upstream-vhost, else the name of a Service of type ExternalName",
    risk: "low",
  },
  /** template */
  name: {
    ...common,
    exampleWith: { annotations: { ...withHttps, "proxy-ssl-server-name": "on" } },
    name: "proxy-ssl-name",
    parse: variableText,
    values: "a host name, variables allowed",
    default: none,
    example: "internal.example.com",
    description: "name to expect in the endpoint's certificate, and to send as SNI",
    risk: "high",
  },
} satisfies Family
