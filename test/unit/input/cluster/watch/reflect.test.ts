import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { Delta } from "../../../../../controller/input/cluster/watch/delta.ts"
import type { WatchObserver } from "../../../../../controller/input/cluster/watch/observer.ts"
import { reflect } from "../../../../../controller/input/cluster/watch/reflect.ts"
import { follow } from "./follow.ts"
import { ModelServer } from "./model-server.ts"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const minutes = 60_000
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function serverWith(...names: readonly string[]): ModelServer {
  const server = new ModelServer()
  for (const name of names) server.put(name)
  return server
}

/** What was asked: `stream`, `page`, or the version that a watch goes on from. */
function asked({ requests }: ModelServer): readonly string[] {
  return requests.map(({ query = {} }) => {
    if (query.watch !== "true") return "page"
    return query.sendInitialEvents === "true" ? "stream" : `from ${query.resourceVersion}`
  })
}

/** Passes the time until this has been asked once more. */
async function until(server: ModelServer, question: string): Promise<void> {
  const { length } = server.requests
  for (let ms = 0; ms < 60_000 && !asked(server).slice(length).includes(question); ms += 10) await pass(10)
}

const printed = (deltas: readonly Delta[]) =>
  deltas.map(
    ({ changes, synced }) => `${changes.map((c) => `${c.kind} ${c.name}`).join()}${synced ? " synced" : ""}`,
  )

describe("What exists", () => {
  test("is handed on as it comes, and synced when the server says that it was all", async () => {
    const server = serverWith("a", "b")
    const { deltas } = follow(server)
    await pass(100)
    expect(printed(deltas)).toEqual(["set shop/a", "set shop/b", " synced"])
    expect(server.requests[0]?.query).toEqual({
      labelSelector: "a=b",
      watch: "true",
      allowWatchBookmarks: "true",
      sendInitialEvents: "true",
      resourceVersionMatch: "NotOlderThan",
      timeoutSeconds: "450",
    })
  })

  test("is read in pages where the server refuses to stream it, for an hour", async () => {
    const server = serverWith("a", "b", "c")
    server.streams = "refused"
    const { deltas } = follow(server, { relistMs: 25 * minutes })
    await pass(1000)
    expect(printed(deltas)).toEqual(["set shop/a,set shop/b", "set shop/c", " synced"])
    expect(asked(server)).toEqual(["stream", "page", "page", "from 13"])
    await pass(52 * minutes)
    expect(asked(server).filter((kind) => kind === "stream")).toHaveLength(1)
    expect(asked(server).filter((kind) => kind === "page")).toHaveLength(6)
    await pass(25 * minutes)
    expect(asked(server).filter((kind) => kind === "stream")).toHaveLength(2)
  })

  test.each([
    "ignored",
    "endless",
  ] as const)("is read in pages where the end of a stream is %s", async (streams) => {
    const server = serverWith("a", "b", "c")
    server.streams = streams
    const { deltas, state } = follow(server)
    await pass(16_000)
    expect(deltas.at(-1)?.synced).toBe(true)
    expect(state).toEqual(server.objects)
  })

  test("may be nothing", async () => {
    const { deltas } = follow(new ModelServer())
    await pass(100)
    expect(printed(deltas)).toEqual([" synced"])
  })

  test("is not known while lists fail", async () => {
    const server = serverWith("a", "b")
    server.fault = { kind: "cut", lines: 1 }
    const { deltas, state } = follow(server)
    await pass(5 * minutes)
    expect(deltas.some(({ synced }) => synced)).toBe(false)
    server.fault = undefined
    await pass(1 * minutes)
    expect(state).toEqual(server.objects)
    expect(deltas.at(-1)?.synced).toBe(true)
  })

  test("is listed anew when the place in the list is too long ago", async () => {
    const server = serverWith("a", "b", "c", "d")
    server.streams = "refused"
    const { state, told } = follow(server)
    await pass(212)
    expect(asked(server)).toEqual(["stream", "page", "page"])
    server.remove("a")
    server.compact()
    await pass(1000)
    expect(told).toContain("expired")
    expect(state).toEqual(server.objects)
  })
})

describe("A watch", () => {
  test("goes on where it ended, at once, and bookmarks move the place", async () => {
    const server = serverWith("a")
    const { deltas } = follow(server)
    await pass(100)
    server.put("b")
    server.putElsewhere()
    await pass(8 * minutes)
    server.remove("a")
    await pass(100)
    expect(asked(server)).toEqual(["stream", "from 13"])
    expect(printed(deltas)).toEqual(["set shop/a", " synced", "set shop/b synced", "deleted shop/a synced"])
  })

  test("that was cut loses nothing and tells nothing twice", async () => {
    const server = serverWith("a", "b")
    const { deltas, state } = follow(server)
    await pass(100)
    server.cutAll()
    server.put("a")
    server.remove("b")
    await pass(500)
    expect(printed(deltas).slice(3)).toEqual(["set shop/a,deleted shop/b synced"])
    expect(state).toEqual(server.objects)
  })

  test.each([
    { kind: "status", status: 410 },
    { kind: "error", status: 410, lines: 0 },
  ] as const)("that is of too long ago leads to a list, of which only differences are told: %o", async (fault) => {
    const server = serverWith("a", "b", "c")
    const { deltas, told } = follow(server)
    await pass(100)
    server.faults.push(fault)
    server.cutAll()
    server.put("a")
    server.remove("b")
    await pass(2000)
    expect(asked(server)).toEqual(["stream", "from 13", "stream"])
    expect(printed(deltas).slice(4)).toEqual(["set shop/a synced", "deleted shop/b synced"])
    expect(told).toEqual(["listed", "cut", "expired", "listed"])
  })

  test.each([
    { kind: "garbage", lines: 0 },
    { kind: "error", lines: 0, status: 500 },
    { kind: "end", lines: 0 },
  ] as const)("that comes to nothing three times at one version leads to a list: %o", async (fault) => {
    const server = serverWith("a")
    follow(server)
    await pass(100)
    server.faults.push(fault, fault, fault)
    server.cutAll()
    server.put("a")
    await pass(10_000)
    expect(asked(server).slice(0, 4)).toEqual(["stream", "from 11", "from 11", "from 11"])
    expect(asked(server).slice(4)).toEqual(["stream"])
  })

  test("hands on what came before the garbage", async () => {
    const server = serverWith("a")
    const { state } = follow(server)
    await pass(100)
    server.faults.push({ kind: "garbage", lines: 1 })
    server.cutAll()
    server.put("b")
    await pass(1000)
    expect(state).toEqual(server.objects)
    expect(asked(server).at(-1)).toBe("from 12")
  })

  test("without bookmarks, on a server that has lost its latest history, leads to a list", async () => {
    const server = serverWith("a", "b")
    const { state, deltas } = follow(server)
    await pass(100)
    const before = new Map(server.objects)
    const { version } = server
    server.put("c")
    server.remove("a")
    await pass(1000)
    server.restore(before, version)
    await pass(10 * minutes)
    expect(state).toEqual(before)
    expect(printed(deltas).slice(-2)).toEqual(["set shop/a synced", "deleted shop/c synced"])
  })

  test("that the server ends as soon as it has told something is not asked for all the time", async () => {
    const server = serverWith("a")
    server.fault = { kind: "end", lines: 2 }
    follow(server)
    await pass(1 * minutes)
    expect(server.requests.length).toBeLessThan(60)
  })

  test("is given up now and then for a list, if that is wanted", async () => {
    const server = serverWith("a")
    follow(server, { relistMs: 20 * minutes })
    await pass(61 * minutes)
    expect(asked(server).filter((kind) => kind === "stream")).toHaveLength(4)
  })
})

describe("A server that is away", () => {
  test("is asked less and less often, but at least every 15 s, and then the watch goes on", async () => {
    const server = serverWith("a")
    const { state, told } = follow(server)
    await pass(100)
    server.fault = { kind: "unreachable" }
    server.cutAll()
    await pass(10 * minutes)
    expect(server.requests.length).toBeLessThan(80)
    server.fault = undefined
    server.put("b")
    await pass(15_100)
    expect(state).toEqual(server.objects)
    expect(asked(server).filter((kind) => kind === "stream")).toHaveLength(1)
    expect(told.filter((cause) => cause === "unreachable").length).toBeGreaterThan(50)
  })

  test("and has forgotten meanwhile what was before is listed at once when it is back", async () => {
    const server = serverWith("a")
    const { state } = follow(server)
    await pass(100)
    server.fault = { kind: "unreachable" }
    server.cutAll()
    await pass(10 * minutes)
    server.put("b")
    server.compact()
    server.fault = undefined
    await until(server, "from 11")
    await pass(500)
    expect(state).toEqual(server.objects)
  })

  test("and denies everything for a moment when it is back, until it knows of rights, is asked again soon", async () => {
    const server = serverWith("a")
    const { state } = follow(server)
    await pass(100)
    server.fault = { kind: "status", status: 403 }
    server.cutAll()
    await pass(1000)
    server.put("b")
    server.fault = undefined
    await pass(1300)
    expect(state).toEqual(server.objects)
  })

  test("is left alone for as long as it asks", async () => {
    const server = serverWith("a")
    server.faults.push({ kind: "status", status: 429, retryAfterMs: 40_000 })
    const { deltas, told } = follow(server)
    await pass(39_000)
    expect(server.requests).toHaveLength(1)
    await pass(6000)
    expect(printed(deltas)).toEqual(["set shop/a", " synced"])
    expect(told).toEqual(["throttled", "listed"])
  })

  test("because we have no right is asked seldom, and again when it was given", async () => {
    const server = serverWith("a")
    server.fault = { kind: "status", status: 403 }
    const { state } = follow(server)
    await pass(10 * minutes)
    expect(server.requests.length).toBeLessThan(25)
    server.fault = undefined
    await pass(1 * minutes)
    expect(state).toEqual(server.objects)
  })
})

describe("The end", () => {
  test.each([
    "told",
    "refused",
  ] as const)("comes at once and quietly when the signal aborts: %s", async (streams) => {
    const server = serverWith("a", "b", "c")
    server.streams = streams
    for (const ms of [0, 3, 7, 100, 204, 206, 3 * minutes]) {
      const { stop, done, told } = follow(server)
      await pass(ms)
      stop()
      await done
      expect(told.at(-1)).toBe("closed")
      expect(told).not.toContain("cut")
      await pass(10)
      expect(server.open).toBe(0)
      expect(vi.getTimerCount()).toBe(0)
    }
  })

  test("comes while it waits for a better time", async () => {
    const server = serverWith("a")
    server.fault = { kind: "status", status: 429, retryAfterMs: 40_000 }
    const { stop, done } = follow(server)
    await pass(1000)
    stop()
    await done
    expect(vi.getTimerCount()).toBe(0)
  })

  test("comes with the loop of the consumer", async () => {
    const server = serverWith("a", "b")
    const observer: WatchObserver = { contact() {}, listed() {}, failed() {}, close() {} }
    const { signal } = new AbortController()
    const resource = { title: "Things", path: "/api/v1/things" }
    const first = (async () => {
      for await (const delta of reflect({ api: server, resource, signal, observer, relistMs: 0 }))
        return delta
      return undefined
    })()
    await pass(10)
    expect((await first)?.changes).toHaveLength(1)
    expect(server.open).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})
