import { AssertionError } from "node:assert"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { beforeEach, describe, expect, onTestFinished, test } from "vitest"
import { usualLocations } from "../../../controller/core/declared/locations.ts"
import { noCapabilities } from "../../../controller/model/capabilities.ts"
import type { Fixed } from "../../../controller/model/model.ts"
import type { NameAnswer } from "../../../controller/model/name-answer.ts"
import type { ConfigMap } from "../../../controller/model/objects/config-map.ts"
import type { Snapshot } from "../../../controller/model/snapshot.ts"
import { LastPass } from "../../../controller/report/history/last-pass.ts"
import { ReloadHistory } from "../../../controller/report/history/reload-history.ts"
import { Failure } from "../../../controller/support/failure.ts"
import { type Reached, stagesChannel } from "../../../controller/support/stages.ts"
import { CheckedLocations } from "../../../controller/sync/checked-locations.ts"
import { Sync } from "../../../controller/sync/pass.ts"
import { PendingChanges } from "../../../controller/sync/pending-changes.ts"
import { ReloadShares } from "../../../controller/sync/reload-shares.ts"
import { TicketKeys } from "../../../controller/sync/ticket-keys.ts"
import { ingress, options, type Part, service, slice, snapshot } from "../../../harness/objects.ts"
import { MemoryPlane } from "../../support/memory-plane.ts"

/** DNS that answers when it is waited for. */
class FakeNames {
  known = new Map<string, NameAnswer>()
  wanted: readonly string[] = []
  withIpv6: boolean | undefined
  /** what it will know */
  answer: NameAnswer | undefined

  answers(): ReadonlyMap<string, NameAnswer> {
    return new Map(this.known)
  }
  want(names: ReadonlySet<string>, withIpv6: boolean) {
    this.wanted = [...names]
    this.withIpv6 = withIpv6
  }
  /** how long a pass was ready to wait, each time */
  waits: number[] = []

  async learn(maxMs: number) {
    this.waits.push(maxMs)
    const fresh = this.wanted.filter((name) => !this.known.has(name))
    if (this.answer) for (const name of fresh) this.known.set(name, this.answer)
    return fresh.length > 0
  }
}

let plane: MemoryPlane
let changes: PendingChanges
let names: FakeNames
let sync: Sync
let objects: Snapshot
let told: readonly string[]
let events: string[]
let waitMs: number
let nowMs = 0
let passes: number[]
let isSynced: boolean
let lastPass: LastPass
let history: ReloadHistory

/** How each change came into force. */
let inForce: string[]
let reloads: string[]

const noMetrics = {
  inForce() {},
  changed(by: string, cameMs: readonly number[]) {
    for (const ms of cameMs) inForce.push(`${ms} by ${by}`)
  },
  reloadedFor(reasons: readonly string[]) {
    reloads.push(reasons.join())
  },
  passed() {},
  problems() {},
  reloaded() {},
  reloadFailed() {},
  reloadNotNeeded() {},
}

beforeEach(() => {
  plane = new MemoryPlane()
  told = []
  events = []
  inForce = []
  reloads = []
  changes = new PendingChanges()
  waitMs = 0
  nowMs = 0
  passes = []
  isSynced = false
  lastPass = new LastPass()
  history = new ReloadHistory()
  names = new FakeNames()
  sync = new Sync({
    store: { snapshot: () => objects },
    changes,
    names,
    secrets: { async read() {}, states: () => new Map() },
    stapling: { states: () => new Map(), want() {} },
    policies: { states: () => new Map(), want() {}, problems: () => [] },
    geo: { want() {}, problems: () => [] },
    auditLog: { follow() {}, fault: undefined },
    ruleSets: { states: () => new Map(), want() {}, async learn() {} },
    plane,
    traces: { configure() {} },
    ticketKeys: new TicketKeys({ lastFixed: async () => undefined, read: async () => undefined }),
    translateOptions: options,
    configmap: { namespace: "shop", name: "settings" },
    capabilities: noCapabilities,
    healthPath: "/healthz",
    defaultServerPort: 8181,
    rateLimit: { waitMs: () => waitMs, take: () => true },
    reloadShares: new ReloadShares(1, () => nowMs),
    passIn: (delayMs) => passes.push(delayMs),
    report: {
      update: (problems) => {
        told = problems.map(({ code }) => code)
        return problems
      },
    },
    recorder: {
      passed: (_, problems) => events.push(`passed ${problems.map(({ code }) => code).join(" ")}`),
      reloaded: () => events.push("reloaded"),
      reloadFailed: (reason) => events.push(`reload failed: ${reason}`),
    },
    told: () => {},
    health: {
      synced: () => {
        isSynced = true
      },
    },
    lastPass,
    reloads: history,
    metrics: noMetrics,
    log: { info() {} },
  })
})

const cart = [service("shop/cart", "80"), slice("shop/cart", ["10.0.0.1"], "8080")]
/** Locations that are there whoever needs them. */
const usual = usualLocations.length
const one = ingress("shop/one", "one.test/ → cart:80")
const old = ingress("shop/old", "old.test/ → cart:80", { "proxy-http-version": "1.0" })

async function pass(...parts: readonly Part[]): Promise<readonly string[]> {
  const from = plane.diary.length
  objects = snapshot(...cart, ...parts)
  await sync.pass()
  return plane.diary.slice(from)
}

function withSettings(data: Readonly<Record<string, string>>, ...ingresses: readonly Part[]): void {
  const meta = { namespace: "shop", name: "settings", uid: "", createdMs: 0, labels: {}, annotations: {} }
  const configMap: ConfigMap = { kind: "ConfigMap", meta, data }
  objects = { ...snapshot(...cart, one, ...ingresses), configMaps: new Map([["shop/settings", configMap]]) }
}

describe("reloads that a namespace causes", () => {
  const asking = (nth: number, namespace = "shop") =>
    ingress(`${namespace}/cart`, `${namespace}.test/ → cart:80`, {
      "backend-protocol": "FCGI",
      "fastcgi-index": `${nth}.php`,
    })

  const loads = async (...parts: readonly Part[]) => {
    const other = [service("other/cart", "80"), slice("other/cart", ["10.0.0.2"], "8080")]
    return (await pass(one, ...other, ...parts)).filter((what) => what.startsWith("load")).length
  }

  test("wait when it has had its share, and others' do not", async () => {
    await loads()
    expect([await loads(asking(0)), await loads(asking(0), asking(1))]).toEqual([1, 1])
    passes = []
    expect([await loads(asking(2)), passes, told]).toEqual([0, [25_000], ["reload-waits"]])
    // What another one needs takes it along.
    expect([await loads(asking(2), asking(3, "other")), told]).toEqual([1, []])
    expect(plane.live.hosts.find(({ host }) => host === "shop.test")?.routes).toHaveLength(1)
  })
})

describe("names of Services", () => {
  const far = { ...service("shop/cart"), type: "ExternalName", externalName: "far.test" } as const
  const endpoints = () => plane.live.backends[0]?.endpoints

  test("are waited for before anybody is told that there are no endpoints", async () => {
    names.answer = { kind: "found", addresses: ["10.9.0.1"] }
    await pass(far, one)
    expect(names.wanted).toEqual(["far.test"])
    expect(endpoints()).toEqual([{ address: "10.9.0.1", port: 80 }])
    expect(told).toEqual([])
  })

  test("have IPv6 addresses unless the ConfigMap says otherwise", async () => {
    await pass(far, one)
    expect(names.withIpv6).toBe(true)
    withSettings({ "disable-ipv6-dns": "true" })
    await sync.pass()
    expect(names.withIpv6).toBe(false)
  })

  test("may take longer as long as an nginx serves on with what it has", async () => {
    await pass(far, one)
    await pass(far, one)
    expect(names.waits).toEqual([5000, 1000])
  })

  test("that DNS does not answer are a Problem, and everything else goes on", async () => {
    await pass(far, one, service("shop/near", "80"), ingress("shop/near", "near.test/ → near:80"))
    expect(told).toEqual(["backend-unusable"])
    expect(plane.diary).toContain("post _ near.test one.test")
  })
})

describe("a pass", () => {
  test("posts before anything can be asked for, the first time", async () => {
    expect(await pass(one)).toEqual(["prepare", "post _ one.test", `load ${usual}`])
    expect(isSynced).toBe(true)
  })

  test("tells how changes came into force, and why nginx was reloaded", async () => {
    await pass(one)
    changes.came(1)
    changes.came(2)
    await pass(one, ingress("shop/two", "two.test/ → cart:80"))
    changes.came(3)
    await pass(one, ingress("shop/two", "two.test/ → cart:80")) // which changes nothing
    changes.came(4)
    waitMs = 700
    await pass(one, old)
    expect(inForce).toEqual(["1 by post", "2 by post"])
    waitMs = 0
    await pass(one, old)
    expect(inForce.slice(2)).toEqual(["4 by reload"])
    expect(reloads).toEqual(["start", "new location"])
  })

  test("keeps what it came to for whoever looks", async () => {
    await pass(one)
    expect(history.kept).toMatchObject([{ kind: "start", reasons: [], hash: plane.hash }])
    expect(lastPass.ended?.ms).toBeGreaterThan(0)
    expect([...(lastPass.observed?.sources() ?? [])]).toMatchObject([{ source: { name: "one" } }])
    plane.refuses = () => true
    await expect(pass(one, old)).rejects.toThrow("it is bad")
    expect(history.kept[0]).toMatchObject({ kind: "failed", error: "it is bad" })
    expect(history.total).toBe(1)
  })

  test("that fails leaves its changes to the next one", async () => {
    await pass(one)
    changes.came(1)
    const post = plane.post.bind(plane)
    plane.post = async () => {
      throw new Failure("control-lost", "it is away")
    }
    const two = ingress("shop/two", "two.test/ → cart:80")
    await expect(pass(one, two)).rejects.toThrow("it is away")
    changes.came(2)
    plane.post = post
    await pass(one, two)
    expect(inForce).toEqual(["1 by post", "2 by post"])
  })

  test("tells those who measure how far a change has come", async () => {
    await pass(one)
    const reached: Reached[] = []
    const hear = (message: unknown) => reached.push(message as Reached)
    subscribe(stagesChannel, hear)
    onTestFinished(() => void unsubscribe(stagesChannel, hear))
    changes.came()
    await pass(one, ingress("shop/two", "two.test/ → cart:80"))
    const stages = ["came", "begun", "facts", "translated", "planned", "posted", "ended"]
    expect(reached.map(({ stage }) => stage)).toEqual(stages)
    const times = reached.map(({ atMs }) => atMs)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  test("only posts what needs no reload", async () => {
    await pass(one)
    expect(await pass(one, ingress("shop/two", "two.test/ → cart:80"))).toEqual(["post _ one.test two.test"])
  })

  test("posts what can go without the reload, loads, posts the rest", async () => {
    await pass(one)
    const two = ingress("shop/two", "two.test/ → cart:80")
    expect(await pass(one, two, old)).toEqual([
      "post _ one.test two.test",
      `load ${usual + 1}`,
      "post _ old.test one.test two.test",
    ])
  })

  test("loads first as long as it is not known what nginx serves", async () => {
    await pass(one)
    plane.loseStep()
    expect(await pass(one, old)).toEqual([`load ${usual + 1}`, "post _ old.test one.test"])
  })

  test("tells what nginx refused, with what was wrong before", async () => {
    plane.problem = {
      object: { kind: "Host", namespace: "", name: "x" },
      field: "",
      code: "refused",
      message: "",
    }
    await pass(one, ingress("shop/none", "none.test/ → missing:80"))
    expect(told.toSorted()).toEqual(["backend-unusable", "refused"])
  })

  test("that fails still tells what is wrong with the objects", async () => {
    plane.refuses = () => true
    await expect(pass(one, ingress("shop/none", "none.test/ → missing:80"))).rejects.toThrow("it is bad")
    expect(told).toEqual(["backend-unusable"])
    expect(isSynced).toBe(false)
  })
})

describe("whoever tells by Events", () => {
  test("hears of each pass and of each reload, once", async () => {
    await pass(one)
    await pass(one, ingress("shop/none", "none.test/ → missing:80"))
    await pass(one, old)
    expect(events).toEqual(["reloaded", "passed ", "passed backend-unusable", "reloaded", "passed "])
  })

  test("404: hears what nginx refused, also when that could be left out", async () => {
    await pass(one)
    plane.refuses = ({ locations }) => locations.length > usual
    await pass(one, old)
    expect(events.slice(2)).toEqual(["reload failed: it is bad", "passed location-refused"])
  })

  test("hears what keeps nginx from its start, and what is wrong with the objects", async () => {
    plane.refuses = () => true
    await expect(pass(one, ingress("shop/none", "none.test/ → missing:80"))).rejects.toThrow("it is bad")
    expect(events).toEqual(["reload failed: it is bad", "passed backend-unusable"])
  })
})

describe("a reload that has to wait", () => {
  test("is asked for again, the rest is posted", async () => {
    await pass(one)
    waitMs = 3000
    expect(await pass(one, old, ingress("shop/two", "two.test/ → cart:80"))).toEqual([
      "post _ one.test two.test",
    ])
    expect(passes).toEqual([3000])
    waitMs = 0
    expect(await pass(one, old)).toEqual(["post _ one.test", `load ${usual + 1}`, "post _ old.test one.test"])
  })

  test("does not wait when nginx serves nothing", async () => {
    waitMs = 3000
    expect(await pass(one)).toEqual(["prepare", "post _ one.test", `load ${usual}`])
  })
})

describe("settings that nginx refuses", () => {
  const isBad = ({ http }: Fixed) => http.logs.logFormatUpstream === "$bad"

  test("are left out, the others are loaded", async () => {
    plane.refuses = isBad
    withSettings({ "log-format-upstream": "$bad", "keep-alive": "7" })
    await sync.pass()
    expect(plane.running?.fixed.http.clients.keepAliveSeconds).toBe(7)
    expect(told).toEqual(["value-refused"])
  })

  const badWithOld = { "log-format-upstream": "$bad", "keep-alive": "7" }

  test("are found without asking for all Ingresses each time", async () => {
    const locations: number[] = []
    plane.refuses = (fixed) => {
      locations.push(fixed.locations.length)
      return isBad(fixed)
    }
    withSettings(badWithOld, old)
    await sync.pass()
    expect(told).toEqual(["value-refused"])
    const [attempt, ...rest] = locations
    const questions = rest.slice(0, -2)
    expect([attempt, new Set(questions)]).toEqual([usual + 1, new Set([usual])])
  })

  test("are found, too, when they are bad with an Ingress only", async () => {
    plane.refuses = (fixed) => isBad(fixed) && fixed.locations.length > usual
    withSettings(badWithOld, old)
    await sync.pass()
    expect(plane.running?.fixed.http.clients.keepAliveSeconds).toBe(7)
    expect(told).toEqual(["value-refused"])
  })

  test("are found although their reload had to wait at first", async () => {
    await pass(one)
    plane.refuses = isBad
    waitMs = 3000
    withSettings({ "log-format-upstream": "$bad", "keep-alive": "7" })
    await sync.pass()
    waitMs = 0
    await sync.pass()
    expect(plane.running?.fixed.http.clients.keepAliveSeconds).toBe(7)
    expect(told).toEqual(["value-refused"])
  })
})

test("a location with the name of another one in force ends the pass before anything is changed", async () => {
  await pass(one)
  const { running } = plane
  if (running === undefined) throw new Error("nothing runs")
  const locations = running.fixed.locations.map(({ name }) => ({ name, protocol: "grpc" as const }))
  plane.runWith({ ...running.fixed, locations })
  plane.diary = []
  await expect(pass(one, ingress("shop/two", "two.test/ → cart:80"))).rejects.toThrow(AssertionError)
  expect(plane.diary).toEqual([])
})

describe("a location that nginx refuses", () => {
  const isBad = ({ locations }: Fixed) => locations.some(({ proxyHttpVersion }) => proxyHttpVersion === "1.0")
  const two = ingress("shop/two", "two.test/ → cart:80")
  const statusesOf = (host: string) =>
    plane.live.hosts.find((it) => it.host === host)?.routes.map(({ status }) => status)

  beforeEach(() => {
    plane.refuses = isBad
  })

  test("is left out, and only its own Ingress gets 503", async () => {
    await pass(one)
    expect(await pass(one, two, old)).toEqual([
      "post _ one.test two.test",
      "post _ old.test one.test two.test",
    ])
    expect(told).toEqual(["location-refused"])
    expect(statusesOf("old.test")).toEqual([503])
    expect(statusesOf("two.test")).toEqual([undefined])
  })

  test("does not keep nginx from its start", async () => {
    expect(await pass(one, old)).toEqual(["prepare", "post _ old.test one.test", `load ${usual}`])
    expect(told).toEqual(["location-refused"])
  })

  test("is served as soon as it is another one", async () => {
    await pass(one, old)
    await pass(one, ingress("shop/old", "old.test/ → cart:80"))
    expect(told).toEqual([])
    expect(statusesOf("old.test")).toEqual([undefined])
  })

  test("is found beside a setting that is refused too", async () => {
    await pass(one)
    plane.refuses = (fixed) => isBad(fixed) || fixed.http.logs.logFormatUpstream === "$bad"
    withSettings({ "log-format-upstream": "$bad", "keep-alive": "7" })
    objects = { ...objects, ingresses: [...objects.ingresses, old] }
    await sync.pass()
    expect(told.toSorted()).toEqual(["location-refused", "value-refused"])
    expect(plane.running?.fixed.http.clients.keepAliveSeconds).toBe(7)
  })

  test("is not the next one of the same name", async () => {
    await pass(one, old)
    const locations = new CheckedLocations()
    const refused = { name: "p1", proxyHttpVersion: "1.0" } as const
    const { running } = plane
    if (running === undefined) throw new Error("nothing runs")
    const fixed = { ...running.fixed, locations: [refused] }
    const check = async (candidate: Fixed) => (isBad(candidate) ? { reason: "it is bad" } : "taken")
    expect(await locations.refused(fixed, undefined, fixed.http, check)).toBe(true)
    expect(locations.leaveOut({ ...running, fixed }).model.fixed.locations).toEqual([])
    const another = { ...fixed, locations: [{ name: "p1", protocol: "grpc" as const }] }
    expect(() => locations.leaveOut({ ...running, fixed: another })).toThrow("Two different things")
  })

  test("is tried again when settings changed", async () => {
    await pass(one, old)
    plane.refuses = () => false
    withSettings({ "keep-alive": "7" })
    objects = { ...objects, ingresses: [...objects.ingresses, old] }
    await sync.pass()
    expect(passes).toEqual([0])
    await sync.pass()
    expect(told).toEqual([])
    expect(statusesOf("old.test")).toEqual([undefined])
  })
})
