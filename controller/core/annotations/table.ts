import { keys } from "../options/key-table.ts"
import { keysWithoutEffect } from "../options/keys-without-effect.ts"
import { affinityAnnotations } from "./affinity.ts"
import { backendTlsAnnotations } from "./backend-tls.ts"
import { balancingAnnotations } from "./balancing.ts"
import { canaryAnnotations } from "./canary.ts"
import { clientCertificateAnnotations } from "./client-certificates.ts"
import type { Annotation } from "./entry.ts"
import { errorAnnotations } from "./errors.ts"
import { fastcgiAnnotations } from "./fastcgi.ts"
import { handshakeAnnotations } from "./handshake.ts"
import { mirrorAnnotations } from "./mirror.ts"
import { protocolAnnotations } from "./protocol.ts"
import { proxyAnnotations } from "./proxy.ts"
import { responseAnnotations } from "./responses.ts"
import { routingAnnotations } from "./routing.ts"
import { aliasesWithoutEffect, namesWithoutEffect } from "./without-effect.ts"

/** Every annotation that has an effect. No two have the same name, whatever their prefixes. */
export const annotations: readonly Annotation[] = [
  ...affinityAnnotations,
  ...backendTlsAnnotations,
  ...balancingAnnotations,
  ...canaryAnnotations,
  ...clientCertificateAnnotations,
  ...errorAnnotations,
  ...fastcgiAnnotations,
  ...handshakeAnnotations,
  ...mirrorAnnotations,
  ...protocolAnnotations,
  ...proxyAnnotations,
  ...routingAnnotations,
  ...responseAnnotations,
]

/** By name and by alias, without the prefix. */
export const annotationByName: ReadonlyMap<string, Annotation> = new Map(
  annotations.flatMap((entry) =>
    [entry.name, ...(entry.aliases ?? [])].map((name) => [name, entry] as const),
  ),
)

export const withoutEffect: ReadonlySet<string> = new Set([...namesWithoutEffect, ...aliasesWithoutEffect])

/** Names that belong into the ConfigMap and are often tried as annotations. */
export const configMapKeys: ReadonlySet<string> = new Set([
  ...keys.map((key) => key.name),
  ...keysWithoutEffect,
])

/** Every spelling that ingress-nginx knows. */
export const knownNames: readonly string[] = [...spellings(false), ...withoutEffect]

/** Those under our own prefix. */
export const ownNames: readonly string[] = spellings(true)

function spellings(isOwn: boolean): readonly string[] {
  return [...annotationByName].flatMap(([name, entry]) => ((entry.isOwn ?? false) === isOwn ? [name] : []))
}
