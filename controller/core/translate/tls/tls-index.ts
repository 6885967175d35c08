import { isDeepStrictEqual } from "node:util"
import {
  type Authority,
  type Certificate,
  isSameCertificate,
  type TlsHost,
} from "../../../model/certificate.ts"
import type { ShownCertificate } from "../../../model/observed.ts"
import type { Problem } from "../../../model/problem.ts"
import type { TlsSecretState } from "../../../model/tls-secret.ts"
import { wildcardOf } from "../../../support/host-name.ts"
import { CountedList } from "../../../support/incremental/counted-list.ts"
import { Multimap } from "../../../support/incremental/multimap.ts"
import { SortedList } from "../../../support/incremental/sorted-list.ts"
import { compareText } from "../../../support/order.ts"
import type { Context } from "../context.ts"
import type { MergedHost } from "../hosts/merged-host.ts"
import type { OtherName } from "../hosts/other-names.ts"
import { hostsIn, type IngressesChange } from "../parsed/ingresses-change.ts"
import type { ParsedIngress } from "../parsed/parsed-ingress.ts"
import { distinctProblems } from "../problems.ts"
import { type DefaultCertificate, defaultCertificate, defaultRecord } from "./default-certificate.ts"
import { unheardTls } from "./foreign-tls.ts"
import { clientSettings, tlsSettings, unheardSettings } from "./handshake-settings.ts"
import { type HostTls, hostTls, noSettings, type OwnTls, plainTls, type TlsSettings } from "./host-tls.ts"
import { isTroubled, secretProblems } from "./secret-problems.ts"
import { otherNameCertificates, serverCertificates } from "./server-certificates.ts"

// What handshakes get is decided here, name by name. In come who mentions which host and what is known of Secrets; nothing is known of routes.

/** What TLS needs of the live half, and what requests have to do with it. */
export interface MergedTls {
  readonly certificates: readonly Certificate[]
  readonly authorities: readonly Authority[]
  readonly tlsHosts: readonly TlsHost[]
  readonly of: (host: string) => HostTls
  /** what names without a certificate of their own show */
  readonly byDefault: Omit<ShownCertificate, "host">
  readonly problems: readonly Problem[]
}

/** Who has which names. */
export interface Hosts {
  /** the Ingresses that mention a host and are no canaries, the oldest first */
  mains(host: string): readonly ParsedIngress[]
  /** those of them that may say something of the host as a whole */
  speakers(host: string): readonly ParsedIngress[]
  /** a host that rules name */
  find(host: string): MergedHost | undefined
  /** aliases and names that are redirected */
  others(): ReadonlyMap<string, OtherName>
}

type Secrets = ReadonlyMap<string, TlsSecretState>

const noSecrets: Secrets = new Map()

/**
 * Kept from pass to pass: a name is decided again when an Ingress that mentions it changed, or a Secret that it depends on did. The decision is the
 * same object while nothing in it changes.
 */
export class TlsIndex {
  readonly #context: Context
  readonly #own = new Map<string, OwnTls>()
  readonly #decided = new Map<string, HostTls>()
  readonly #faulty = new Map<string, readonly Problem[]>()
  /** Secret → hosts that depend on it */
  readonly #users = new Multimap<string>()
  /** Secret → Ingresses with annotations that name it */
  readonly #namers = new Multimap<string>()
  readonly #certificates = new CountedList<Certificate>(({ id }) => id, isSameCertificate)
  readonly #authorities = new CountedList<Authority>(({ id }) => id, isDeepStrictEqual)
  #secrets = noSecrets
  #others: ReadonlyMap<string, OtherName> = new Map()
  #initial: DefaultCertificate = { problems: [] }
  readonly #records = new SortedList<TlsHost>((a, b) => compareText(a.host, b.host))
  #merged: MergedTls | undefined

  constructor(context: Context) {
    this.#context = context
  }

  /** @returns the same object as long as nothing changes */
  followHosts(change: IngressesChange, names: Hosts, secrets: Secrets = noSecrets): MergedTls {
    const isSame =
      change.added.length === 0 &&
      change.removed.size === 0 &&
      secrets === this.#secrets &&
      names.others() === this.#others
    if (isSame && this.#merged !== undefined) return this.#merged
    for (const { name, secrets } of change.removed) for (const it of secrets) this.#namers.remove(it, name)
    for (const { name, secrets } of change.added) for (const it of secrets) this.#namers.add(it, name)
    const touched = hostsIn(change)
    this.#followSecrets(secrets, touched)
    this.#followOtherNames(names.others(), touched)
    this.#decide(this.#resettle(touched, names))
    this.#merged = {
      certificates: this.#certificates.items(),
      authorities: this.#authorities.items(),
      tlsHosts: this.#tlsHosts(),
      of: (host) => this.#decided.get(host) ?? plainTls,
      byDefault: this.#byDefault(),
      problems: this.#problems(),
    }
    return this.#merged
  }

  #byDefault(): MergedTls["byDefault"] {
    const { defaultSslCertificate: named } = this.#context.options
    const { pair } = this.#initial
    return named && pair ? { secret: `${named.namespace}/${named.name}`, certificate: pair.certificate } : {}
  }

  #tlsHosts(): readonly TlsHost[] {
    const records = this.#records.items()
    return this.#initial.pair ? [defaultRecord(this.#initial.pair), ...records] : records
  }

  #followSecrets(secrets: Secrets, touched: Set<string>): void {
    const before = this.#secrets
    this.#secrets = secrets
    if (secrets === before && this.#merged !== undefined) return
    for (const [secret, hosts] of this.#users.entries()) {
      if (secrets.get(secret) !== before.get(secret)) for (const host of hosts) touched.add(host)
    }
    this.#followDefault(
      defaultCertificate(this.#context.options, (name) => secrets.get(name)),
      touched,
    )
  }

  /** Whether another name may show the default certificate depends on whom that is for. */
  #followDefault(initial: DefaultCertificate, touched: Set<string>): void {
    const before = this.#initial.pair
    this.#initial = initial
    if (initial.pair === before) return
    if (before !== undefined) this.#certificates.remove(before.certificate)
    if (initial.pair !== undefined) this.#certificates.add(initial.pair.certificate)
    for (const name of this.#others.keys()) touched.add(name)
  }

  #followOtherNames(others: ReadonlyMap<string, OtherName>, touched: Set<string>): void {
    const before = this.#others
    this.#others = others
    for (const name of before.keys()) if (!others.has(name)) touched.add(name)
    for (const [name, other] of others) {
      const known = before.get(name)
      if (known?.kind !== other.kind || known.of !== other.of || touched.has(other.of)) touched.add(name)
    }
  }

  /** @returns the names to decide again */
  #resettle(touched: ReadonlySet<string>, names: Hosts): Iterable<string> {
    const changed: string[] = []
    for (const name of inOrder(touched, this.#others)) {
      const before = this.#own.get(name)
      const after = this.#ownOf(name, names)
      if (before !== undefined && isDeepStrictEqual(before, after)) continue
      changed.push(name)
      this.#replace(name, before, after)
    }
    // Names fall back to their wildcard and to `_`.
    const concernsAll = changed.some((name) => name === "_" || name.startsWith("*."))
    return concernsAll ? new Set([...changed, ...this.#own.keys()]) : changed
  }

  #ownOf(name: string, names: Hosts): OwnTls | undefined {
    const secretOf = (secret: string) => this.#secrets.get(secret)
    const other = this.#others.get(name)
    const host = other?.of ?? name
    const all = names.mains(host)
    if (all.length === 0) return undefined
    const ingresses = names.speakers(host)
    const server =
      other === undefined
        ? serverCertificates(name, ingresses, secretOf)
        : otherNameCertificates(
            name,
            { ingresses, server: this.#own.get(host)?.server },
            secretOf,
            this.#initial.pair,
          )
    const settings = both(
      other?.kind === "redirect" ? noSettings : tlsSettings(ingresses),
      clientSettings(names.find(host)?.clients),
    )
    const prefix = this.#context.options.annotationsPrefix
    const owner = names.find(host)?.owner
    const namespace = owner?.namespace ?? all[0]?.root.namespace ?? ""
    const foreign =
      other !== undefined || owner === undefined
        ? []
        : unheardTls(host, owner, { all, settings, server, prefix })
    const problems = [...unheardSettings(host, ingresses, prefix), ...foreign]
    return { ...(server && { server }), settings, owner: namespace, problems }
  }

  #replace(name: string, before: OwnTls | undefined, after: OwnTls | undefined): void {
    for (const secret of before?.server?.secrets ?? []) this.#users.remove(secret, name)
    for (const secret of after?.server?.secrets ?? []) this.#users.add(secret, name)
    if (after === undefined) this.#own.delete(name)
    else this.#own.set(name, after)
    const problems = [...(after?.server?.problems ?? []), ...(after?.problems ?? [])]
    if (problems.length > 0) this.#faulty.set(name, problems)
    else this.#faulty.delete(name)
  }

  #decide(names: Iterable<string>): void {
    for (const name of names) {
      const before = this.#decided.get(name)
      const after = this.#hostTls(name)
      if (isDeepStrictEqual(before, after)) continue
      this.#count(before, after)
      if (before?.record !== undefined) this.#records.remove(before.record)
      if (after?.record !== undefined) this.#records.add(after.record)
      if (after === undefined) this.#decided.delete(name)
      else this.#decided.set(name, after)
    }
  }

  #hostTls(name: string): HostTls | undefined {
    const own = this.#own.get(name)
    if (own === undefined) return undefined
    return hostTls(name, own, {
      wildcard: name === "_" || name.startsWith("*.") ? undefined : this.#own.get(wildcardOf(name)),
      everyOther: name === "_" ? undefined : this.#own.get("_"),
      rejectsUnknown: this.#context.settings.rejectsUnknown,
    })
  }

  #count(before: HostTls | undefined, after: HostTls | undefined): void {
    for (const { certificate } of after?.pairs ?? []) this.#certificates.add(certificate)
    for (const { certificate } of before?.pairs ?? []) this.#certificates.remove(certificate)
    if (after?.authority !== undefined) this.#authorities.add(after.authority)
    if (before?.authority !== undefined) this.#authorities.remove(before.authority)
  }

  /** Of the Secrets in the order of their names, then of the hosts; what several hosts have to say about one entry is said once. */
  #problems(): readonly Problem[] {
    const isUsed = (name: string) => this.#users.has(name) || this.#namers.has(name)
    const inTrouble: [string, TlsSecretState][] = []
    for (const [name, state] of this.#secrets)
      if (isTroubled(state) && isUsed(name)) inTrouble.push([name, state])
    const ofSecrets = inTrouble
      .sort(([a], [b]) => compareText(a, b))
      .flatMap(([name, state]) => secretProblems(name, state))
    const hosts = [...this.#faulty].sort(([a], [b]) => compareText(a, b))
    const ofHosts = hosts.flatMap(([, problems]) => problems)
    return distinctProblems([...this.#initial.problems, ...ofSecrets, ...ofHosts])
  }
}

function both(a: TlsSettings, b: TlsSettings): TlsSettings {
  return a === noSettings ? b : { ...a, ...b }
}

/** Hosts first: what their other names show depends on them. */
function inOrder(names: ReadonlySet<string>, others: ReadonlyMap<string, OtherName>): readonly string[] {
  const hosts = [...names].filter((name) => !others.has(name))
  return [...hosts, ...[...names].filter((name) => others.has(name))]
}
