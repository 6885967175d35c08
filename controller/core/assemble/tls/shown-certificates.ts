import type { ShownCertificate } from "../../../model/observed.ts"
import type { DeclaredHost } from "../../declared/host.ts"
import type { MergedTls } from "./tls-index.ts"

/** Of each host that a certificate is wanted for, and of `_`, which stands for all that have none. */
export function shownCertificates(
  hosts: readonly DeclaredHost[],
  { of, byDefault }: Pick<MergedTls, "of" | "byDefault">,
): readonly ShownCertificate[] {
  return hosts.flatMap(({ server, host }) => {
    const { ownPairs } = of({ server, host })
    if (ownPairs === undefined && host !== "_") return []
    if (ownPairs === undefined || ownPairs.length === 0) return [{ host, ...byDefault }]
    return ownPairs.map(({ secret, certificate }) => ({ host, secret, certificate }))
  })
}
