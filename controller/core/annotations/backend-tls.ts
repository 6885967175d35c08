import type { TlsProtocol } from "../../model/policy.ts"
import { accepted, oneOf, refused } from "../options/values.ts"
import type { Annotation } from "./entry.ts"
import { type AnnotationParser, basicText, blankless, countFromOne, onOff, trimmed } from "./parse.ts"
import { variableText } from "./variables.ts"

const ciphers: AnnotationParser<string> = trimmed((text) =>
  /^[A-Za-z0-9+:_\-!]{1,1024}$/.test(text)
    ? accepted(text)
    : refused("write at most 1024 letters, digits and + : _ - !"),
)

/** Versions with blanks between, each once, in order. */
const versions: AnnotationParser<readonly TlsProtocol[]> = trimmed((text) => {
  const parsed = text.split(/ +/).map(oneOf("TLSv1.2", "TLSv1.3"))
  const known = parsed.flatMap((item) => (item.kind === "value" ? [item.value] : []))
  if (known.length === 0) return refused("write TLSv1.2, TLSv1.3 or both with a blank between")
  const value = { ...accepted([...new Set(known)].sort()) }
  if (known.length === parsed.length) return value
  return { ...value, remark: `only TLSv1.2 and TLSv1.3 are known, ${known.join(" and ")} is used` }
})

const depth: AnnotationParser<number> = (text) => {
  const parsed = countFromOne(text)
  return parsed.kind === "value" && parsed.value > 100 ? refused("write a number from 1 to 100") : parsed
}

const ingress = { place: "tls", needs: "proxy-ssl-secret", scope: "ingress", since: "0.1.0" } as const

/** TLS towards the backend: who we are, and whom we trust. */
export const backendTlsAnnotations: readonly Annotation[] = [
  {
    place: "tls",
    scope: "ingress",
    since: "0.1.0",
    name: "proxy-ssl-secret",
    refersTo: "Secret",
    risk: "medium",
    field: "secret",
    parse: blankless(basicText),
  },
  { ...ingress, name: "proxy-ssl-ciphers", risk: "medium", field: "ciphers", parse: ciphers },
  { ...ingress, name: "proxy-ssl-protocols", risk: "low", field: "protocols", parse: versions },
  { ...ingress, name: "proxy-ssl-verify", risk: "low", field: "verifies", parse: onOff },
  { ...ingress, name: "proxy-ssl-verify-depth", risk: "low", field: "verifyDepth", parse: depth },
  { ...ingress, name: "proxy-ssl-server-name", risk: "low", field: "sendsName", parse: onOff },
  { ...ingress, name: "proxy-ssl-name", risk: "high", field: "name", parse: variableText },
]
