import type { Authority, Certificate } from "../../model/certificate.ts"
import type { BackendTls } from "../../model/route-records.ts"
import type { TlsSecret } from "../../model/tls-secret.ts"
import { contentName } from "../../support/content-name.ts"

/** How a backend is spoken to in TLS, with what that names. */
export interface DeclaredBackendTls {
  readonly said: BackendTls
  readonly certificate?: Certificate
  readonly authority?: Authority
}

/** What TLS of a backend says beside what it names. */
export type BackendTlsSettings = Omit<BackendTls, "certificate" | "authority">

/**
 * @param pair what the backend is shown
 * @param authority what its certificate is judged by
 */
export function declaredBackendTls(
  settings: BackendTlsSettings,
  { pair, authority }: TlsSecret,
): DeclaredBackendTls {
  const certificate = pair?.certificate
  const judge = authority && withoutCrls(authority)
  return {
    said: {
      ...settings,
      ...(certificate && { certificate: certificate.id }),
      ...(judge && { authority: judge.id }),
    },
    ...(certificate && { certificate }),
    ...(judge && { authority: judge }),
  }
}

/** Certificates of backends are not looked for in lists of revoked ones, as in ingress-nginx. */
function withoutCrls(authority: Authority): Authority {
  if (authority.crls.length === 0) return authority
  const { certificates } = authority
  return { id: contentName([...certificates, ""].join("\n")), certificates, crls: [] }
}
