import { accepted, boolean, oneOf, refused } from "../options/values.ts"
import type { Annotation } from "./entry.ts"
import { type AnnotationParser, anyText, basicText, blankless, countFromOne, trimmed } from "./parse.ts"

/** `namespace/name`. */
const secret: AnnotationParser<string> = blankless((text) => {
  const parsed = basicText(text)
  if (parsed.kind === "refused") return parsed
  return /^[^/]+\/[^/]+$/.test(parsed.value) ? parsed : refused("write namespace/name")
})

const maxDepth = 100

const depth: AnnotationParser<number> = (text) => {
  const parsed = countFromOne(text)
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

const host = { place: "clients", scope: "server", since: "0.1.0" } as const
const ofSecret = { ...host, needs: "auth-tls-secret" } as const

/** Certificates of clients. Whatever asks for less than was meant closes the hosts of the Ingress. */
export const clientCertificateAnnotations: readonly Annotation[] = [
  {
    ...host,
    name: "auth-tls-secret",
    refersTo: "Secret",
    risk: "medium",
    field: "secret",
    parse: secret,
    whenRefused: "requests for its hosts get 403",
  },
  {
    ...ofSecret,
    name: "auth-tls-verify-client",
    risk: "medium",
    field: "verify",
    parse: oneOf("on", "off", "optional", "optional_no_ca"),
  },
  { ...ofSecret, name: "auth-tls-verify-depth", risk: "low", field: "depth", parse: depth },
  {
    ...ofSecret,
    name: "auth-tls-match-cn",
    risk: "high",
    field: "matchCn",
    parse: matchCn,
    whenRefused: "no certificate matches (403)",
  },
  { ...ofSecret, name: "auth-tls-error-page", risk: "high", field: "errorPage", parse: errorPage },
  {
    ...ofSecret,
    name: "auth-tls-pass-certificate-to-upstream",
    risk: "low",
    field: "passesCertificate",
    parse: boolean,
  },
]
