import { annotationPath } from "../../../model/field-path.ts"
import type { Problem } from "../../../model/problem.ts"
import { handshakeAnnotations } from "../../annotations/handshake.ts"
import { hostText, ruleProblem } from "../../declared/problems.ts"
import type { ServerCertificates, TlsSettings } from "../../declared/tls.ts"
import { type HostOwner, isForeign, ownedText } from "../hosts/ownership.ts"
import type { ParsedIngress } from "../parsed/parsed-ingress.ts"

/** What was decided about a host, and who mentions it. */
interface Decided {
  /** that are no canaries, the oldest first */
  readonly all: readonly ParsedIngress[]
  readonly settings: TlsSettings
  /** absent: its owner has no tls section */
  readonly server: ServerCertificates | undefined
  /** of annotations */
  readonly prefix: string
}

/**
 * What other namespaces than the owner's say of handshakes for a host and has no effect. A tls section beside that of the owner is no mistake:
 * people write one into every Ingress of a host, with a Secret of their own.
 */
export function unheardTls(host: string, owner: HostOwner, decided: Decided): readonly Problem[] {
  const others = decided.all.filter(({ root }) => isForeign(root, owner))
  return others.flatMap((other) => [
    ...unheardSettings(host, owner, other, decided),
    ...unshown(host, owner, other, decided),
  ])
}

function unheardSettings(
  host: string,
  owner: HostOwner,
  { root, tls }: ParsedIngress,
  { settings, prefix }: Decided,
): readonly Problem[] {
  return (["ciphers", "prefersServerCiphers"] as const)
    .filter((setting) => tls[setting] !== undefined && tls[setting] !== settings[setting])
    .map((setting) => {
      const { name } = handshakeAnnotations[setting]
      const message = `Annotation "${name}" has no effect for ${hostText(host)}: ${ownedText(owner)}`
      return ruleProblem(root, annotationPath(`${prefix}/${name}`), "host-owned", message)
    })
}

function unshown(
  host: string,
  owner: HostOwner,
  { root, tls }: ParsedIngress,
  { server }: Decided,
): readonly Problem[] {
  const isMeant = server === undefined && tls.entries.some(({ secret }) => secret !== undefined)
  if (!isMeant) return []
  const message = `Cannot show a certificate of this Ingress for ${hostText(host)}: ${ownedText(owner)}, which has no tls section for it; the default certificate is shown`
  return [ruleProblem(root, "spec.tls", "host-owned", message)]
}
