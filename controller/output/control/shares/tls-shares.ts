import type { Passthrough, TlsHost } from "../../../model/certificate.ts"
import type { Live } from "../../../model/model.ts"
import type { Item, Shared } from "./grant.ts"
import { hostGroups } from "./host-groups.ts"
import { authorityBytes, certificateBytes, passthroughBytes, tlsHostBytes } from "./record-bytes.ts"

export interface TlsItem extends Item {
  readonly tlsHost: TlsHost
}

/** A name for which there is no room shows the certificate of those that are not known, and whoever is to show one is refused (closing.ts). */
export function tlsItems({ tlsHosts, certificates, authorities, staples, hosts }: Live): readonly TlsItem[] {
  const groupOf = hostGroups(hosts)
  const stapled = new Map(staples.map(({ certificate, response }) => [certificate, response.length]))
  const named = new Map<string, Shared>()
  for (const it of certificates)
    named.set(it.id, { id: it.id, bytes: certificateBytes(it) + (stapled.get(it.id) ?? 0) + stapleBytes })
  for (const it of authorities)
    named.set(authorityKey(it.id), { id: authorityKey(it.id), bytes: authorityBytes(it) })
  return tlsHosts.map((tlsHost) => {
    const { owner = "", certificates, clientCertificate: asked } = tlsHost
    const ids = [...new Set(certificates), ...(asked ? [authorityKey(asked.authority)] : [])]
    const needs = ids.flatMap((id) => named.get(id) ?? [])
    return {
      tlsHost,
      owners: ownersOf(owner),
      group: groupOf(tlsHost.host, owner),
      bytes: tlsHostBytes(tlsHost),
      closedBytes: 0,
      needs,
    }
  })
}

/** Its node, its id and its time, whether there is a staple yet or not. */
export const stapleBytes = 192

export interface PassthroughItem extends Item {
  readonly passthrough: Passthrough
}

export function passthroughItems({
  passthroughs,
  hosts,
}: Pick<Live, "passthroughs" | "hosts">): readonly PassthroughItem[] {
  const groupOf = hostGroups(hosts)
  return passthroughs.map((passthrough) => ({
    passthrough,
    owners: ownersOf(passthrough.owner),
    group: groupOf(passthrough.host, passthrough.owner),
    bytes: passthroughBytes(passthrough),
    closedBytes: 0,
    needs: [],
  }))
}

/** Certificates and authorities are called by their content, each kind on its own. */
function authorityKey(id: string): string {
  return `authority ${id}`
}

function ownersOf(owner: string): readonly string[] {
  return owner === "" ? [] : [owner]
}
