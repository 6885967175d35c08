import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import type { Asking, Fetched } from "../../../../controller/facts/fetch/fetcher.ts"
import { Stapling } from "../../../../controller/facts/ocsp/stapling.ts"
import * as ocsp from "../../../../controller/facts/x509/ocsp.ts"
import type { Certificate, Staple } from "../../../../controller/model/certificate.ts"
import { SecretText } from "../../../../controller/model/secret-file.ts"
import { sleep } from "../../../../controller/support/abort.ts"
import { type Authority, type Identity, rootAuthority } from "../../../../harness/pki.ts"
import { ocspResponse, type ResponseWanted } from "../../../support/ocsp.ts"

const startMs = Date.UTC(2026, 10, 1)
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const responder = "http://ocsp.test/"
const at = (ms: number) => new Date(startMs + ms)

let ca: Authority
let leaf: Identity
beforeAll(async () => {
  const valid = { from: at(-dayMs), until: at(365 * dayMs) }
  ca = await (await rootAuthority(valid)).intermediate(valid)
  leaf = await ca.issue({ ...valid, names: ["shop.test"], ocsp: responder })
})

let stapling: Stapling
let stop: AbortController
let asked: string[]
let changes: number
let kept: Map<string, string>
let answer: () => Fetched | Promise<Fetched>
const delayMs = 100

beforeEach(() => {
  vi.useFakeTimers({ now: startMs })
  stop = new AbortController()
  asked = []
  changes = 0
  kept = new Map()
  answer = () => failed("it does not answer in time")
  stapling = newStapling()
})
afterEach(() => {
  stop.abort()
  vi.useRealTimers()
})

function newStapling(): Stapling {
  const cache = {
    put: async (name: string, text: string) => void kept.set(name, text),
    remove: async (id: string) => void kept.delete(id),
  }
  const changed = () => {
    changes += 1
  }
  const [fetcher, signal, random] = [{ fetch }, stop.signal, () => 0.5]
  const fetching = { fetcher, cache, cached: new Map(kept), changed, signal, random }
  return new Stapling({ ...fetching, ocsp: async () => ocsp, turns })
}

/** Each piece of work waits for its turn, which is at once. */
const turns = { isOver: () => true, next: async () => {} }

async function fetch({ url }: Asking): Promise<Fetched> {
  asked.push(url)
  await sleep(delayMs, new AbortController().signal)
  return answer()
}

const keptStaple = (): Staple => JSON.parse(kept.get("leaf") ?? "null")
const failed = (reason: string): Fetched => ({ kind: "failed", reason })

async function answering(wanted: Partial<ResponseWanted> = {}): Promise<Buffer> {
  const bytes = await ocspResponse({ about: leaf, from: at(0), until: at(7 * dayMs), ...wanted })
  answer = () => ({ kind: "answer", bytes })
  return bytes
}

function certificate(identity: Identity = leaf, id = "leaf", issuers = identity.issuers): Certificate {
  const chain = [identity, ...issuers.slice(0, 1)].map(({ der }) => der.toString("base64"))
  return { id, chain, key: new SecretText("") }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const state = (id = "leaf") => stapling.states().get(id)

describe("a good answer", () => {
  test("is what handshakes show, for three days at most", async () => {
    const response = await answering()
    stapling.want([certificate()])
    expect(state()).toBeUndefined()
    await pass(1000)
    const staple = { certificate: "leaf", response: response.toString("base64") }
    expect(state()).toEqual({ staple: { ...staple, untilMs: startMs + delayMs + 3 * dayMs } })
    expect([asked, changes]).toEqual([[responder], 1])
    expect(keptStaple()).toEqual(state()?.staple)
  })

  test("is shown until it says, and asked for again when half of that is over", async () => {
    await answering({ until: at(2 * hourMs) })
    stapling.want([certificate()])
    await pass(hourMs - minuteMs)
    expect(asked).toHaveLength(1)
    expect(state()?.staple?.untilMs).toBe(startMs + 2 * hourMs)
    await answering({ from: at(hourMs), until: at(4 * hourMs) })
    await pass(2 * minuteMs)
    expect(asked).toHaveLength(2)
    expect(state()?.staple?.untilMs).toBe(startMs + 4 * hourMs)
    expect(changes).toBe(2)
  })

  test("that is the same as before is no change", async () => {
    await answering({ until: at(2 * hourMs) })
    stapling.want([certificate()])
    await pass(minuteMs)
    const before = stapling.states()
    await pass(hourMs)
    expect(asked).toHaveLength(2)
    expect([stapling.states() === before, changes]).toEqual([true, 1])
  })

  test("stays while the responder is down, as long as it holds", async () => {
    await answering({ until: at(2 * hourMs) })
    stapling.want([certificate()])
    await pass(minuteMs)
    answer = () => failed("it does not answer in time")
    await pass(hourMs + 5 * minuteMs)
    const since = expect.stringMatching(/^2026-11-01T01:00/)
    expect(state()?.staple).toBeDefined()
    expect(state()?.trouble).toEqual({
      kind: "failing",
      responder,
      since,
      reason: "it does not answer in time",
    })
    await pass(2 * hourMs)
    expect(state()?.staple).toBeUndefined()
    expect(state()?.trouble).toMatchObject({ kind: "failing", since })
  })
})

describe("what brings no answer", () => {
  test("is no trouble until it has failed three times, and none any more after a good answer", async () => {
    stapling.want([certificate()])
    await pass(25_000)
    expect([asked.length, state()]).toEqual([2, undefined])
    await pass(10_000)
    const trouble = { kind: "failing", responder, since: at(delayMs).toISOString() }
    expect(state()).toEqual({ trouble: { ...trouble, reason: "it does not answer in time" } })
    answer = () => failed("it answers with status 500")
    const before = stapling.states()
    await pass(10 * minuteMs)
    expect(stapling.states()).toBe(before) // one reason for the whole of an outage
    await answering()
    await pass(hourMs)
    expect(state()?.trouble).toBeUndefined()
    expect(state()?.staple).toBeDefined()
  })

  test("is asked less and less, at least once in an hour", async () => {
    stapling.want([certificate()])
    await pass(dayMs)
    const first = asked.length
    expect(first).toBeLessThan(40)
    await pass(dayMs)
    expect(asked.length - first).toBeGreaterThanOrEqual(24)
    expect(asked.length - first).toBeLessThan(28)
  })

  test.each<[string, Partial<ResponseWanted>, string]>([
    ["an answer that has run out", { from: at(-dayMs), until: at(-1) }, "it is not valid any more"],
    ["an unknown certificate", { status: "unknown" }, "the responder does not know the certificate"],
  ])("%s is not shown", async (_, wanted, reason) => {
    await answering(wanted)
    stapling.want([certificate()])
    await pass(minuteMs)
    expect(state()?.staple).toBeUndefined()
    expect(state()?.trouble).toMatchObject({ kind: "failing", reason })
  })

  test.each([
    ["garbage", "it is no OCSP response", Buffer.from("<html>")],
    ["nothing", "it is no OCSP response", Buffer.alloc(0)],
  ])("%s is not shown", async (_, reason, bytes) => {
    answer = () => ({ kind: "answer", bytes })
    stapling.want([certificate()])
    await pass(minuteMs)
    expect(state()).toMatchObject({ trouble: { kind: "failing", reason } })
  })
})

describe("a certificate that was revoked", () => {
  test("has no staple any more, and that is said at once", async () => {
    await answering()
    stapling.want([certificate()])
    await pass(minuteMs)
    await answering({ status: "revoked", from: at(dayMs) })
    await pass(2 * dayMs)
    const trouble = { kind: "revoked", responder, since: at(dayMs).toISOString() }
    expect(state()).toEqual({ trouble })
    expect(kept.size).toBe(0)
    answer = () => failed("it does not answer in time")
    await pass(12 * hourMs)
    expect(state()).toEqual({ trouble })
  })

  test("may be good again: it was on hold", async () => {
    await answering({ status: "revoked" })
    stapling.want([certificate()])
    await pass(minuteMs)
    await answering()
    await pass(hourMs)
    expect(state()?.trouble).toBeUndefined()
    expect(state()?.staple).toBeDefined()
  })
})

describe("nobody is asked", () => {
  const never = async (wanted: Certificate, reason?: string) => {
    stapling.want([wanted])
    await pass(dayMs)
    expect(asked).toEqual([])
    expect(state()).toEqual(reason === undefined ? undefined : { trouble: { kind: "impossible", reason } })
  }

  test("about a certificate that names no responder", async () => {
    await never(certificate(await ca.issue({ names: ["shop.test"] })))
  })

  test("without the issuer", async () => {
    await never(certificate(leaf, "leaf", []), "tls.crt has no certificate of the issuer behind it")
  })

  test("when another certificate stands in its place", async () => {
    const reason = "the second certificate in tls.crt did not issue the first"
    await never(certificate(leaf, "leaf", [leaf]), reason)
  })

  test("about what is no certificate", async () => {
    const chain = [leaf.der.toString("base64"), "AAAA"]
    await never({ ...certificate(), chain }, "tls.crt has a certificate that cannot be decoded")
  })
})

describe("certificates that come and go", () => {
  test("an answer that comes too late is nobody's", async () => {
    await answering()
    stapling.want([certificate()])
    await pass(50)
    stapling.want([])
    await pass(minuteMs)
    expect([stapling.states().size, kept.size, changes]).toEqual([0, 0, 0])
  })

  test("one that is not wanted any more is forgotten, also on disk", async () => {
    await answering()
    stapling.want([certificate()])
    await pass(minuteMs)
    stapling.want([])
    expect([stapling.states().size, kept.size]).toEqual([0, 0])
    await pass(30 * dayMs)
    expect(asked).toHaveLength(1)
  })

  test("what stays wanted is left alone", async () => {
    await answering()
    stapling.want([certificate()])
    await pass(minuteMs)
    const before = state()
    stapling.want([certificate(), certificate(await ca.issue({ names: ["a.test"] }), "other")])
    await pass(minuteMs)
    expect([state() === before, asked.length]).toEqual([true, 1])
  })

  test("many are asked about little by little, and told together", async () => {
    await answering()
    stapling.want(Array.from({ length: 100 }, (_, index) => certificate(leaf, `leaf${index}`)))
    await pass(delayMs)
    await pass(10_000)
    expect(stapling.states().size).toBe(100)
    expect(changes).toBeLessThan(10)
  })
})

describe("a restart", () => {
  test("what was kept is there at once, and not asked for before its time", async () => {
    await answering({ until: at(2 * hourMs) })
    stapling.want([certificate()])
    await pass(minuteMs)
    stop.abort()
    stop = new AbortController()
    stapling = newStapling()
    answer = () => failed("it does not answer in time")
    expect(state()?.staple).toEqual(keptStaple())
    stapling.want([certificate()])
    expect(state()?.staple).toEqual(keptStaple())
    await pass(50 * minuteMs)
    expect(asked).toHaveLength(1)
    await pass(20 * minuteMs)
    expect(asked.length).toBeGreaterThan(1)
  })

  const staple: Staple = { certificate: "leaf", response: "MIIB", untilMs: startMs + dayMs }

  test("what was kept and is not wanted is thrown away", async () => {
    kept.set("old", JSON.stringify({ ...staple, certificate: "old" }))
    stapling = newStapling()
    stapling.want([certificate()])
    expect([stapling.states().size, kept.size]).toEqual([0, 0])
  })

  test.each([
    ["has run out", JSON.stringify({ ...staple, untilMs: startMs })],
    ["is another one's", JSON.stringify({ ...staple, certificate: "other" })],
    ["has no time", JSON.stringify({ ...staple, untilMs: undefined })],
    ["is half of a file", JSON.stringify(staple).slice(0, -5)],
    ["is nothing", "null"],
  ])("what %s is thrown away", (_, text) => {
    kept.set("leaf", text)
    stapling = newStapling()
    expect([stapling.states().size, kept.size]).toEqual([0, 0])
  })
})

test("at the end everything comes to rest", async () => {
  stapling.want([certificate()])
  await pass(minuteMs)
  stop.abort()
  const { length } = asked
  await pass(dayMs)
  expect(asked).toHaveLength(length)
})
