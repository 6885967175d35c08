import type { ShownCertificate } from "../../../model/observed.ts"
import type { MergedHost } from "../../ingress/hosts/merged-host.ts"
import type { MergedTls } from "./tls-index.ts"

/** Of each host that a tls section is about, and of `_`, which stands for all that have none. */
export function shownCertificates(
  hosts: readonly MergedHost[],
  { of, byDefault }: Pick<MergedTls, "of" | "byDefault">,
): readonly ShownCertificate[] {
  return hosts.flatMap(({ host }) => {
    const { ownPairs } = of(host)
    if (ownPairs === undefined && host !== "_") return []
    if (ownPairs === undefined || ownPairs.length === 0) return [{ host, ...byDefault }]
    return ownPairs.map(({ secret, certificate }) => ({ host, secret, certificate }))
  })
}
