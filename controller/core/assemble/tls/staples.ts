import type { Certificate, Staple } from "../../../model/certificate.ts"
import type { Facts } from "../../../model/facts.ts"
import type { OcspState, OcspTrouble } from "../../../model/ocsp-state.ts"
import type { Problem } from "../../../model/problem.ts"
import type { ProblemCode } from "../../../model/problems/catalogue.ts"
import { shown } from "../../../model/shown.ts"
import { complaint } from "../../declared/problems.ts"

export interface Stapled {
  /** in the order of the certificates */
  readonly staples: readonly Staple[]
  /** of the Secrets whose certificates are in trouble with OCSP, in the order of their names */
  readonly problems: readonly Problem[]
}

/** What OCSP has to say of the certificates that are served. */
export function stapled(
  certificates: readonly Certificate[],
  { ocsp, tlsSecrets }: Pick<Facts, "ocsp" | "tlsSecrets">,
): Stapled {
  const states = certificates.flatMap(({ id }) => ocsp.get(id) ?? [])
  const staples = states.flatMap(({ staple }) => staple ?? [])
  const isTroubled = states.some(({ trouble }) => trouble !== undefined)
  return { staples, problems: isTroubled ? troubles(certificates, ocsp, tlsSecrets) : [] }
}

function troubles(
  certificates: readonly Certificate[],
  ocsp: ReadonlyMap<string, OcspState>,
  secrets: Facts["tlsSecrets"],
): readonly Problem[] {
  const served = new Set(certificates.map(({ id }) => id))
  const problems: Problem[] = []
  for (const name of [...secrets.keys()].sort()) {
    const state = secrets.get(name)
    const id = state?.kind === "usable" ? state.secret.pair?.certificate.id : undefined
    const trouble = id !== undefined && served.has(id) ? ocsp.get(id)?.trouble : undefined
    if (trouble) problems.push(problemOf(name, trouble))
  }
  return problems
}

/** @param secret `namespace/name` */
function problemOf(secret: string, trouble: OcspTrouble): Problem {
  const [namespace = "", name = ""] = secret.split("/", 2)
  const about = (code: ProblemCode, message: string) =>
    complaint({ kind: "Secret", namespace, name }, "data", code, message)
  switch (trouble.kind) {
    case "revoked":
      return about("certificate-revoked", revokedMessage(secret, trouble))
    case "failing":
      return about("ocsp-failing", failingMessage(secret, trouble))
    case "impossible":
      return about(
        "ocsp-impossible",
        `Cannot staple OCSP for the certificate in Secret ${shown(secret)}: ${trouble.reason}`,
      )
    default:
      return trouble satisfies never
  }
}

function revokedMessage(
  secret: string,
  { responder, since }: Extract<OcspTrouble, { kind: "revoked" }>,
): string {
  return `The certificate in Secret ${shown(secret)} was REVOKED by its issuer at ${since}, says ${shown(responder)}: clients may refuse it, put a new one in its place`
}

function failingMessage(
  secret: string,
  { responder, since, reason }: Extract<OcspTrouble, { kind: "failing" }>,
): string {
  return `Cannot get an OCSP response for the certificate in Secret ${shown(secret)} from ${shown(responder)} since ${since}: ${reason}; without one nothing is stapled`
}
