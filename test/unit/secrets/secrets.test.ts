import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import type { Secret } from "../../../controller/objects/secret.ts"
import { Secrets } from "../../../controller/secrets/secrets.ts"
import { type Identity, rootAuthority } from "../../support/pki.ts"
import { secret } from "../translate/objects.ts"

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

function read(...objects: readonly Secret[]) {
  return secrets.read(new Map(objects.map((object) => [`shop/${object.meta.name}`, object])))
}

const tls = (data: Readonly<Record<string, string>>) => secret("shop/tls", data)
const good = () => tls(one.tlsData())
const bad = () => tls({ "tls.crt": "x" })

describe("versions", () => {
  test("a Secret that did not change is not read again, and neither is its state another", () => {
    const object = good()
    const before = read(object)
    expect(read(object)).toBe(before)
    const after = read(object, secret("shop/other", two.tlsData()))
    expect(after).not.toBe(before)
    expect(after.get("shop/tls")).toBe(before.get("shop/tls"))
  })

  test("one written anew with the same content is what it was", () => {
    const before = read(good())
    expect(read(good())).toBe(before)
  })

  test("an unusable update keeps what was there before it, with the reason, until there is a usable one", () => {
    const before = read(good()).get("shop/tls")
    const state = read(bad()).get("shop/tls")
    expect(state).toEqual({ ...before, stale: { reason: expect.stringContaining('"tls.key" is missing') } })
    const worse = read(tls({})).get("shop/tls")
    expect(worse).toMatchObject({ kind: "usable", stale: { reason: expect.stringContaining("tls.crt") } })
    expect(read(good()).get("shop/tls")).toEqual(before)
    const { "tls.crt": _, ...rest } = two.tlsData()
    expect(read(tls({ ...rest, ...two.tlsData() })).get("shop/tls")).toMatchObject({
      secret: { pair: { names: ["two.test"] } },
    })
  })

  test("an unusable first version is refused; deletion drops what there was", () => {
    expect(read(bad()).get("shop/tls")).toMatchObject({ kind: "refused" })
    read(good())
    expect(read().get("shop/tls")).toBeUndefined()
    expect(read(bad()).get("shop/tls")).toMatchObject({ kind: "refused" })
  })
})

describe("the clock", () => {
  const expiry = (object: Secret) => {
    const state = read(object).get("shop/tls")
    return state?.kind === "usable" ? (state.expiry ?? "none") : "refused"
  }

  test("asks for a pass when a certificate comes within 10 days of its end, and when it comes to it", () => {
    const object = good()
    expect(expiry(object)).toBe("none")
    vi.advanceTimersByTime(30 * dayMs - 1)
    expect([asked, expiry(object)]).toEqual([0, "none"])
    vi.advanceTimersByTime(1)
    expect([asked, expiry(object)]).toEqual([1, "soon"])
    vi.advanceTimersByTime(10 * dayMs - 1)
    expect([asked, expiry(object)]).toEqual([1, "soon"])
    vi.advanceTimersByTime(1)
    expect([asked, expiry(object)]).toEqual([2, "expired"])
    vi.advanceTimersByTime(100 * dayMs)
    expect([asked, expiry(object)]).toEqual([2, "expired"])
  })

  test("an unusable update does not stop it", () => {
    read(good())
    const broken = bad()
    read(broken)
    vi.advanceTimersByTime(30 * dayMs)
    expect([asked, expiry(broken)]).toEqual([1, "soon"])
    expect(read(broken).get("shop/tls")).toMatchObject({ stale: {} })
  })

  test("asks for nothing after the end, or when nobody needs the Secret any more", () => {
    read(good())
    read()
    vi.advanceTimersByTime(100 * dayMs)
    expect(asked).toBe(0)
    read(tls(two.tlsData()))
    stop.abort()
    vi.advanceTimersByTime(100 * dayMs)
    expect(asked).toBe(0)
  })
})
