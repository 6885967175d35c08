import { isDeepStrictEqual } from "node:util"
import {
  type Authority,
  type Certificate,
  isSameCertificate,
  type TlsHost,
} from "../../../model/certificate.ts"
import type { ShownCertificate } from "../../../model/observed.ts"
import type { Problem } from "../../../model/problem.ts"
import type { Host } from "../../../model/route.ts"
import type { TlsSecretState } from "../../../model/tls-secret.ts"
import { wildcardOf } from "../../../support/host-name.ts"
import { changesBetween } from "../../../support/incremental/changes.ts"
import { CountedList } from "../../../support/incremental/counted-list.ts"
import { LastResult } from "../../../support/incremental/last-result.ts"
import { SortedList } from "../../../support/incremental/sorted-list.ts"
import { setOrDelete } from "../../../support/maps.ts"
import { compareText } from "../../../support/order.ts"
import type { Declarations } from "../../declared/declarations.ts"
import { distinctProblems } from "../../declared/problems.ts"
import { type DeclaredTls, tlsPlace, tlsPlaceOf } from "../../declared/tls.ts"
import type { Context } from "../../options/context.ts"
import { type DefaultCertificate, defaultRecord } from "./default-certificate.ts"
import { type HostTls, hostTls, listenerTls, plainTls } from "./host-tls.ts"
import { isTroubled, secretProblems } from "./secret-problems.ts"

// What handshakes get is decided here, name by name. In comes what is declared of each; nothing is known of routes.

/** What TLS needs of the live half, and what requests have to do with it. */
export interface MergedTls {
  readonly certificates: readonly Certificate[]
  readonly authorities: readonly Authority[]
  readonly tlsHosts: readonly TlsHost[]
  /** the same function as long as it says the same of every host */
  readonly of: (host: Pick<Host, "server" | "host">) => HostTls
  /** what names without a certificate of their own show */
  readonly byDefault: Omit<ShownCertificate, "host">
  readonly problems: readonly Problem[]
}

type Secrets = ReadonlyMap<string, TlsSecretState>

const byHost = (a: Pick<TlsHost, "host">, b: Pick<TlsHost, "host">) => compareText(a.host, b.host)
const byPlace = (a: DeclaredTls, b: DeclaredTls) => compareText(tlsPlace(a), tlsPlace(b))

/** Of a name that is declared before or after. */
function placeOf(before: DeclaredTls | undefined, after: DeclaredTls | undefined): readonly string[] {
  const declared = after ?? before
  return declared === undefined ? [] : [tlsPlace(declared)]
}

/**
 * Kept from pass to pass: a name is decided again when what is declared of it changed, or of a name that it falls back to. The decision is the same
 * object while nothing in it changes.
 */
export class TlsIndex {
  readonly #context: Context
  readonly #own = new Map<string, DeclaredTls>()
  /** how many of them are of listeners */
  #listeners = 0
  readonly #decided = new Map<string, HostTls>()
  #of = this.#lookup()
  readonly #faulty = new Map<string, readonly Problem[]>()
  readonly #certificates = new CountedList<Certificate>(({ id }) => id, isSameCertificate)
  readonly #authorities = new CountedList<Authority>(({ id }) => id, isDeepStrictEqual)
  #declared: readonly DeclaredTls[] = []
  #initial: DefaultCertificate = { problems: [] }
  readonly #records = new SortedList<TlsHost>(byHost)
  readonly #merged = new LastResult<MergedTls>()

  constructor(context: Context) {
    this.#context = context
  }

  /** @returns the same object as long as nothing changes */
  follow(declarations: Declarations, secrets: Secrets, initial: DefaultCertificate): MergedTls {
    return this.#merged.of([declarations, secrets, initial], () => {
      this.#followDefault(initial)
      this.#decide(this.#followNames(declarations.tls))
      return {
        certificates: this.#certificates.items(),
        authorities: this.#authorities.items(),
        tlsHosts: this.#tlsHosts(),
        of: this.#of,
        byDefault: this.#byDefault(),
        problems: this.#problems(secrets, declarations),
      }
    })
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

  #followDefault(initial: DefaultCertificate): void {
    const before = this.#initial.pair
    this.#initial = initial
    if (initial.pair === before) return
    if (before !== undefined) this.#certificates.remove(before.certificate)
    if (initial.pair !== undefined) this.#certificates.add(initial.pair.certificate)
  }

  /** @returns the names to decide again */
  #followNames(declared: readonly DeclaredTls[]): Iterable<string> {
    const changes = changesBetween(this.#declared, declared, byPlace)
    this.#declared = declared
    const changed = changes.flatMap(({ before, after }) => placeOf(before, after))
    for (const { before, after } of changes) this.#replace(before, after)
    // Names fall back to their wildcard and to `_`.
    const concernsAll = changed.some((name) => name === "_" || name.startsWith("*"))
    return concernsAll ? new Set([...changed, ...this.#own.keys()]) : changed
  }

  #replace(before: DeclaredTls | undefined, after: DeclaredTls | undefined): void {
    const [name = ""] = placeOf(before, after)
    const problems = [...(after?.server?.problems ?? []), ...(after?.problems ?? [])]
    setOrDelete(this.#own, name, after)
    this.#listeners += Number(after?.isOfListener ?? false) - Number(before?.isOfListener ?? false)
    setOrDelete(this.#faulty, name, problems.length > 0 ? problems : undefined)
  }

  #lookup(): MergedTls["of"] {
    return (host) => this.#decided.get(tlsPlaceOf(host)) ?? plainTls
  }

  #decide(names: Iterable<string>): void {
    for (const name of names) {
      const before = this.#decided.get(name)
      const after = this.#hostTls(name)
      if (isDeepStrictEqual(before, after)) continue
      this.#of = this.#lookup()
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
    if (own.on !== undefined) return listenerTls(own)
    return hostTls(name, own, {
      wildcard: name === "_" || name.startsWith("*.") ? undefined : this.#own.get(wildcardOf(name)),
      everyOther: name === "_" ? undefined : this.#own.get("_"),
      rejectsUnknown: this.#context.settings.rejectsUnknown,
      isUnderListener: this.#isUnderListener(name),
    })
  }

  #isUnderListener(name: string): boolean {
    if (this.#listeners === 0) return false
    const parents = name.split(".").map((_, at, labels) => `**.${labels.slice(at + 1).join(".")}`)
    return ["_", ...parents].some((above) => this.#own.get(above)?.isOfListener)
  }

  #count(before: HostTls | undefined, after: HostTls | undefined): void {
    for (const { certificate } of after?.pairs ?? []) this.#certificates.add(certificate)
    for (const { certificate } of before?.pairs ?? []) this.#certificates.remove(certificate)
    if (after?.authority !== undefined) this.#authorities.add(after.authority)
    if (before?.authority !== undefined) this.#authorities.remove(before.authority)
  }

  /** Of the Secrets in the order of their names, then of the hosts; what several hosts have to say about one entry is said once. */
  #problems(secrets: Secrets, { usesSecret }: Pick<Declarations, "usesSecret">): readonly Problem[] {
    const inTrouble: [string, TlsSecretState][] = []
    for (const [name, state] of secrets)
      if (isTroubled(state) && usesSecret(name)) inTrouble.push([name, state])
    const ofSecrets = inTrouble
      .sort(([a], [b]) => compareText(a, b))
      .flatMap(([name, state]) => secretProblems(name, state))
    const hosts = [...this.#faulty].sort(([a], [b]) => compareText(a, b))
    const ofHosts = hosts.flatMap(([, problems]) => problems)
    return distinctProblems([...this.#initial.problems, ...ofSecrets, ...ofHosts])
  }
}
