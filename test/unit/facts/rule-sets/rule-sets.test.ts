import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { type RememberedRuleSets, RuleSets } from "../../../../controller/facts/rule-sets/rule-sets.ts"
import {
  type RuleSet,
  type RuleSetTrouble,
  ruleSetOf,
  type WantedRuleSet,
} from "../../../../controller/model/rule-set.ts"

type Verdict = { readonly kind: "accepted" } | RuleSetTrouble

const set = (text: string) => ruleSetOf([{ text }])
const wanted = (owner: string, text: string): WantedRuleSet => ({ owner, set: set(text) })
const digestOf = (text: string) => set(text).digest

/** Checks that a test answers. */
class Checks {
  readonly asked: string[][] = []
  readonly kept: string[][] = []
  remembered: RememberedRuleSets | undefined
  readonly #open: {
    readonly sets: readonly RuleSet[]
    readonly answer: (all: ReadonlyMap<string, Verdict>) => void
  }[] = []

  check = (sets: readonly RuleSet[]) => {
    this.asked.push(sets.map(({ digest }) => digest))
    return new Promise<ReadonlyMap<string, Verdict>>((answer) => this.#open.push({ sets, answer }))
  }

  /** The oldest question. */
  async answer(verdict: (digest: string) => Verdict = () => ({ kind: "accepted" })): Promise<void> {
    const { sets, answer } = this.#open.shift() ?? { sets: [], answer: () => {} }
    answer(new Map(sets.map(({ digest }) => [digest, verdict(digest)])))
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
}

let checks: Checks
let changes: number
let sets: RuleSets
let ending: AbortController

function begin(accepted: readonly string[] = [], state?: RememberedRuleSets): RuleSets {
  checks = new Checks()
  changes = 0
  ending = new AbortController()
  const { signal } = ending
  return new RuleSets({
    checker: {
      accepted: new Set(accepted),
      state,
      check: checks.check,
      keepOnly: (digests) => checks.kept.push([...digests].sort()),
      remember: async (state) => {
        checks.remembered = state
      },
    },
    changed: () => {
      changes += 1
    },
    random: () => 0,
    signal,
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  sets = begin()
})

afterEach(() => {
  ending.abort()
  vi.useRealTimers()
})

test("a set is not usable before it has been checked", async () => {
  sets.want([wanted("shop/a", "A")])
  expect(sets.states().get("shop/a")).toEqual({ wanted: digestOf("A") })
  await Promise.resolve()
  await checks.answer()
  expect(changes).toBe(1)
  expect(sets.states().get("shop/a")).toEqual({ wanted: digestOf("A"), usable: digestOf("A") })
})

test("equal sets of many owners are checked once, and those that come together at once", async () => {
  sets.want([wanted("shop/a", "A"), wanted("shop/b", "A"), wanted("shop/c", "C")])
  await Promise.resolve()
  expect(checks.asked).toEqual([[digestOf("A"), digestOf("C")]])
  await checks.answer()
  expect([...sets.states().values()].map(({ usable }) => usable)).toEqual(["A", "A", "C"].map(digestOf))
})

test("what an owner had before is used until the new one is checked, and its file is kept", async () => {
  sets.want([wanted("shop/a", "A")])
  await Promise.resolve()
  await checks.answer()
  sets.states()
  sets.want([wanted("shop/a", "B")])
  expect(sets.states().get("shop/a")).toEqual({ wanted: digestOf("B"), usable: digestOf("A") })
  expect(checks.kept.at(-1)).toEqual([digestOf("A"), digestOf("B")].sort())
  await Promise.resolve()
  await checks.answer()
  expect(sets.states().get("shop/a")?.usable).toBe(digestOf("B"))
  expect(checks.kept.at(-1)).toEqual([digestOf("B")])
})

test("one that is refused is not replaced by the one before it", async () => {
  sets.want([wanted("shop/a", "A")])
  await Promise.resolve()
  await checks.answer()
  sets.states()
  sets.want([wanted("shop/a", "B"), wanted("shop/b", "A")])
  await Promise.resolve()
  const refused = { kind: "refused", reason: "it is bad", part: 0, line: 1 } as const
  await checks.answer(() => refused)
  expect(sets.states().get("shop/a")).toEqual({ wanted: digestOf("B"), trouble: refused })
  expect(sets.states().get("shop/b")?.usable).toBe(digestOf("A"))
})

describe("where nothing can be said about the rules", () => {
  const absent = { kind: "absent", reason: "there is no library" } as const

  test("that is told, and asked again later", async () => {
    sets.want([wanted("shop/a", "A")])
    await Promise.resolve()
    await checks.answer(() => absent)
    expect(sets.states().get("shop/a")).toEqual({ wanted: digestOf("A"), trouble: absent })
    await vi.advanceTimersByTimeAsync(2000)
    expect(checks.asked).toHaveLength(2)
    await checks.answer()
    expect(sets.states().get("shop/a")).toEqual({ wanted: digestOf("A"), usable: digestOf("A") })
  })

  test("what was in force stays", async () => {
    sets.want([wanted("shop/a", "A")])
    await Promise.resolve()
    await checks.answer()
    sets.states()
    sets.want([wanted("shop/a", "B")])
    await Promise.resolve()
    await checks.answer(() => absent)
    expect(sets.states().get("shop/a")).toEqual({
      wanted: digestOf("B"),
      usable: digestOf("A"),
      trouble: absent,
    })
  })
})

test("waiting ends with the verdicts, or after so long", async () => {
  sets.want([wanted("shop/a", "A")])
  let isOver = false
  void sets.learn(1000).then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(999)
  expect(isOver).toBe(false)
  await checks.answer()
  await vi.advanceTimersByTimeAsync(0)
  expect(isOver).toBe(true)
  sets.want([wanted("shop/a", "B")])
  isOver = false
  void sets.learn(1000).then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(1000)
  expect(isOver).toBe(true)
})

describe("after a start", () => {
  test("what was accepted before is not checked again", async () => {
    sets = begin([digestOf("A")])
    sets.want([wanted("shop/a", "A")])
    await Promise.resolve()
    expect(checks.asked).toEqual([])
    expect(sets.states().get("shop/a")?.usable).toBe(digestOf("A"))
  })

  test("what was in force serves until what is wanted now is checked", async () => {
    sets = begin([digestOf("A")], { inForce: { "shop/a": digestOf("A") } })
    expect(sets.states().size).toBe(0)
    sets.want([wanted("shop/a", "B")])
    expect(sets.states().get("shop/a")).toEqual({ wanted: digestOf("B"), usable: digestOf("A") })
  })

  test("unless its file is gone", () => {
    sets = begin([], { inForce: { "shop/a": digestOf("A") } })
    sets.want([wanted("shop/a", "B")])
    expect(sets.states().get("shop/a")).toEqual({ wanted: digestOf("B") })
  })
})

test("states stay the same objects while nothing changes, and those of others are gone", async () => {
  const both = [wanted("shop/a", "A"), wanted("shop/b", "B")]
  sets.want(both)
  await Promise.resolve()
  await checks.answer()
  const before = sets.states()
  expect(sets.states()).toBe(before)
  sets.want([both[0] as WantedRuleSet])
  expect(sets.states().get("shop/a")).toBe(before.get("shop/a"))
  expect(sets.states().has("shop/b")).toBe(false)
  expect(checks.remembered).toEqual({ inForce: { "shop/a": digestOf("A") } })
})

test("sets are counted by their state, equal ones once", async () => {
  sets = begin([digestOf("old")], { inForce: { "shop/b": digestOf("old") } })
  sets.want([wanted("shop/a", "A"), wanted("shop/c", "A"), wanted("shop/b", "B"), wanted("shop/d", "D")])
  sets.states()
  expect(sets.counts()).toEqual({ in_force: 1, checking: 3, refused: 0, absent: 0 })
  await Promise.resolve()
  await checks.answer((digest) =>
    digest === digestOf("A")
      ? { kind: "accepted" }
      : { kind: digest === digestOf("B") ? "refused" : "absent", reason: "no" },
  )
  sets.states()
  expect(sets.counts()).toEqual({ in_force: 1, checking: 0, refused: 1, absent: 1 })
})

describe("an owner that has nothing to use while its set is checked", () => {
  test("has waited too long after ten seconds, which is said once", async () => {
    sets.want([wanted("shop/a", "A")])
    await vi.advanceTimersByTimeAsync(9999)
    expect([changes, sets.states().get("shop/a")?.isOverdue]).toEqual([0, undefined])
    await vi.advanceTimersByTimeAsync(1)
    expect([changes, sets.states().get("shop/a")?.isOverdue]).toEqual([1, true])
    await checks.answer()
    expect(sets.states().get("shop/a")).toEqual({ wanted: digestOf("A"), usable: digestOf("A") })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(changes).toBe(2)
  })

  test("does not begin to wait anew with other rules", async () => {
    sets.want([wanted("shop/a", "A")])
    await vi.advanceTimersByTimeAsync(6000)
    sets.want([wanted("shop/a", "B")])
    await vi.advanceTimersByTimeAsync(4000)
    expect(sets.states().get("shop/a")).toEqual({ wanted: digestOf("B"), isOverdue: true })
  })

  test("has not waited too long where the set is refused, or another one serves", async () => {
    sets = begin([digestOf("old")], { inForce: { "shop/b": digestOf("old") } })
    sets.want([wanted("shop/a", "A"), wanted("shop/b", "B")])
    await Promise.resolve()
    await checks.answer((digest) =>
      digest === digestOf("A") ? { kind: "refused", reason: "no" } : { kind: "absent", reason: "no" },
    )
    await vi.advanceTimersByTimeAsync(20_000)
    expect([...sets.states().values()].map(({ isOverdue }) => isOverdue)).toEqual([undefined, undefined])
  })
})
