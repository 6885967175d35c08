import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { knownOf, Secrets } from "../../../../controller/facts/secrets/secrets.ts"
import type { Secret } from "../../../../controller/model/objects/secret.ts"
import { secret } from "../../../../harness/objects.ts"
import { type Identity, rootAuthority } from "../../../../harness/pki.ts"

const dayMs = 86_400_000
const start = new Date("2026-01-01")

let one: Identity
let two: Identity
let secrets: Secrets
let asked: number
let stop: AbortController

beforeAll(async () => {
  const root = await rootAuthority()
  const until = new Date(start.getTime() + 40 * dayMs)
  one = await root.issue({ names: ["one.test"], from: start, until })
  two = await root.issue({ names: ["two.test"], from: start, until })
})

beforeEach(() => {
  vi.useFakeTimers({ now: start })
  asked = 0
  stop = new AbortController()
  secrets = new Secrets({ now: Date.now, changed: () => asked++, signal: stop.signal })
})
afterEach(() => {
  vi.useRealTimers()
})

async function read(...objects: readonly Secret[]) {
  await secrets.read(new Map(objects.map((object) => [`shop/${object.meta.name}`, object])))
  return secrets.states()
}

async function stateOf(object: Secret) {
  return (await read(object)).get("shop/tls")
}

const tls = (data: Readonly<Record<string, string>>) => secret("shop/tls", data)
const good = () => tls(one.tlsData())
const bad = () => tls({ "tls.crt": "x" })

describe("versions", () => {
  test("with one id and other contents are a bug or an attack", () => {
    const known = knownOf(good(), undefined, Date.now())
    if (known.state.kind !== "usable" || known.state.secret.pair === undefined) throw new Error("no pair")
    const { pair } = known.state.secret
    const certificate = { ...pair.certificate, chain: ["MAA="] }
    const before = { ...known, state: { ...known.state, secret: { pair: { ...pair, certificate } } } }
    expect(() => knownOf(good(), before, Date.now())).toThrow("Two different things have the name")
  })

  test("a Secret that did not change is not read again, and neither is its state another", async () => {
    const object = good()
    const before = await read(object)
    expect(await read(object)).toBe(before)
    const after = await read(object, secret("shop/other", two.tlsData()))
    expect(after).not.toBe(before)
    expect(after.get("shop/tls")).toBe(before.get("shop/tls"))
  })

  test("one written anew with the same content is what it was", async () => {
    const before = await read(good())
    expect(await read(good())).toBe(before)
  })

  test("an unusable update keeps what was there before it, with the reason, until there is a usable one", async () => {
    const before = await stateOf(good())
    const state = await stateOf(bad())
    expect(state).toEqual({ ...before, stale: { reason: expect.stringContaining('"tls.key" is missing') } })
    const worse = await stateOf(tls({}))
    expect(worse).toMatchObject({ kind: "usable", stale: { reason: expect.stringContaining("tls.crt") } })
    expect(await stateOf(good())).toEqual(before)
    const { "tls.crt": _, ...rest } = two.tlsData()
    expect(await stateOf(tls({ ...rest, ...two.tlsData() }))).toMatchObject({
      secret: { pair: { names: ["two.test"] } },
    })
  })

  test("an unusable first version is refused; deletion drops what there was", async () => {
    expect(await stateOf(bad())).toMatchObject({ kind: "refused" })
    await read(good())
    expect((await read()).get("shop/tls")).toBeUndefined()
    expect(await stateOf(bad())).toMatchObject({ kind: "refused" })
  })
})

describe("the clock", () => {
  const expiry = async (object: Secret) => {
    const state = await stateOf(object)
    return state?.kind === "usable" ? (state.expiry ?? "none") : "refused"
  }

  test("asks for a pass when a certificate comes within 10 days of its end, and when it comes to it", async () => {
    const object = good()
    expect(await expiry(object)).toBe("none")
    vi.advanceTimersByTime(30 * dayMs - 1)
    expect([asked, await expiry(object)]).toEqual([0, "none"])
    vi.advanceTimersByTime(1)
    expect([asked, await expiry(object)]).toEqual([1, "soon"])
    vi.advanceTimersByTime(10 * dayMs - 1)
    expect([asked, await expiry(object)]).toEqual([1, "soon"])
    vi.advanceTimersByTime(1)
    expect([asked, await expiry(object)]).toEqual([2, "expired"])
    vi.advanceTimersByTime(100 * dayMs)
    expect([asked, await expiry(object)]).toEqual([2, "expired"])
  })

  test("an unusable update does not stop it", async () => {
    await read(good())
    const broken = bad()
    await read(broken)
    vi.advanceTimersByTime(30 * dayMs)
    expect([asked, await expiry(broken)]).toEqual([1, "soon"])
    expect(await stateOf(broken)).toMatchObject({ stale: {} })
  })

  test("asks for nothing after the end, or when nobody needs the Secret any more", async () => {
    await read(good())
    await read()
    vi.advanceTimersByTime(100 * dayMs)
    expect(asked).toBe(0)
    await read(tls(two.tlsData()))
    stop.abort()
    vi.advanceTimersByTime(100 * dayMs)
    expect(asked).toBe(0)
  })
})

test("others have their turn while many are read", async () => {
  vi.useRealTimers()
  const many = Array.from({ length: 400 }, (_, at) => secret(`shop/tls-${at}`, one.tlsData()))
  let turns = 0
  const ticking = setInterval(() => {
    turns += 1
  }, 1)
  const states = await read(...many)
  clearInterval(ticking)
  expect(states.size).toBe(many.length)
  expect(turns).toBeGreaterThan(1)
})
