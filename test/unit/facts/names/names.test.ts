import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { Asked } from "../../../../controller/facts/names/dns.ts"
import type { Outcome } from "../../../../controller/facts/names/lookup.ts"
import { Names } from "../../../../controller/facts/names/names.ts"
import { sleep } from "../../../../controller/support/abort.ts"

let outcomes: Record<string, Outcome>
let asked: string[]
let lastAsked: Asked | undefined
let changes: number
let stop: AbortController
let names: Names
/** how long DNS takes */
let delayMs: number
let running: number
let maxRunning: number

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) })
  outcomes = {}
  asked = []
  changes = 0
  delayMs = 10
  running = 0
  maxRunning = 0
  stop = new AbortController()
  names = newNames(true)
})
afterEach(() => {
  stop.abort()
  vi.useRealTimers()
})

function newNames(hasIpv6: boolean): Names {
  const changed = () => {
    changes += 1
  }
  return new Names({ dns: { lookup: look }, hasIpv6, changed, signal: stop.signal, random: () => 0 })
}

async function look(name: string, question: Asked): Promise<Outcome> {
  asked.push(name)
  lastAsked = question
  running += 1
  maxRunning = Math.max(maxRunning, running)
  await sleep(delayMs, new AbortController().signal)
  running -= 1
  return outcomes[name] ?? { kind: "absent", reason: "NXDOMAIN" }
}

const found = (ttlSeconds: number, ...addresses: readonly string[]): Outcome => ({
  kind: "found",
  addresses,
  ttlSeconds,
  foundAs: "complete.test",
})
const failed: Outcome = { kind: "failed", reason: "SERVFAIL" }
const want = (...wanted: readonly string[]) => names.want(new Set(wanted), true)
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const answer = (name = "a.test") => names.answers().get(name)

describe("a name", () => {
  test("is asked for once however often it is wanted, and told when the answer is there", async () => {
    outcomes["a.test"] = found(30, "10.0.0.2", "10.0.0.1", "10.0.0.2")
    want("a.test")
    want("a.test")
    expect(answer()).toBeUndefined()
    await pass(10)
    expect(answer()).toEqual({ kind: "found", addresses: ["10.0.0.1", "10.0.0.2"] })
    expect([asked, changes]).toEqual([["a.test"], 1])
  })

  test("is asked for again when its TTL is over; an equal answer is no change", async () => {
    outcomes["a.test"] = found(30, "10.0.0.1", "10.0.0.2")
    want("a.test")
    await pass(10)
    const before = names.answers()
    outcomes["a.test"] = found(30, "10.0.0.2", "10.0.0.1")
    await pass(29_999)
    expect(asked).toHaveLength(1)
    await pass(11)
    expect([asked.length, changes]).toEqual([2, 1])
    expect(names.answers()).toBe(before)
    outcomes["a.test"] = found(30, "10.0.0.3")
    await pass(30_010)
    expect(answer()).toEqual({ kind: "found", addresses: ["10.0.0.3"] })
    expect(changes).toBe(2)
  })

  test("is asked for again after a second at least and an hour at most", async () => {
    outcomes["a.test"] = found(0, "10.0.0.1")
    outcomes["b.test"] = found(2 ** 31 - 1, "10.0.0.1")
    want("a.test", "b.test")
    await pass(10)
    await pass(999)
    expect(asked).toHaveLength(2)
    await pass(1)
    expect(asked.at(-1)).toBe("a.test")
    want("b.test")
    await pass(3_600_000)
    expect(asked.slice(3)).toEqual(["b.test"])
  })

  test("that nobody wants any more is forgotten", async () => {
    outcomes["a.test"] = found(1, "10.0.0.1")
    want("a.test")
    await pass(10)
    want()
    expect(names.answers().size).toBe(0)
    await pass(60_000)
    expect(asked).toHaveLength(1)
  })

  test("whose answer comes when nobody wants it any more is forgotten too", async () => {
    want("a.test")
    await pass(1)
    want()
    await pass(60_000)
    expect([names.answers().size, changes, asked.length]).toEqual([0, 0, 1])
  })
})

describe("when DNS is down", () => {
  test("the last answer stays, with when that began and why", async () => {
    outcomes["a.test"] = found(5, "10.0.0.1")
    want("a.test")
    await pass(10)
    outcomes["a.test"] = failed
    await pass(5010)
    const stale = { since: "2026-01-01T00:00:05.020Z", reason: "SERVFAIL" }
    expect(answer()).toEqual({ kind: "found", addresses: ["10.0.0.1"], stale })
    outcomes["a.test"] = { kind: "failed", reason: "timeout" }
    await pass(120_000)
    expect(answer()).toEqual({ kind: "found", addresses: ["10.0.0.1"], stale })
    expect(changes).toBe(2)
    expect(lastAsked).toEqual({ withIpv6: true, foundAs: "complete.test" })
    outcomes["a.test"] = found(5, "10.0.0.1")
    await pass(30_010)
    expect(answer()).toEqual({ kind: "found", addresses: ["10.0.0.1"] })
  })

  test("a name without an answer is asked for again and again, less and less often", async () => {
    outcomes["a.test"] = failed
    want("a.test")
    await pass(10)
    expect(answer()).toEqual({ kind: "unknown", reason: "SERVFAIL" })
    const counts: number[] = []
    for (const ms of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      await pass(ms + 10)
      counts.push(asked.length)
    }
    expect(counts).toEqual([2, 3, 4, 5, 6, 7, 8])
    expect(changes).toBe(1)
  })
})

test("an answer is dropped when DNS says that there is nothing any more", async () => {
  outcomes["a.test"] = found(5, "10.0.0.1")
  want("a.test")
  await pass(10)
  delete outcomes["a.test"]
  await pass(5010)
  expect(answer()).toEqual({ kind: "absent", reason: "NXDOMAIN" })
})

test("names are asked for anew when IPv6 is not wanted any more", async () => {
  outcomes["a.test"] = found(3600, "2001:db8::1")
  want("a.test")
  await pass(10)
  names.want(new Set(["a.test"]), false)
  delete outcomes["a.test"]
  await pass(10)
  expect(lastAsked?.withIpv6).toBe(false)
  expect(answer()).toEqual({ kind: "absent", reason: "NXDOMAIN" })
})

test("names are not asked for IPv6 where this machine has none", async () => {
  names = newNames(false)
  want("a.test")
  await pass(10)
  expect(lastAsked?.withIpv6).toBe(false)
})

test("at most 32 lookups run side by side, and all come to an end", async () => {
  const many = Array.from({ length: 100 }, (_, at) => `n${at}.test`)
  want(...many)
  await pass(10)
  expect([maxRunning, names.answers().size]).toEqual([32, 32])
  await pass(30)
  expect([maxRunning, names.answers().size]).toEqual([32, 100])
})

describe("waiting for new names", () => {
  test("ends with their first answers", async () => {
    want("a.test")
    const learnt = names.learn(1000)
    await pass(10)
    expect(await learnt).toBe(true)
    expect(answer()?.kind).toBe("absent")
  })

  test("goes on while DNS fails", async () => {
    outcomes["a.test"] = failed
    want("a.test")
    const learnt = names.learn(5000)
    await pass(500)
    outcomes["a.test"] = found(30, "10.0.0.1")
    await pass(520)
    expect(await learnt).toBe(true)
    expect(answer()?.kind).toBe("found")
  })

  test("ends when it has lasted long enough, and is not done twice for a name", async () => {
    delayMs = 5000
    want("a.test")
    const learnt = names.learn(1000)
    await pass(1000)
    expect(await learnt).toBe(true)
    expect(answer()).toBeUndefined()
    expect(await names.learn(1000)).toBe(false)
    await pass(4000)
    expect([answer()?.kind, changes]).toEqual(["absent", 1])
  })

  test("ends when everything comes to rest; what is known stays known and nothing is asked any more", async () => {
    outcomes["a.test"] = found(1, "10.0.0.1")
    want("a.test")
    await pass(10)
    want("a.test", "b.test")
    const learnt = names.learn(1000)
    stop.abort()
    expect(await learnt).toBe(true)
    expect(answer()?.kind).toBe("found")
    await pass(60_000)
    expect(asked).toEqual(["a.test", "b.test"])
  })
})
