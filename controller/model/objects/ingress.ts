import type { Meta } from "./meta.ts"
import type { Reader } from "./reader.ts"

export interface Ingress {
  readonly kind: "Ingress"
  readonly meta: Meta
  /** spec.ingressClassName */
  readonly className?: string
  readonly defaultBackend?: IngressBackend
  readonly rules: readonly IngressRule[]
  readonly tls: readonly IngressTls[]
}

export interface IngressRule {
  /** as written; "" when absent */
  readonly host: string
  /** absent when the rule has no http section */
  readonly paths?: readonly IngressPath[]
}

export interface IngressPath {
  /** as written; "" when absent */
  readonly path: string
  readonly pathType: "Exact" | "Prefix" | "ImplementationSpecific"
  readonly backend: IngressBackend
}

export type IngressBackend =
  | { readonly kind: "service"; readonly name: string; readonly port: ServicePortRef }
  | { readonly kind: "resource" }

/** A Service port as an Ingress names it: by number or by name. */
export type ServicePortRef =
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "none" }

interface IngressTls {
  readonly hosts: readonly string[]
  readonly secretName: string
}

const pathTypes = [
  "Exact",
  "Prefix",
  "ImplementationSpecific",
] as const satisfies readonly IngressPath["pathType"][]

/** An Ingress without spec serves nothing and is no mistake; a rule, path or TLS entry that cannot be read is left out alone. */
export function readIngress(at: Reader, meta: Meta): Ingress | undefined {
  const empty: Ingress = { kind: "Ingress", meta, rules: [], tls: [] }
  const ingress = at.has("spec") ? at.required("spec", (spec) => readSpec(spec, meta)) : empty
  return ingress && at.accepted(ingress)
}

function readSpec(at: Reader, meta: Meta): Ingress | undefined {
  const className = at.text("ingressClassName")
  const defaultBackend = at.optional("defaultBackend", readBackend)
  return at.accepted({
    kind: "Ingress",
    meta,
    rules: at.list("rules", readRule),
    tls: at.list("tls", readTls),
    ...(className !== "" && { className }),
    ...(defaultBackend !== undefined && { defaultBackend }),
  })
}

function readRule(at: Reader): IngressRule | undefined {
  const host = at.text("host")
  if (host !== host.toLowerCase())
    at.report(
      "host",
      "host-in-capitals",
      "has capital letters, which no API server takes: it is used without",
    )
  const paths = at.expected("http", (http) => http.accepted(http.list("paths", readPath)))
  return at.accepted(paths === undefined ? { host } : { host, paths })
}

function readPath(at: Reader): IngressPath | undefined {
  const path = at.text("path")
  const pathType = at.oneOf("pathType", pathTypes, "ImplementationSpecific")
  const backend = at.required("backend", readBackend)
  return backend && at.accepted({ path, pathType, backend })
}

function readBackend(at: Reader): IngressBackend | undefined {
  if (at.has("service") && at.has("resource"))
    at.refuse("resource", "backend-twice", "excludes service: name one of them")
  if (at.has("resource")) return at.accepted({ kind: "resource" })
  const service = at.required("service", readServiceBackend)
  return service && at.accepted({ kind: "service", name: service.name, port: service.port })
}

function readServiceBackend(at: Reader) {
  const name = at.requiredText("name")
  const port = at.has("port") ? at.required("port", readPortRef) : ({ kind: "none" } as const)
  return port && at.accepted({ name, port })
}

function readPortRef(at: Reader): ServicePortRef | undefined {
  const number = at.port("number")
  const name = at.text("name")
  if (number !== undefined && name !== "")
    at.refuse("name", "port-twice", "excludes number: write one of them")
  if (number !== undefined) return at.accepted({ kind: "number", number })
  return at.accepted(name === "" ? { kind: "none" } : { kind: "name", name })
}

function readTls(at: Reader): IngressTls | undefined {
  return at.accepted({ hosts: at.texts("hosts"), secretName: at.text("secretName") })
}
