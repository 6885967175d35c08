import { beforeEach, describe, expect, test } from "vitest"
import { alone, type Leadership } from "../../../../controller/input/provider/leadership.ts"
import type { Ingress } from "../../../../controller/model/objects/ingress.ts"
import type { Problem } from "../../../../controller/model/problem.ts"
import { Recorder, type RecorderOptions } from "../../../../controller/report/events/recorder.ts"
import { ingress, snapshot } from "../../../../harness/objects.ts"

/** Elections at will. */
class FakeLeadership implements Leadership {
  isLeader = false
  #term = new AbortController()
  #listener = (_: boolean) => {}

  get term() {
    return this.#term.signal
  }
  onChange(listener: (isLeader: boolean) => void) {
    this.#listener = listener
  }
  win() {
    this.#term = new AbortController()
    this.isLeader = true
    this.#listener(true)
  }
  lose() {
    this.#term.abort()
    this.isLeader = false
    this.#listener(false)
  }
}

let told: string[]
let terms: (AbortSignal | undefined)[]
let nowMs: number
let leadership: FakeLeadership

beforeEach(() => {
  told = []
  terms = []
  nowMs = 0
  leadership = new FakeLeadership()
})

function recorder(options: Partial<RecorderOptions> = {}): Recorder {
  return new Recorder({
    sink: {
      write({ type, reason, object, message }, term) {
        told.push(`${type} ${reason} ${object.name}${type === "Warning" ? `: ${message}` : ""}`)
        terms.push(term)
      },
    },
    leadership,
    pod: { kind: "Pod", namespace: "wick", name: "wick-0", uid: "7" },
    configMaps: [],
    isQuiet: false,
    isLog: false,
    now: () => nowMs,
    ...options,
  })
}

const one = ingress("shop/one", "one.test/ → cart:80")
const two = ingress("shop/two", "two.test/ → cart:80")
const bad: Problem = {
  object: { kind: "Ingress", namespace: "shop", name: "one" },
  field: "spec",
  code: "host-refused",
  message: "Why",
}

/** A pass over these, whose Problems have been there before unless they are said to have appeared. */
function pass(
  by: Recorder,
  ingresses: readonly Ingress[],
  standing: readonly Problem[],
  appeared = standing,
) {
  by.passed(snapshot(...ingresses), standing, appeared)
}

/** What has been told since the last question. */
const news = () => told.splice(0)

describe("the recorder", () => {
  test("of who leads from the start tells of everything that is there, then of what changes", () => {
    const by = recorder({ leadership: alone })
    pass(by, [one], [bad])
    expect(news()).toEqual(["Normal Sync one", "Warning HostRefused one: Why"])
    pass(by, [one, two], [bad], [])
    expect(news()).toEqual(["Normal Sync two"])
    pass(by, [one, two], [bad], [])
    expect(news()).toEqual([])
  })

  test("of a follower tells of nothing but its own reloads", () => {
    const by = recorder()
    pass(by, [one], [bad])
    pass(by, [two], [])
    by.reloaded()
    by.reloadFailed("unknown directive")
    expect(news()).toEqual(["Normal RELOAD wick-0", "Warning RELOAD wick-0: unknown directive"])
    expect(terms).toEqual([undefined, undefined])
  })

  test("of who is elected soon after its start tells of everything, once", () => {
    const by = recorder()
    pass(by, [one], [bad])
    nowMs = 59_000
    leadership.win()
    expect(news()).toEqual(["Normal Sync one", "Warning HostRefused one: Why"])
    pass(by, [one], [bad], [])
    expect(news()).toEqual([])
  })

  test("of who was elected before its first pass tells of everything after it", () => {
    const by = recorder()
    leadership.win()
    expect(news()).toEqual([])
    pass(by, [one], [])
    expect(news()).toEqual(["Normal Sync one"])
  })

  test("of who followed for long tells of the Problems that stand, not of Ingresses from before its term", () => {
    const by = recorder()
    pass(by, [one], [bad])
    nowMs = 61_000
    leadership.win()
    expect(news()).toEqual(["Warning HostRefused one: Why"])
    pass(by, [one, two], [bad], [])
    expect(news()).toEqual(["Normal Sync two"])
  })

  test("of who lost and won again does not repeat what was there", () => {
    const by = recorder()
    leadership.win()
    pass(by, [one], [])
    leadership.lose()
    pass(by, [one, two], [bad])
    expect(news()).toEqual(["Normal Sync one"])
    leadership.win()
    expect(news()).toEqual(["Warning HostRefused one: Why"])
  })

  test("lets what only the leader writes end with its term", () => {
    const by = recorder()
    leadership.win()
    pass(by, [one], [bad])
    leadership.lose()
    expect(terms.map((term) => term?.aborted)).toEqual([true, true])
  })

  test("with --disable-sync-events tells of reloads only", () => {
    const by = recorder({ leadership: alone, isQuiet: true })
    pass(by, [one], [bad])
    by.reloaded()
    expect(news()).toEqual(["Normal RELOAD wick-0"])
  })

  test("whose Events are log lines leaves out what the log has already, and everything that was there at the start", () => {
    const by = recorder({ leadership: alone, isLog: true })
    pass(by, [one], [bad])
    pass(by, [one, two], [bad])
    expect(news()).toEqual(["Normal Sync two"])
  })

  test("outside of a cluster has no Pod to tell of reloads on", () => {
    const by = recorder({ pod: undefined })
    by.reloaded()
    by.reloadFailed("x")
    expect(news()).toEqual([])
  })
})
