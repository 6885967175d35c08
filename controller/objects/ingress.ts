import type { Meta } from "./meta.ts"

export interface Ingress {
  readonly kind: "Ingress"
  readonly meta: Meta
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

export interface IngressTls {
  readonly hosts: readonly string[]
  readonly secretName: string
}
