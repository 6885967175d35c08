import type { RequestCount } from "../controller/model/request-count.ts"
import type { Answered, IngressTraffic } from "./api.ts"

/** What Ingresses had been asked for at some moment, by `namespace/name`. */
interface Look {
  readonly atMs: number
  readonly totals: ReadonlyMap<string, Answered>
}

/** nginx is not asked again for as long, however many look. */
const freshMs = 3000

/** What was seen so long ago says nothing of now. */
const staleMs = 60_000

const none: Answered = { requests: 0, errors: 0, refused: 0 }

/** Compares what nginx counts of requests with what it had counted when somebody looked before. It is not asked while nobody looks. */
export class Traffic {
  readonly #read: () => AsyncIterable<readonly RequestCount[]>
  #before: Look | undefined
  #asked:
    | { readonly atMs: number; readonly shown: Promise<readonly IngressTraffic[] | undefined> }
    | undefined

  /** @param read in parts; none at all where nginx does not count */
  constructor(read: () => AsyncIterable<readonly RequestCount[]>) {
    this.#read = read
  }

  /** @returns undefined where nginx does not count @throws Failure `control-lost` */
  look(nowMs: number): Promise<readonly IngressTraffic[] | undefined> {
    if (this.#asked === undefined || nowMs - this.#asked.atMs >= freshMs) {
      const shown = this.#lookAnew(nowMs)
      this.#asked = { atMs: nowMs, shown }
      shown.catch(() => {
        this.#asked = undefined
      })
    }
    return this.#asked.shown
  }

  async #lookAnew(atMs: number): Promise<readonly IngressTraffic[] | undefined> {
    const totals = await totalsIn(this.#read())
    if (totals === undefined) return undefined
    const before = this.#before !== undefined && atMs - this.#before.atMs < staleMs ? this.#before : undefined
    this.#before = { atMs, totals }
    return Array.from(totals, ([ingress, total]) => ({
      ingress,
      total,
      ...(before && { perSecond: rateOf(before.totals.get(ingress), total, (atMs - before.atMs) / 1000) }),
    }))
  }
}

async function totalsIn(
  pages: AsyncIterable<readonly RequestCount[]>,
): Promise<ReadonlyMap<string, Answered> | undefined> {
  let totals: Map<string, Answered> | undefined
  for await (const page of pages) {
    totals ??= new Map()
    for (const one of page) totals.set(one.ingress, plus(totals.get(one.ingress) ?? none, one))
  }
  return totals
}

function plus({ requests, errors, refused }: Answered, { status, count }: RequestCount): Answered {
  return {
    requests: requests + count,
    errors: errors + (status.startsWith("5") ? count : 0),
    refused: refused + (status.startsWith("4") ? count : 0),
  }
}

function rateOf(before: Answered = none, now: Answered, seconds: number): Answered {
  // An Ingress that came back, or a new nginx, counts anew.
  const was = now.requests < before.requests ? none : before
  return {
    requests: (now.requests - was.requests) / seconds,
    errors: (now.errors - was.errors) / seconds,
    refused: (now.refused - was.refused) / seconds,
  }
}
