import { X509Certificate } from "node:crypto"
import { rootCertificates } from "node:tls"
import type { Certificate } from "../../model/certificate.ts"
import type { KeyPair, TlsSecretState } from "../../model/tls-secret.ts"
import { Turns } from "../../support/turns.ts"
import { idOf } from "../secrets/key-pair.ts"
import { accessOf } from "../x509/access.ts"
import type { FetchedIssuer, Issuers } from "./issuers.ts"

// What Secrets bring goes in; out comes the same with the intermediate certificates that their chains lack (`--enable-ssl-chain-completion`), as far
// as they have been fetched. Roots are left out: clients have them, or do not trust them.

export type TlsSecrets = ReadonlyMap<string, TlsSecretState>
type Usable = Extract<TlsSecretState, { kind: "usable" }>

/** More than there are in any chain that clients accept. */
const maxFetched = 4

/** A state as it came out last, and what that depended on. */
interface Completed {
  readonly state: TlsSecretState
  readonly asked: ReadonlyMap<string, FetchedIssuer>
}

const untouched = new Map<string, FetchedIssuer>()

export class Chains {
  readonly #issuers: Pick<Issuers, "at" | "keepOnly">
  readonly #completed = new WeakMap<TlsSecretState, Completed>()
  #states: TlsSecrets = new Map()

  constructor(issuers: Pick<Issuers, "at" | "keepOnly">) {
    this.#issuers = issuers
  }

  /** As they came out last. The same object while nothing changes, and so is each state in it. */
  states(): TlsSecrets {
    return this.#states
  }

  /** Goes over these states anew. Others have their turn while that takes long. */
  async complete(states: TlsSecrets): Promise<void> {
    const completed: (readonly [string, Completed])[] = []
    const turns = new Turns()
    for (const [name, state] of states) {
      if (turns.isOver()) await turns.next()
      completed.push([name, this.#complete(state)])
    }
    this.#issuers.keepOnly(new Set(completed.flatMap(([, { asked }]) => [...asked.keys()])))
    const before = this.#states
    const isSame =
      before.size === completed.length && completed.every(([name, { state }]) => before.get(name) === state)
    if (!isSame) this.#states = new Map(completed.map(([name, { state }]) => [name, state]))
  }

  #complete(state: TlsSecretState): Completed {
    const known = this.#completed.get(state)
    if (known && [...known.asked].every(([url, issuer]) => this.#issuers.at(url) === issuer)) return known
    const fresh = this.#completion(state)
    this.#completed.set(state, fresh)
    return fresh
  }

  #completion(state: TlsSecretState): Completed {
    if (state.kind !== "usable" || state.secret.pair === undefined) return { state, asked: untouched }
    const { missing, asked, fault } = this.#missing(state.secret.pair.certificate)
    const changed = missing.length > 0 || fault !== undefined
    return { asked, state: changed ? withChain(state, state.secret.pair, missing, fault) : state }
  }

  /** Goes up from the leaf: chains may be in any order. */
  #missing({ chain }: Certificate): Missing {
    const [leaf, ...others] = chain.map((text) => new X509Certificate(Buffer.from(text, "base64")))
    const left = new Set(others)
    const [missing, asked] = [[] as X509Certificate[], new Map<string, FetchedIssuer>()]
    let top = leaf
    while (top !== undefined) {
      const issuer: X509Certificate | Fault | undefined = takeIssuer(left, top) ?? this.#fetched(top, asked)
      if (issuer === undefined || missing.length === maxFetched) break
      if (!(issuer instanceof X509Certificate)) return { missing, asked, fault: issuer }
      if (!others.includes(issuer)) missing.push(issuer)
      top = issuer
    }
    return { missing, asked }
  }

  /** Undefined: nothing is missing above `top`, or it is not there yet. */
  #fetched(top: X509Certificate, asked: Map<string, FetchedIssuer>): X509Certificate | Fault | undefined {
    const { issuer: url } = accessOf(top)
    if (url === undefined || asked.has(url) || isAnchored(top)) return undefined
    const found = this.#issuers.at(url)
    asked.set(url, found)
    if (found.kind === "failing") return { url, reason: found.reason }
    if (found.kind === "unknown") return undefined
    const { certificate } = found
    if (!issued(certificate, top)) return { url, reason: "it is another certificate than the issuer's" }
    return isRoot(certificate) ? undefined : certificate
  }
}

type Fault = NonNullable<Usable["incomplete"]>

interface Missing {
  readonly missing: readonly X509Certificate[]
  readonly asked: ReadonlyMap<string, FetchedIssuer>
  readonly fault?: Fault
}

/** Takes out of `left` what issued `below`. */
function takeIssuer(left: Set<X509Certificate>, below: X509Certificate): X509Certificate | undefined {
  const issuer = [...left].find((one) => issued(one, below))
  if (issuer !== undefined) left.delete(issuer)
  return issuer
}

function withChain(
  state: Usable,
  pair: KeyPair,
  missing: readonly X509Certificate[],
  incomplete: Fault | undefined,
): Usable {
  const { key } = pair.certificate
  const chain = [...pair.certificate.chain, ...missing.map(({ raw }) => raw.toString("base64"))]
  const certificate = { id: idOf([...chain, key.reveal()]), chain, key }
  return {
    ...state,
    secret: { ...state.secret, pair: { ...pair, certificate } },
    ...(incomplete && { incomplete }),
  }
}

/** False also when its key is none that OpenSSL knows: anybody may have made it. */
function issued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    return false
  }
}

function isRoot(certificate: X509Certificate): boolean {
  return issued(certificate, certificate)
}

let rootSubjects: ReadonlySet<string> | undefined

/** Nothing above it is missing: it vouches for itself, or a root that clients have does. */
function isAnchored(top: X509Certificate): boolean {
  rootSubjects ??= new Set(rootCertificates.map((text) => new X509Certificate(text).subject))
  return isRoot(top) || rootSubjects.has(top.issuer)
}
