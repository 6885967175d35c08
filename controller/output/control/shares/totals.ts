import type { ZoneName } from "../../../model/http/processes.ts"
import type { Live } from "../../../model/model.ts"
import { rememberedLast } from "../../../support/incremental/last-result.ts"
import {
  addressListBytes,
  authorityBytes,
  backendBytes,
  certificateBytes,
  passthroughBytes,
  tlsHostBytes,
  userListBytes,
  wholeHostBytes,
} from "./record-bytes.ts"
import { stapleBytes } from "./tls-shares.ts"

/** What all namespaces and the operator want of each zone together; no namespace wants more than that. */
export function totalsOf(live: Live): Readonly<Record<ZoneName, number>> {
  const { addressLists, userLists, certificates, authorities, staples, tlsHosts } = live
  return {
    routes:
      sums.hosts(live.hosts, wholeHostBytes) +
      sums.addressLists(addressLists, addressListBytes) +
      sums.userLists(userLists, userListBytes),
    backends: sums.backends(live.backends, backendBytes),
    certificates:
      sums.tlsHosts(tlsHosts, tlsHostBytes) +
      sums.authorities(authorities, authorityBytes) +
      sums.certificates(certificates, (it) => certificateBytes(it) + stapleBytes) +
      sums.staples(staples, ({ response }) => response.length),
    passthroughs: sums.passthroughs(live.passthroughs, passthroughBytes),
  }
}

/** Lists that did not change are the same objects. */
const sums = {
  hosts: summed<Live["hosts"][number]>(),
  addressLists: summed<Live["addressLists"][number]>(),
  userLists: summed<Live["userLists"][number]>(),
  backends: summed<Live["backends"][number]>(),
  tlsHosts: summed<Live["tlsHosts"][number]>(),
  authorities: summed<Live["authorities"][number]>(),
  certificates: summed<Live["certificates"][number]>(),
  staples: summed<Live["staples"][number]>(),
  passthroughs: summed<Live["passthroughs"][number]>(),
}

function summed<T>() {
  const last = rememberedLast<readonly T[], number>()
  return (things: readonly T[], bytesOf: (thing: T) => number) =>
    last(things, [], () => things.reduce((sum, thing) => sum + bytesOf(thing), 0))
}
