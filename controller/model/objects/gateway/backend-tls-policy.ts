import type { Meta } from "../meta.ts"
import type { Reader } from "../reader.ts"
import { isPreciseHostname, readGeneration, readHostname } from "./names.ts"
import { type ObjectRef, readLocalRef } from "./references.ts"

/** How the TLS of a Service is verified. */
export interface BackendTlsPolicy {
  readonly kind: "BackendTLSPolicy"
  readonly meta: Meta
  readonly generation: number
  readonly targets: readonly PolicyTarget[]
  readonly authorities: readonly ObjectRef[]
  /** those of the operating system, or the name of others; "" where `authorities` are named */
  readonly wellKnown: string
  /** that is asked for by SNI, and that its certificate has to have where there are no `names` */
  readonly hostname: string
  readonly names: readonly SubjectAltName[]
  readonly options: Readonly<Record<string, string>>
}

interface PolicyTarget extends ObjectRef {
  /** the name of a port; "": all of them */
  readonly sectionName: string
}

interface SubjectAltName {
  readonly type: "Hostname" | "URI"
  readonly value: string
}

export function readBackendTlsPolicy(at: Reader, meta: Meta): BackendTlsPolicy | undefined {
  const generation = readGeneration(at)
  const spec = at.required("spec", (spec) => readSpec(spec, meta.namespace))
  return spec && at.accepted({ kind: "BackendTLSPolicy", meta, generation, ...spec })
}

function readSpec(at: Reader, namespace: string) {
  const targets = at.every("targetRefs", (target) => {
    const ref = readLocalRef(target, namespace, { group: "", kind: "Service" })
    return ref && target.accepted({ ...ref, sectionName: target.text("sectionName") })
  })
  const validation = at.required("validation", (validation) => readValidation(validation, namespace))
  return validation && at.accepted({ targets, ...validation, options: at.textMap("options") })
}

function readValidation(at: Reader, namespace: string) {
  const hostname = readHostname(at, "hostname", isPreciseHostname)
  if (hostname === "") at.refuse("hostname", "field-missing", "is missing")
  return at.accepted({
    authorities: at.every("caCertificateRefs", (ref) =>
      readLocalRef(ref, namespace, { group: "", kind: "ConfigMap" }),
    ),
    wellKnown: at.text("wellKnownCACertificates"),
    hostname,
    names: at.every("subjectAltNames", readSubjectAltName),
  })
}

/** With a scheme, of what a URI may be made of (RFC 3986, 2). */
const absoluteUri = /^[a-z][a-z0-9+.-]*:[\w.~:/?#[\]@!$&'()*+,;=%-]+$/i

function readSubjectAltName(at: Reader): SubjectAltName | undefined {
  const type = at.oneOf("type", ["Hostname", "URI"], "Hostname")
  const value = type === "Hostname" ? readHostname(at, "hostname") : readUri(at, "uri")
  if (value === "") at.refuse(type === "URI" ? "uri" : "hostname", "field-missing", "is missing")
  return at.accepted({ type, value })
}

function readUri(at: Reader, field: string): string {
  const uri = at.text(field)
  if (uri !== "" && !absoluteUri.test(uri)) at.refuse(field, "text-bad", "has to be a URI with a scheme")
  return uri
}
