import { X509Certificate } from "node:crypto"
import { certificateFacts } from "../controller/inspect/tls.ts"
import type { Certificate } from "../controller/model/certificate.ts"
import type { Observed, ShownCertificate as ObservedCertificate } from "../controller/model/observed.ts"
import { rememberedLast } from "../controller/support/incremental/last-result.ts"
import { Turns } from "../controller/support/turns.ts"
import type { Page, ShownCertificate } from "./api.ts"
import { hasWords, type Question } from "./question.ts"
import type { Sources } from "./sources.ts"

/** Hosts that are named beside a certificate. */
const maxFirstHosts = 3

/** Those that show one and the same. */
interface Group {
  readonly secret?: string
  /** absent: the one that nginx was started with */
  readonly certificate?: Certificate
  readonly hosts: readonly string[]
}

const lastGroups = rememberedLast<Observed, readonly Group[]>()

type Facts = Omit<ShownCertificate, "secret" | "hosts" | "firstHosts">

/** Each is read once: all for their order, those that are shown as a whole. */
const ends = new WeakMap<Certificate, number>()
const known = new WeakMap<Certificate, Facts>()

/** Those that end first come first. @throws Failure `bad-question` */
export async function certificatesAnswer(
  question: Question,
  sources: Sources,
): Promise<Page<ShownCertificate>> {
  const { words } = question
  const found = groupsOf(sources).filter(({ secret = "", hosts }) => hasWords(words, secret, ...hosts))
  const initial = await initialOf(sources, found)
  const order = await sorted(found, initial)
  const keys = {
    ends: (group: Group) => endOf(group, initial),
    secret: ({ secret = "" }: Group) => secret,
    hosts: ({ hosts }: Group) => hosts.length,
  }
  return question.page(question.sorted(order, keys), (group) => shown(group, initial))
}

/** How many there are. */
export function groupsOf({ lastPass: { observed } }: Pick<Sources, "lastPass">): readonly Group[] {
  if (observed === undefined) return []
  return lastGroups(observed, [], () => {
    const groups = Map.groupBy(observed.certificates(), keyOf)
    return [...groups.values()].map((shows) => ({
      ...(shows[0]?.secret !== undefined && { secret: shows[0].secret }),
      ...(shows[0]?.certificate && { certificate: shows[0].certificate }),
      hosts: shows.map(({ host }) => host),
    }))
  })
}

function keyOf({ secret, certificate }: ObservedCertificate): string {
  return `${secret ?? ""} ${certificate?.id ?? ""}`
}

/** The leaf that nginx was started with, in base64; "" when nobody asks for it. */
async function initialOf({ plane }: Sources, groups: readonly Group[]): Promise<string> {
  if (groups.every(({ certificate }) => certificate !== undefined)) return ""
  return new X509Certificate(await plane.read.defaultCertificate()).raw.toString("base64")
}

/** Others have their turn while thousands are read for the first time. */
async function sorted(groups: readonly Group[], initial: string): Promise<readonly Group[]> {
  const turns = new Turns()
  const ended: (readonly [Group, number])[] = []
  for (const group of groups) {
    if (turns.isOver()) await turns.next()
    ended.push([group, endOf(group, initial)])
  }
  return ended.sort(([, a], [, b]) => a - b).map(([group]) => group)
}

function endOf({ certificate }: Group, initial: string): number {
  if (certificate === undefined) return endOfLeaf(initial)
  const before = ends.get(certificate)
  if (before !== undefined) return before
  const end = endOfLeaf(certificate.chain[0] ?? "")
  ends.set(certificate, end)
  return end
}

/** It was checked before it came to be in force. */
function endOfLeaf(leaf: string): number {
  return new X509Certificate(Buffer.from(leaf, "base64")).validToDate.getTime()
}

function shown({ secret, certificate, hosts }: Group, initial: string): ShownCertificate {
  return {
    ...(secret !== undefined && { secret }),
    ...(certificate === undefined ? factsOf([initial]) : knownFacts(certificate)),
    hosts: hosts.length,
    firstHosts: hosts.slice(0, maxFirstHosts),
  }
}

function knownFacts(certificate: Certificate): Facts {
  const before = known.get(certificate)
  if (before !== undefined) return before
  const facts = factsOf(certificate.chain)
  known.set(certificate, facts)
  return facts
}

function factsOf(chain: readonly string[]): Facts {
  const facts = certificateFacts({ chain: chain.slice(0, 1) }, Date.now())
  return {
    names: facts.names,
    subject: facts.subject,
    issuer: facts.issuer,
    key: facts.key,
    notBeforeMs: Date.parse(facts.not_before),
    notAfterMs: Date.parse(facts.not_after),
  }
}
