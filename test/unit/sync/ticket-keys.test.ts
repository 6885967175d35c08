import { beforeEach, describe, expect, test } from "vitest"
import { emptyLive, type Fixed, type Model } from "../../../controller/model/model.ts"
import { type SecretFile, SecretText } from "../../../controller/model/secret-file.ts"
import { TicketKeys } from "../../../controller/sync/ticket-keys.ts"
import { fixed as someFixed } from "../output/render/site.ts"

const seconds = 600
const file = (name: string): SecretFile => ({ name, text: new SecretText(name), encoding: "base64" })

/** What the settings ask for. */
function wanted(key: string | undefined, sessionSeconds = seconds): Model {
  const tls = { ...someFixed.http.tls, sessionSeconds, ...(key !== undefined && { ticketKey: key }) }
  const files = key === undefined ? {} : { files: [file(key)] }
  return { fixed: { ...someFixed, http: { ...someFixed.http, tls }, ...files }, live: emptyLive }
}

let onDisk: Map<string, SecretFile>
let lastFixed: Fixed | undefined
let keys: TicketKeys
const newKeys = () =>
  new TicketKeys({ lastFixed: async () => lastFixed, read: async (name) => onDisk.get(name) })
beforeEach(() => {
  onDisk = new Map(["a", "b", "c"].map((name) => [name, file(name)]))
  lastFixed = undefined
  keys = newKeys()
})

/** A pass that comes through. @returns what is in force then */
async function pass(
  running: Fixed | undefined,
  key: string | undefined,
  nowMs: number,
  sessionSeconds = seconds,
) {
  await keys.recall(running)
  return keys.withFormer(wanted(key, sessionSeconds), nowMs).fixed
}
const former = (fixed: Fixed) => fixed.http.tls.formerTicketKey
const names = (fixed: Fixed) => fixed.files?.map(({ name }) => name)

test("the first key has none before it", async () => {
  const first = await pass(undefined, "a", 0)
  expect(former(first)).toBeUndefined()
  expect(former(await pass(first, "a", 1))).toBeUndefined()
})

describe("a key that takes the place of another", () => {
  test("keeps it until none of its tickets is good any more", async () => {
    const before = await pass(undefined, "a", 0)
    const after = await pass(before, "b", 1000)
    expect(former(after)).toEqual({ name: "a", untilMs: 601_000 })
    expect(names(after)).toEqual(["a", "b"])
    expect(await pass(after, "b", 600_999)).toEqual(after)
    expect(former(await pass(after, "b", 601_000))).toBeUndefined()
  })

  test("as the longer of both lifetimes has it", async () => {
    const before = await pass(undefined, "a", 0, 3600)
    expect(former(await pass(before, "b", 0, 60))?.untilMs).toBe(3_600_000)
  })

  test("is taken back: they change places", async () => {
    const a = await pass(undefined, "a", 0)
    const b = await pass(a, "b", 1000)
    const back = await pass(b, "a", 2000)
    expect(back.http.tls.ticketKey).toBe("a")
    expect(former(back)).toEqual({ name: "b", untilMs: 602_000 })
  })

  test("and another one soon after: of two before only the later stays", async () => {
    const a = await pass(undefined, "a", 0)
    const b = await pass(a, "b", 1000)
    const c = await pass(b, "c", 2000)
    expect(names(c)).toEqual(["b", "c"])
  })
})

describe("no key is kept", () => {
  test("when there is none any more", async () => {
    const a = await pass(undefined, "a", 0)
    const none = await pass(a, undefined, 1000)
    expect(former(none)).toBeUndefined()
    expect(former(await pass(none, "b", 2000))).toBeUndefined()
  })

  test("when its file is gone", async () => {
    const a = await pass(undefined, "a", 0)
    onDisk.delete("a")
    const b = await pass(a, "b", 1000)
    expect(former(b)).toBeUndefined()
    expect(names(b)).toEqual(["b"])
  })
})

describe("another controller", () => {
  test("goes on with what nginx runs with: nothing to reload", async () => {
    const after = await pass(await pass(undefined, "a", 0), "b", 1000)
    keys = newKeys()
    expect(await pass(JSON.parse(JSON.stringify(after)), "b", 2000)).toEqual(after)
  })

  test("knows what a dead nginx ran with", async () => {
    lastFixed = (await pass(undefined, "a", 0)) as Fixed
    keys = newKeys()
    expect(former(await pass(undefined, "b", 1000))?.name).toBe("a")
  })

  test("of another version is no trouble", async () => {
    const { tls: _, ...http } = someFixed.http
    lastFixed = { ...someFixed, http: http as Fixed["http"] }
    keys = newKeys()
    expect(former(await pass(undefined, "b", 1000))).toBeUndefined()
  })
})
