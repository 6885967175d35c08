// Looks for disagreements among generated cases, and makes those that it finds small.
import { accepted } from "./accepted.ts"
import { bytesOf, type Case, generate, smaller } from "./grammar.ts"
import { generateHttp2 } from "./http2.ts"
import { Random } from "./random.ts"
import type { OneReading } from "./site.ts"

interface Finding {
  /** by which `generate` makes the case again */
  readonly seed: number
  readonly what: string
  /** the smallest case that shows it */
  readonly bytes: string
}

export interface Found {
  readonly cases: number
  readonly requests: number
  readonly served: number
  readonly findings: readonly Finding[]
  /** how often each accepted disagreement was met */
  readonly accepted: ReadonlyMap<string, number>
}

const atOnce = 32
/** Cases that are looked at together. */
const perBatch = 256

/** Tries the cases of `count` seeds from `first` on; stops looking for more when there are `max` findings. */
export async function search(site: OneReading, first: number, count: number, max = 5): Promise<Found> {
  const findings: Finding[] = []
  const met = new Map<string, number>()
  let [requests, served, done] = [0, 0, 0]
  while (done < count && findings.length < max) {
    const seeds = Array.from({ length: Math.min(perBatch, count - done) }, (_, at) => first + done + at)
    const batch = await tryAll(
      site,
      seeds.map((seed) => generate(new Random(seed))),
    )
    requests += batch.requests
    served += batch.served
    done += seeds.length
    if (fresh(batch.found, met).length === 0) continue
    for (const seed of seeds) {
      const what = await shows(site, generate(new Random(seed)))
      if (what === undefined) continue
      const least = await smallest(site, generate(new Random(seed)))
      findings.push({ seed, what: (await shows(site, least)) ?? what, bytes: bytesOf(least) })
    }
  }
  return { cases: done, requests, served, findings, accepted: met }
}

/** The same by HTTP/2, one seed after the other; the seed and what is disagreed on. */
export async function searchHttp2(
  site: OneReading,
  first: number,
  count: number,
): Promise<readonly string[]> {
  const found: string[] = []
  const met = new Map<string, number>()
  for (let seed = first; seed < first + count; seed += atOnce) {
    const seeds = Array.from({ length: Math.min(atOnce, first + count - seed) }, (_, at) => seed + at)
    const outcomes = await Promise.all(seeds.map((one) => site.sendHttp2(generateHttp2(new Random(one)))))
    found.push(...fresh(await site.findings(outcomes), met).map((what) => `seeds from ${seed} on: ${what}`))
  }
  return found
}

async function tryAll(site: OneReading, cases: readonly Case[]) {
  const queue = cases.values()
  const outcomes: Awaited<ReturnType<OneReading["send"]>>[] = []
  const work = async () => {
    for (const one of queue) outcomes.push(await site.send(one))
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, cases.length) }, work))
  const found = await site.findings(outcomes)
  const served = outcomes.reduce((sum, { reports }) => sum + reports.length, 0)
  return { found, requests: cases.reduce((sum, one) => sum + one.length, 0), served }
}

/** Those that are not accepted; the others are counted. */
function fresh(found: readonly string[], met: Map<string, number>): string[] {
  return found.filter((what) => {
    const reason = accepted(what)
    if (reason !== undefined) met.set(reason, (met.get(reason) ?? 0) + 1)
    return reason === undefined
  })
}

/** What is disagreed on when the case is alone. */
async function shows(site: OneReading, one: Case): Promise<string | undefined> {
  const { found } = await tryAll(site, [one])
  return fresh(found, new Map())[0]
}

async function smallest(site: OneReading, one: Case): Promise<Case> {
  let least = one
  for (let tries = 0, shrinks = true; shrinks && tries < 400; ) {
    shrinks = false
    for (const candidate of smaller(least)) {
      tries += 1
      if ((await shows(site, candidate)) === undefined) continue
      least = candidate
      shrinks = true
      break
    }
  }
  return least
}
