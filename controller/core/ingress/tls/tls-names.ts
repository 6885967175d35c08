import { isDeepStrictEqual } from "node:util"
import type { KeyPair, TlsSecretState } from "../../../model/tls-secret.ts"
import { compact } from "../../../support/compact.ts"
import { Multimap } from "../../../support/incremental/multimap.ts"
import { SortedList } from "../../../support/incremental/sorted-list.ts"
import { setOrDelete } from "../../../support/maps.ts"
import { compareText } from "../../../support/order.ts"
import { type DeclaredTls, noSettings, type TlsSettings } from "../../declared/tls.ts"
import type { MergedHost } from "../hosts/merged-host.ts"
import type { OtherName } from "../hosts/other-names.ts"
import { hostsIn, type IngressesChange } from "../parsed/ingresses-change.ts"
import type { ParsedIngress } from "../parsed/parsed-ingress.ts"
import { unheardTls } from "./foreign-tls.ts"
import { clientSettings, tlsSettings, unheardSettings } from "./handshake-settings.ts"
import { otherNameCertificates, serverCertificates } from "./server-certificates.ts"

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
 * What Ingresses want of handshakes, name by name. Kept from pass to pass: a name is looked at again when an Ingress that mentions it changed, or a
 * Secret that it depends on did, and is the same object as long as it says the same.
 */
export class TlsNames {
  /** `--annotations-prefix` */
  readonly #prefix: string
  readonly #own = new Map<string, DeclaredTls>()
  readonly #inOrder = new SortedList<DeclaredTls>((a, b) => compareText(a.host, b.host))
  /** Secret → hosts that depend on it */
  readonly #users = new Multimap<string>()
  /** Secret → Ingresses with annotations that name it */
  readonly #namers = new Multimap<string>()
  #secrets = noSecrets
  #others: ReadonlyMap<string, OtherName> = new Map()
  #defaultPair: KeyPair | undefined

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** In the order of the names. */
  get all(): readonly DeclaredTls[] {
    return this.#inOrder.items()
  }

  /** Whether a Secret is used, or named by an annotation. @param name `namespace/name` */
  usesSecret(name: string): boolean {
    return this.#users.has(name) || this.#namers.has(name)
  }

  /** @param defaultPair what names show that have no certificate of their own */
  follow(change: IngressesChange, hosts: Hosts, secrets: Secrets, defaultPair: KeyPair | undefined): void {
    for (const { name, secrets } of change.removed) for (const it of secrets) this.#namers.remove(it, name)
    for (const { name, secrets } of change.added) for (const it of secrets) this.#namers.add(it, name)
    const mentioned = hostsIn(change)
    const touched = mentioned.union(this.#followSecrets(secrets)).union(this.#followDefault(defaultPair))
    this.#settle(touched.union(this.#followOtherNames(hosts.others(), touched)), hosts)
  }

  /** @returns the hosts that depend on one that changed */
  #followSecrets(secrets: Secrets): ReadonlySet<string> {
    const before = this.#secrets
    this.#secrets = secrets
    const touched = new Set<string>()
    if (secrets === before) return touched
    for (const [secret, hosts] of this.#users.entries()) {
      if (secrets.get(secret) !== before.get(secret)) for (const host of hosts) touched.add(host)
    }
    return touched
  }

  /** Whether another name may show the default certificate depends on whom that is for. @returns those names */
  #followDefault(pair: KeyPair | undefined): ReadonlySet<string> {
    const isSame = pair === this.#defaultPair
    this.#defaultPair = pair
    return new Set(isSame ? [] : this.#others.keys())
  }

  /** @param touched hosts @returns names that came, went, or are those of other hosts or of touched ones */
  #followOtherNames(
    others: ReadonlyMap<string, OtherName>,
    touched: ReadonlySet<string>,
  ): ReadonlySet<string> {
    const before = this.#others
    this.#others = others
    if (others === before && touched.size === 0) return touched
    const names = new Set<string>()
    for (const name of before.keys()) if (!others.has(name)) names.add(name)
    for (const [name, other] of others) {
      const known = before.get(name)
      if (known?.kind !== other.kind || known.of !== other.of || touched.has(other.of)) names.add(name)
    }
    return names
  }

  #settle(touched: ReadonlySet<string>, hosts: Hosts): void {
    for (const name of inOrder(touched, this.#others)) {
      const before = this.#own.get(name)
      const after = this.#declared(name, hosts)
      if (before === after || (before !== undefined && isDeepStrictEqual(before, after))) continue
      this.#replace(name, before, after)
    }
  }

  #declared(name: string, names: Hosts): DeclaredTls | undefined {
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
            this.#defaultPair,
          )
    const { owner, clients } = names.find(host) ?? {}
    const settings = both(
      other?.kind === "redirect" ? noSettings : tlsSettings(ingresses),
      clientSettings(clients),
    )
    const prefix = this.#prefix
    const namespace = owner?.namespace ?? all[0]?.root.source.namespace ?? ""
    const foreign =
      other !== undefined || owner === undefined
        ? []
        : unheardTls(host, owner, { all, settings, server, prefix })
    const problems = compact([...unheardSettings(host, ingresses, prefix), ...foreign])
    return { host: name, ...(server && { server }), settings, owner: namespace, problems }
  }

  #replace(name: string, before: DeclaredTls | undefined, after: DeclaredTls | undefined): void {
    for (const secret of before?.server?.secrets ?? []) this.#users.remove(secret, name)
    for (const secret of after?.server?.secrets ?? []) this.#users.add(secret, name)
    if (before !== undefined) this.#inOrder.remove(before)
    if (after !== undefined) this.#inOrder.add(after)
    setOrDelete(this.#own, name, after)
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
