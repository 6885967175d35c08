import type { Problem } from "../../../model/problem.ts"
import type { ProblemCode } from "../../../model/problems/catalogue.ts"
import { shown } from "../../../model/shown.ts"
import type { TlsSecretState } from "../../../model/tls-secret.ts"
import { complaint, staleMessage } from "../../declared/problems.ts"

type Usable = Extract<TlsSecretState, { kind: "usable" }>

/** Whether `secretProblems` has anything to say. */
export function isTroubled(state: TlsSecretState): boolean {
  if (state.kind === "refused") return true
  return [state.stale, state.incomplete, state.expiry].some((trouble) => trouble !== undefined)
}

/** What is wrong with a Secret that TLS uses, said to its author. @param name `namespace/name` */
export function secretProblems(name: string, state: TlsSecretState): readonly Problem[] {
  const [namespace = "", short = ""] = name.split("/", 2)
  const about = (code: ProblemCode, message: string) =>
    complaint({ kind: "Secret", namespace, name: short }, "data", code, message)
  if (state.kind === "refused")
    return [about("secret-refused", `Cannot use Secret ${shown(name)}: ${state.reason}`)]
  const { stale, incomplete } = state
  return [
    ...(stale === undefined ? [] : [about("secret-stale", staleMessage(shown(name), stale))]),
    ...(incomplete === undefined ? [] : [about("chain-incomplete", incompleteMessage(name, incomplete))]),
    ...expiryMessages(name, state).map((message) => about("certificate-expiry", message)),
  ]
}

function incompleteMessage(name: string, { url, reason }: NonNullable<Usable["incomplete"]>): string {
  return `Cannot complete the chain of the certificate in Secret ${shown(name)} from ${shown(url)}: ${reason}; put the missing certificate into "tls.crt"`
}

function expiryMessages(name: string, { expiry, secret: { pair } }: Usable): readonly string[] {
  if (expiry === undefined || pair === undefined) return []
  const end = new Date(pair.notAfterMs).toISOString().replace(".000Z", "Z")
  const state = expiry === "expired" ? "ran out on" : "runs out on"
  return [`The certificate in Secret ${shown(name)} ${state} ${end}: renew it`]
}
