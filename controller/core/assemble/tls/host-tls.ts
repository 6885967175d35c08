import type { Authority, TlsHost } from "../../../model/certificate.ts"
import type { KeyPair } from "../../../model/tls-secret.ts"
import { type DeclaredTls, noSettings, type SecretPair, tlsPlace } from "../../declared/tls.ts"

/** What handshakes for a name and its requests get. */
export interface HostTls {
  /** a certificate is configured, its own or the default one: plain HTTP may be redirected */
  readonly isCertified: boolean
  /** absent: handshakes get what names without a record get */
  readonly record?: TlsHost
  /** of the record */
  readonly pairs: readonly KeyPair[]
  /** of the record */
  readonly authority?: Authority
  /** those that are wanted for this very name; none: the default certificate */
  readonly ownPairs?: readonly SecretPair[]
}

export const plainTls: HostTls = { isCertified: false, pairs: [] }

/** Where a handshake looks when a name has no record. */
export interface Above {
  /** the name with a wildcard in the place of its first label */
  readonly wildcard: DeclaredTls | undefined
  /** `_` */
  readonly everyOther: DeclaredTls | undefined
  /** then its handshake is refused */
  readonly rejectsUnknown: boolean
  /** a listener would show its certificate for it */
  readonly isUnderListener: boolean
}

/**
 * A name that no certificate is wanted for shows its wildcard's certificate (behaviour of ingress-nginx), but what else that one asks for
 * concerns only names that nobody mentions. What a listener shows for all names below one it does not show for a name of somebody else.
 */
export function hostTls(
  host: string,
  own: DeclaredTls,
  { wildcard, everyOther, rejectsUnknown, isUnderListener }: Above,
): HostTls {
  if (own.isOfListener) return listenerTls(own)
  const isCertified = host !== "_" && (own.server ?? wildcard?.server) !== undefined
  const asks = [own, wildcard, everyOther].some((tls) => tls !== undefined && tls.settings !== noSettings)
  const isNeeded = asks || ((rejectsUnknown || isUnderListener) && host !== "_")
  if (own.server === undefined && !isNeeded) return isCertified ? certifiedAbove : plainTls
  const pairs = host === "_" ? [] : ((own.server ?? wildcard?.server)?.pairs ?? [])
  return withRecord(own, pairs, isCertified)
}

/** A name of a listener shows what is declared of it, and nothing of others. */
export function listenerTls(own: DeclaredTls): HostTls {
  return withRecord(own, own.server?.pairs ?? [], own.server !== undefined)
}

function withRecord(own: DeclaredTls, pairs: readonly KeyPair[], isCertified: boolean): HostTls {
  const { authority, ...settings } = own.settings
  return {
    isCertified,
    record: {
      host: tlsPlace(own),
      owner: own.owner,
      certificates: pairs.map(({ certificate }) => certificate.id),
      ...settings,
      ...(own.listener !== undefined && { listener: own.listener }),
    },
    pairs,
    ...(own.server && { ownPairs: own.server.pairs }),
    ...(authority !== undefined && { authority }),
  }
}

const certifiedAbove: HostTls = { isCertified: true, pairs: [] }
