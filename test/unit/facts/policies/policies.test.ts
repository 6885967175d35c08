// Policies from the sources to what may be used: what is compiled when, what stays, and what is remembered.
import { generateKeyPairSync, sign } from "node:crypto"
import { beforeEach, describe, expect, test } from "vitest"
import {
  BalancingPolicies,
  type Failed,
  type RememberedPolicies,
  type WantedPolicies,
} from "../../../../controller/facts/policies/policies.ts"
import type { Verdict } from "../../../../controller/facts/policies/verdict.ts"
import { digestOf, type PolicyModule } from "../../../../controller/input/policies/module.ts"
import { until } from "../../../../harness/until.ts"

const bytesOf = (text: string) => Buffer.from(`\0asm${text}`)
const digest = (text: string) => digestOf(bytesOf(text))

function module(text: string, signature?: string): PolicyModule {
  const bytes = bytesOf(text)
  const signed = signature === undefined ? {} : { signature }
  return { name: "p", digest: digestOf(bytes), ...signed, read: async () => bytes }
}

let there: PolicyModule | undefined
let compiled: string[]
let verdict: Verdict | Failed
let kept: ReadonlySet<string>
let remembered: RememberedPolicies | undefined
let changes: number
let rolledBack: string[]
/** what is remembered is on disk after this */
let written: Promise<void>

beforeEach(() => {
  there = undefined
  compiled = []
  verdict = { kind: "compiled", needs: 1 }
  kept = new Set()
  remembered = undefined
  changes = 0
  rolledBack = []
  written = Promise.resolve()
})

const wanted: WantedPolicies = {
  allowed: [{ name: "p" }],
  publicKey: undefined,
  configMap: undefined,
  maxFaults: 5,
}

function start(files: readonly string[] = []): BalancingPolicies {
  return new BalancingPolicies({
    directory: { read: () => ({ modules: new Map(there && [["p", there]]), problems: [] }) },
    compiler: {
      compiled: new Set(files),
      state: remembered,
      compile: async (_, bytes) => {
        compiled.push(bytes.toString().slice(4))
        return verdict
      },
      keepOnly: (digests) => {
        kept = digests
      },
      remember: (state) => {
        remembered = JSON.parse(JSON.stringify(state))
        return written
      },
    },
    changed: () => {
      changes += 1
    },
    rolledBack: ({ policy, faults }) => rolledBack.push(`${policy} ${faults}`),
    signal: new AbortController().signal,
  })
}

/** As a pass does, once what is wanted has been found out. */
async function settled(policies: BalancingPolicies, what: WantedPolicies = wanted) {
  const before = changes
  policies.want(what)
  await until("a change", () => changes > before)
  policies.want(what)
  return policies.states().get("p")
}

describe("a module", () => {
  test("is compiled outside of the pass, once, and then it may be used", async () => {
    there = module("one")
    const policies = start()
    policies.want(wanted)
    expect(policies.states().get("p")).toEqual({})
    await until("a change", () => changes === 1)
    policies.want(wanted)
    expect(policies.states().get("p")).toEqual({ usable: { digest: digest("one"), needs: 1 } })
    const states = policies.states()
    policies.want(wanted)
    expect(policies.states()).toBe(states)
    expect(compiled).toEqual(["one"])
  })

  test("that nobody allows is neither compiled nor known", () => {
    there = module("one")
    const policies = start()
    policies.want({ ...wanted, allowed: [] })
    expect([policies.states().size, compiled]).toEqual([0, []])
  })

  test("with a digest that is not demanded is not compiled", () => {
    there = module("one")
    const policies = start()
    policies.want({ ...wanted, allowed: [{ name: "p", digests: [digest("two")] }] })
    expect(policies.states().get("p")?.trouble?.reason).toContain(`its module is sha256:${digest("one")}`)
    expect(compiled).toEqual([])
  })

  test("that is replaced stays in force until the next one is compiled, and its file is kept to go back to", async () => {
    there = module("one")
    const policies = start()
    await settled(policies)
    there = module("two")
    policies.want(wanted)
    expect(policies.states().get("p")?.usable?.digest).toBe(digest("one"))
    expect((await settled(policies))?.usable?.digest).toBe(digest("two"))
    expect(kept).toEqual(new Set([digest("one"), digest("two")]))
  })

  test("that is refused leaves the one before in force, with the program's words", async () => {
    there = module("one")
    const policies = start()
    await settled(policies)
    there = module("two")
    verdict = { kind: "refused", reason: "it loops" }
    expect(await settled(policies)).toEqual({
      usable: { digest: digest("one"), needs: 1 },
      trouble: { kind: "refused", reason: "it loops" },
    })
  })

  test("that is taken away is not in force any more, and what it did is forgotten", async () => {
    there = module("one")
    const policies = start()
    await settled(policies)
    there = undefined
    policies.want(wanted)
    expect(policies.states().get("p")).toEqual({
      trouble: { kind: "missing", reason: "there is no module of it" },
    })
    expect([kept.size, remembered?.memory]).toEqual([0, { verdicts: {}, good: {}, faulty: {} }])
  })
})

describe("a policy that fails too often", () => {
  /** Compiled one, then two, and the second one fails. */
  async function failing() {
    there = module("one")
    const policies = start()
    await settled(policies)
    there = module("two")
    await settled(policies)
    policies.count([{ digest: digest("two"), faults: 0 }], 0)
    policies.count([{ digest: digest("two"), faults: 6 }], 5000)
    policies.want(wanted)
    return policies
  }

  test("gives its place to the version before", async () => {
    const policies = await failing()
    expect(policies.states().get("p")?.usable?.digest).toBe(digest("one"))
    expect(policies.states().get("p")?.trouble?.kind).toBe("faulty")
    policies.count([{ digest: digest("two"), faults: 60 }], 10_000)
    expect(rolledBack).toEqual(["p 6"])
  })

  test("stays out of force when the controller starts again", async () => {
    await failing()
    const again = start([digest("one"), digest("two")])
    again.want(wanted)
    expect(again.states().get("p")?.usable?.digest).toBe(digest("one"))
  })

  test("is written down before anybody acts on it", async () => {
    const policies = await failing()
    let write = () => {}
    written = new Promise((resolve) => {
      write = resolve
    })
    there = module("three")
    await settled(policies)
    const before = changes
    policies.count([{ digest: digest("three"), faults: 6 }], 20_000)
    await Promise.resolve()
    expect(changes).toBe(before)
    write()
    await until("the change", () => changes > before)
    expect(remembered?.memory.faulty).toHaveProperty(digest("three"))
  })

  test("is forgiven with the next version", async () => {
    const policies = await failing()
    there = module("three")
    expect(await settled(policies)).toEqual({ usable: { digest: digest("three"), needs: 1 } })
    expect(kept).toEqual(new Set([digest("one"), digest("three")]))
  })
})

describe("a controller that starts again", () => {
  test("uses at once what was compiled before", async () => {
    there = module("one")
    await settled(start())
    const again = start([digest("one")])
    again.want(wanted)
    expect(again.states().get("p")?.usable?.digest).toBe(digest("one"))
    expect(compiled).toEqual(["one"])
  })

  test("compiles again what is not there any more", async () => {
    there = module("one")
    await settled(start())
    const again = start()
    again.want(wanted)
    expect(again.states().get("p")).toEqual({})
    await until("a compilation", () => compiled.length === 2)
  })
})

describe("with a public key", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString()
  const signed = (text: string) => sign("sha256", bytesOf(text), privateKey).toString("base64")
  const demanding = { ...wanted, publicKey: pem }

  test("a module that it signed is compiled", async () => {
    there = module("one", `${signed("one")}\n`)
    expect((await settled(start(), demanding))?.usable?.digest).toBe(digest("one"))
  })

  test.each([
    ["without a signature", undefined, "has no signature"],
    ["with that of another module", signed("two"), "is none of these bytes"],
    ["with none at all", "***", "is none of these bytes"],
  ])("a module %s is refused and not compiled", async (_, signature, reason) => {
    there = module("one", signature)
    const state = await settled(start(), demanding)
    expect([state?.usable, state?.trouble?.reason]).toEqual([undefined, expect.stringContaining(reason)])
    expect(compiled).toEqual([])
  })

  test("what was in force unsigned is not any more", async () => {
    there = module("one")
    const policies = start()
    await settled(policies)
    expect((await settled(policies, demanding))?.usable).toBeUndefined()
  })
})

test("a program that cannot run is asked again, and said after the third time", async () => {
  there = module("one")
  verdict = { kind: "failed", reason: "it is not installed" }
  const policies = start()
  policies.want(wanted)
  await until("a compilation", () => compiled.length === 1)
  expect(policies.states().get("p")).toEqual({})
  await until("a compilation", () => compiled.length === 3)
  policies.want(wanted)
  expect(policies.states().get("p")?.trouble).toEqual({ kind: "refused", reason: "it is not installed" })
})
