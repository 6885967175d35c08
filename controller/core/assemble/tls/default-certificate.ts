import type { TlsHost } from "../../../model/certificate.ts"
import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import type { KeyPair, TlsSecretState } from "../../../model/tls-secret.ts"
import { complaint } from "../../declared/problems.ts"
import type { TranslateOptions } from "../../options/translation.ts"
import { secretProblems } from "./secret-problems.ts"

/** What hosts show that have no certificate of their own. */
export interface DefaultCertificate {
  /** absent: nginx shows the one that was made for it at the start */
  readonly pair?: KeyPair
  readonly problems: readonly Problem[]
}

const none: DefaultCertificate = { problems: [] }

/** The certificate of `--default-ssl-certificate`. @param secrets by `namespace/name` */
export function defaultCertificate(
  { defaultSslCertificate: named }: TranslateOptions,
  secrets: ReadonlyMap<string, TlsSecretState>,
): DefaultCertificate {
  if (named === undefined) return none
  const name = `${named.namespace}/${named.name}`
  const state = secrets.get(name)
  const fault = faultOf(state)
  const about = (reason: string) => {
    const message = `Cannot use Secret ${shown(name)} of --default-ssl-certificate: ${reason}; a self-signed certificate is shown`
    return complaint({ kind: "Secret", ...named }, "data", "default-certificate-unusable", message)
  }
  if (state?.kind !== "usable" || state.secret.pair === undefined) return { problems: [about(fault)] }
  return { pair: state.secret.pair, problems: secretProblems(name, state) }
}

function faultOf(state: TlsSecretState | undefined): string {
  if (state === undefined) return "it does not exist"
  return state.kind === "refused" ? state.reason : '"tls.crt" with "tls.key" is missing'
}

/** The record that everybody without a certificate gets theirs from. */
export function defaultRecord({ certificate }: KeyPair): TlsHost {
  return { host: ":default", certificates: [certificate.id] }
}
