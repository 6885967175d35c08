import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import type { IngressClaims } from "../ingress/claim.ts"
import { claimProblem } from "../problems.ts"
import type { TlsClaim } from "./claim.ts"
import { noSettings, type TlsSettings } from "./host-tls.ts"

const annotations = { ciphers: "ssl-ciphers", prefersServerCiphers: "ssl-prefer-server-ciphers" } as const

type Setting = keyof typeof annotations

const all = Object.keys(annotations) as readonly Setting[]

/**
 * What a handshake for a host goes by beside certificates; for each of it the oldest Ingress that says something decides (behaviour of
 * ingress-nginx).
 *
 * @param claims of the Ingresses that mention the host and are no canaries, the oldest first
 * @returns `noSettings` when none of them says anything
 */
export function tlsSettings(claims: readonly IngressClaims[]): TlsSettings {
  const said = all.flatMap((setting) => {
    const value = deciderOf(setting, claims)?.tls[setting]
    return value === undefined ? [] : [[setting, value] as const]
  })
  return said.length === 0 ? noSettings : Object.fromEntries(said)
}

/** Of the Ingresses that want something else than the one that decides. @param prefix of annotations */
export function unheardSettings(
  host: string,
  claims: readonly IngressClaims[],
  prefix: string,
): readonly Problem[] {
  return all.flatMap((setting) => {
    const decider = deciderOf(setting, claims)
    const others = claims.filter(({ tls }) => isAtOdds(tls[setting], decider?.tls[setting]))
    return decider ? others.map((other) => unheard(setting, host, other, decider, prefix)) : []
  })
}

function deciderOf(setting: Setting, claims: readonly IngressClaims[]): IngressClaims | undefined {
  return claims.find(({ tls }) => tls[setting] !== undefined)
}

function isAtOdds(said: TlsClaim[Setting], decided: TlsClaim[Setting]): boolean {
  return said !== undefined && said !== decided
}

function unheard(
  setting: Setting,
  host: string,
  { root }: IngressClaims,
  decider: IngressClaims,
  prefix: string,
): Problem {
  const name = annotations[setting]
  const where = host === "_" ? "every other host" : `host ${shown(host)}`
  const message = `Annotation "${name}" has no effect for ${where}: Ingress "${decider.name}", which is older, says otherwise`
  return claimProblem(root, `metadata.annotations["${prefix}/${name}"]`, "handshake-taken", message)
}
