import { accepted, oneOf, refused } from "../options/parser.ts"
import { none } from "../options/usage.ts"
import type { Family } from "./entry.ts"
import { type AnnotationParser, blankless, trimmed } from "./parse.ts"
import { countFromOne, falseByDefault } from "./syntax.ts"
import { anyText, basicText } from "./texts.ts"

/** `namespace/name`. */
const secret: AnnotationParser<string> = blankless((text) => {
  const parsed = basicText(text)
  if (parsed.kind === "refused") return parsed
  return /^[^/]+\/[^/]+$/.test(parsed.value) ? parsed : refused("write namespace/name")
})

const maxDepth = 100

const depth: AnnotationParser<number> = (text) => {
  const parsed = countFromOne.parse(text)
  if (parsed.kind === "refused" || parsed.value <= maxDepth) return parsed
  return { ...accepted(maxDepth), remark: `${maxDepth} is the most and is used instead` }
}

/** Whether it compiles is for nginx to say: it is data, and closes its own host only. */
const matchCn: AnnotationParser<string> = trimmed((text) =>
  text.startsWith("CN=") ? anyText(text) : refused("write CN= and a regular expression"),
)

/** Characters as in ingress-nginx. Without scheme a name would be a path relative to the request, which is asked for a certificate again. */
const errorPage: AnnotationParser<string> = blankless((text) => {
  if (text.startsWith("@")) return refused("there are no named locations, write a URL or a path")
  const isUrl = /^https?:\/\/[A-Za-z0-9\-.]+(:\d+)?(\/[A-Za-z0-9\-_.]+)*\/?$/.test(text)
  const isPath = /^(\/[A-Za-z0-9\-_.]+)*\/?$/.test(text)
  return isUrl || (isPath && text !== "")
    ? anyText(text)
    : refused("write a URL, or a path that starts with a slash, of letters, digits and - _ . /")
})

const host = { section: "Client certificates", scope: "server", since: "0.1.0" } as const
const setting = {
  ...host,
  needs: "auth-tls-secret",
  exampleWith: { annotations: { "auth-tls-secret": "shop/clients-ca" } },
} as const

/** Certificates of clients; ranges as in model/certificate.ts. Whatever asks for less than was meant closes the hosts of the Ingress. */
export const clientCertificateAnnotations = {
  /** `namespace/name` */
  secret: {
    ...host,
    name: "auth-tls-secret",
    refersTo: "Secret",
    parse: secret,
    values: "`namespace/name` of a Secret with `ca.crt`, and with `ca.crl` if there are CRLs",
    default: none,
    example: "shop/clients-ca",
    description:
      "HTTPS requests for the hosts of the Ingress, on all paths, need a certificate signed by one of these CAs (400 without)",
    risk: "medium",
    whenRefused: "requests for its hosts get 403",
  },
  verify: {
    ...setting,
    name: "auth-tls-verify-client",
    parse: oneOf("on", "off", "optional", "optional_no_ca"),
    values: "`on`, `off`, `optional`, `optional_no_ca`",
    default: "`on`",
    example: "optional",
    description:
      "whether clients may come without a certificate (`optional`), with one of another CA too (`optional_no_ca`), or are not asked for one (`off`)",
    risk: "medium",
  },
  depth: {
    ...setting,
    name: "auth-tls-verify-depth",
    parse: depth,
    values: `1 to ${maxDepth}`,
    default: "1",
    example: "2",
    description: "longest chain between the client's certificate and the CA",
    risk: "low",
  },
  matchCn: {
    ...setting,
    name: "auth-tls-match-cn",
    parse: matchCn,
    values: "`CN=` and a regular expression (PCRE)",
    default: none,
    example: "CN=(alice|bob)",
    description: "what the subject of the client's certificate must match (403)",
    risk: "high",
    whenRefused: "no certificate matches (403)",
  },
  /** URL or path */
  errorPage: {
    ...setting,
    name: "auth-tls-error-page",
    parse: errorPage,
    values: "a URL or a path",
    default: none,
    example: "https://example.com/no-certificate",
    description:
      "where clients without a valid certificate are redirected to (URL), or whose response they get (path)",
    risk: "high",
  },
  passesCertificate: {
    ...setting,
    ...falseByDefault,
    name: "auth-tls-pass-certificate-to-upstream",
    description: "whether the backend gets the certificate in the header `ssl-client-cert`: PEM, URL-encoded",
    risk: "low",
  },
} satisfies Family
