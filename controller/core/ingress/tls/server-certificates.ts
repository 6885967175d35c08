import { covers } from "../../../model/covers.ts"
import { fieldPath } from "../../../model/field-path.ts"
import type { Problem } from "../../../model/problem.ts"
import type { ProblemCode } from "../../../model/problems/catalogue.ts"
import { shown } from "../../../model/shown.ts"
import type { KeyPair, TlsSecretState } from "../../../model/tls-secret.ts"
import { complaint, staleMessage } from "../../declared/problems.ts"
import type { SecretPair, ServerCertificates } from "../../declared/tls.ts"
import type { ParsedIngress } from "../parsed/parsed-ingress.ts"
import type { TlsEntry } from "../parsed/parsed-tls.ts"

// Which certificates a host shows: the oldest Ingress that has a tls section decides, younger ones cannot change it (behaviour of
// ingress-nginx). In its section an entry that lists the host counts, else the first whose certificate is for it.

export type FindSecret = (name: string) => TlsSecretState | undefined

/** One Ingress that decides about one host. */
interface Case {
  readonly host: string
  readonly decider: ParsedIngress
  readonly secretOf: FindSecret
}

/** What an entry comes to. */
interface Candidate {
  readonly entry: TlsEntry
  readonly pair?: SecretPair
  /** why it cannot be used, or not as it is; goes on after a colon or a semicolon */
  readonly fault?: Fault
}

interface Fault {
  readonly code: ProblemCode
  readonly message: string
}

/**
 * @param ingresses that mention the host and are no canaries, the oldest first
 * @returns undefined when none of them has a tls section
 */
export function serverCertificates(
  host: string,
  ingresses: readonly ParsedIngress[],
  secretOf: FindSecret,
): ServerCertificates | undefined {
  const decider = ingresses.find(({ tls }) => tls.entries.length > 0)
  if (decider === undefined) return undefined
  const { entries } = decider.tls
  const about = { host, decider, secretOf }
  if (host === "_") return everyOther(about, entries)
  const listing = entries.filter(({ hosts }) => hosts.includes(host))
  return listing.length > 0 ? listed(about, listing) : covering(about, entries)
}

/**
 * What an alias or a name that is redirected shows: an entry of its host's Ingress may list it; else what its host shows, if that is for it.
 *
 * @param host what it is another name of, with the Ingresses that mention that
 * @param initial the default certificate, if it is known
 */
export function otherNameCertificates(
  name: string,
  host: { readonly ingresses: readonly ParsedIngress[]; readonly server: ServerCertificates | undefined },
  secretOf: FindSecret,
  initial: KeyPair | undefined,
): ServerCertificates | undefined {
  if (host.server === undefined) return undefined
  const decider = host.ingresses.find(({ tls }) => tls.entries.length > 0)
  const listing = decider?.tls.entries.filter(({ hosts }) => hosts.includes(name)) ?? []
  if (decider !== undefined && listing.length > 0) return listed({ host: name, decider, secretOf }, listing)
  const { pairs, secrets } = host.server
  const own = pairs.filter((pair) => covers(pair, name))
  const isByDefault = pairs.length === 0 && initial !== undefined && covers(initial, name)
  return own.length > 0 || isByDefault ? { pairs: own, secrets, problems: [] } : undefined
}

/** Always the default certificate (behaviour of ingress-nginx). */
function everyOther(about: Case, entries: readonly TlsEntry[]): ServerCertificates {
  const meant = entries.filter(({ hosts, secret }) => hosts.length === 0 && secret !== undefined)
  const message =
    "Cannot show a certificate of the Ingress's own to every other host: those get the one of --default-ssl-certificate"
  const problems = meant.map(({ field }) => problem(about, field, "certificate-for-every-host", message))
  return { pairs: [], secrets: [], problems }
}

/** An entry without a Secret asks for the default certificate. */
function listed(about: Case, entries: readonly TlsEntry[]): ServerCertificates {
  if (entries[0]?.secret === undefined) return { pairs: [], secrets: [], problems: [] }
  const candidates = entries.map((entry) => candidateOf(entry, about))
  const byType = new Map<string, SecretPair>()
  for (const { pair } of candidates) if (pair && !byType.has(pair.keyType)) byType.set(pair.keyType, pair)
  const pairs = [...byType.values()]
  const problems = candidates.flatMap((candidate) => problemsOf(candidate, about, pairs))
  return { pairs, secrets: secretsOf(entries), problems }
}

function covering(about: Case, entries: readonly TlsEntry[]): ServerCertificates {
  const candidates = entries.map((entry) => candidateOf(entry, about))
  const found = candidates.find(({ pair }) => pair !== undefined)
  const secrets = secretsOf(entries)
  if (found?.pair !== undefined)
    return { pairs: [found.pair], secrets, problems: problemsOf(found, about, [found.pair]) }
  return { pairs: [], secrets, problems: secrets.length === 0 ? [] : [unlisted(about)] }
}

function candidateOf(entry: TlsEntry, { host, secretOf }: Case): Candidate {
  if (entry.secret === undefined) return { entry }
  const name = shown(entry.secret)
  const state = secretOf(entry.secret)
  if (state === undefined) return unusable(entry, "secret-missing", `Secret ${name}: it does not exist`)
  if (state.kind === "refused") return unusable(entry, "secret-refused", `Secret ${name}: ${state.reason}`)
  if (state.secret.pair === undefined)
    return unusable(
      entry,
      "secret-refused",
      `Secret ${name}: it contains no keypair, "tls.crt" with "tls.key" is missing`,
    )
  const pair = { ...state.secret.pair, secret: entry.secret }
  if (!covers(pair, host))
    return unusable(
      entry,
      "certificate-for-others",
      `Secret ${name} for ${shown(host)}: its certificate is for ${namesIn(pair)}`,
    )
  if (state.stale === undefined) return { entry, pair }
  return { entry, pair, fault: { code: "secret-stale", message: staleMessage(name, state.stale) } }
}

function unusable(entry: TlsEntry, code: ProblemCode, state: string): Candidate {
  return { entry, fault: { code, message: `Cannot use ${state}` } }
}

function namesIn({ names }: KeyPair): string {
  if (names.length === 0) return "no host"
  const first = names.slice(0, 3).map(shown).join(", ")
  return names.length > 3 ? `${first} and ${names.length - 3} more` : first
}

function problemsOf(
  { entry, pair, fault }: Candidate,
  about: Case,
  pairs: readonly KeyPair[],
): readonly Problem[] {
  const field = fieldPath(entry.field, "secretName")
  if (fault !== undefined) {
    const instead = pairs.length > 0 ? "another certificate is shown" : "the default certificate is shown"
    const message = pair === undefined ? `${fault.message}; ${instead}` : fault.message
    return [problem(about, field, fault.code, message)]
  }
  if (pair === undefined || pairs.includes(pair)) return []
  const message = `Cannot use Secret ${shown(entry.secret ?? "")} for ${shown(about.host)} too: an entry before it has a certificate with a key of the same type (${pair.keyType})`
  return [problem(about, field, "certificate-twice", message)]
}

function unlisted(about: Case): Problem {
  const message = `Cannot find a certificate for host ${shown(about.host)}: no entry lists it, and no certificate is for it; the default certificate is shown`
  return problem(about, "spec.tls", "host-without-certificate", message)
}

function problem({ decider }: Case, field: string, code: ProblemCode, message: string): Problem {
  return complaint(decider.root.source, field, code, message)
}

function secretsOf(entries: readonly TlsEntry[]): readonly string[] {
  return entries.flatMap(({ secret }) => secret ?? [])
}
