import { annotationPath } from "../../../model/field-path.ts"
import type { Problem } from "../../../model/problem.ts"
import { handshakeAnnotations } from "../../annotations/handshake.ts"
import type { ClientValidation } from "../../declared/client-validation.ts"
import { hostText, ruleProblem } from "../../declared/problems.ts"
import { noSettings, type TlsSettings } from "../../declared/tls.ts"
import type { ParsedIngress } from "../parsed/parsed-ingress.ts"
import type { ParsedTls } from "../parsed/parsed-tls.ts"

type Setting = keyof typeof handshakeAnnotations

const all = Object.keys(handshakeAnnotations) as readonly Setting[]

/**
 * Settings of handshakes for a host besides certificates. Each is decided by the oldest Ingress that sets it (behaviour of ingress-nginx).
 *
 * @param ingresses that mention the host and are no canaries, the oldest first
 * @returns `noSettings` when none of them says anything
 */
export function tlsSettings(ingresses: readonly ParsedIngress[]): TlsSettings {
  const said = all.flatMap((setting) => {
    const value = deciderOf(setting, ingresses)?.tls[setting]
    return value === undefined ? [] : [[setting, value] as const]
  })
  return said.length === 0 ? noSettings : Object.fromEntries(said)
}

/** Of the Ingresses that set something else than the one that decides. @param prefix of annotations */
export function unheardSettings(
  host: string,
  ingresses: readonly ParsedIngress[],
  prefix: string,
): readonly Problem[] {
  return all.flatMap((setting) => {
    const decider = deciderOf(setting, ingresses)
    const others = ingresses.filter(({ tls }) => isAtOdds(tls[setting], decider?.tls[setting]))
    return decider ? others.map((other) => unheard(setting, host, other, decider, prefix)) : []
  })
}

function deciderOf(setting: Setting, ingresses: readonly ParsedIngress[]): ParsedIngress | undefined {
  return ingresses.find(({ tls }) => tls[setting] !== undefined)
}

function isAtOdds(said: ParsedTls[Setting], decided: ParsedTls[Setting]): boolean {
  return said !== undefined && said !== decided
}

function unheard(
  setting: Setting,
  host: string,
  { root }: ParsedIngress,
  decider: ParsedIngress,
  prefix: string,
): Problem {
  const { name } = handshakeAnnotations[setting]
  const message = `Annotation "${name}" has no effect for ${hostText(host)}: Ingress "${decider.name}", which is older, has another value, which applies`
  return ruleProblem(root, annotationPath(`${prefix}/${name}`), "handshake-taken", message)
}

/** What handshakes for the host ask of clients. */
export function clientSettings(clients: ClientValidation | undefined): TlsSettings {
  if (clients?.kind !== "certificate") return noSettings
  const { authority, depth, certificate } = clients
  const { verify } = certificate
  if (verify === "off") return noSettings
  return { clientCertificate: { authority: authority.id, verify, depth }, authority }
}
