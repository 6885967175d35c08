// What `wick policies` says of a policy.
import { describe, expect, test } from "vitest"
import { detailed } from "../../../../cli/commands/policies.ts"
import type { BackendInForce } from "../../../../controller/inspect/in-force.ts"
import { algorithmOf, backendNotes, endpointText } from "../../../../controller/inspect/notes.ts"
import { policyInForce } from "../../../../controller/inspect/policy-in-force.ts"
import type { ShownPolicy } from "../../../../controller/model/policy-state.ts"

const [older, newer] = ["a".repeat(64), "b".repeat(64)]
const usable = { digest: older, needs: 0 }

function backend(name: string, policy?: string): BackendInForce {
  const custom = policy === undefined ? {} : { policy: { name: policy, digest: older } }
  return { name, "load-balance": policy ? "custom" : "ewma", endpoints: [], ...custom }
}

const backends = [backend("shop-cart-80", "p"), backend("shop-web-80"), backend("demo-app-80", "q")]
const counters = [
  { policy: "p", digest: newer, picks: 1, declines: 1, faults: 1, samples: 1, nanoseconds: 1, instances: 1 },
  {
    policy: "p",
    digest: older,
    picks: 90,
    declines: 9,
    faults: 2,
    samples: 4,
    nanoseconds: 1802,
    instances: 2,
  },
]

function said(policy: Omit<ShownPolicy, "name">) {
  return policyInForce({ name: "p", ...policy }, backends, counters)
}

describe("a policy", () => {
  test("in force, with what it did in this version and who uses it", () => {
    expect(said({ digest: older, usable })).toEqual({
      name: "p",
      state: "in force",
      digest: older,
      moduleDigest: older,
      users: ["shop-cart-80"],
      picks: 90,
      declines: 9,
      faults: 2,
      nanosecondsPerPick: 451,
      instances: 2,
    })
  })

  test.each([
    ["compiling", { digest: newer }],
    ["missing", { trouble: { kind: "missing", reason: "there is no module of it" } }],
    ["refused", { digest: newer, usable, trouble: { kind: "refused", reason: "it loops" } }],
    ["rolled back", { digest: newer, usable, trouble: { kind: "faulty", reason: "it failed" } }],
  ] as const)("that is %s", (state, policy) => {
    expect(said(policy).state).toBe(state)
  })

  test("in several lines, of which none can tell a terminal to do anything", () => {
    const trouble = { kind: "refused", reason: "it imports \u001b[31m" } as const
    expect(detailed(said({ digest: newer, usable, trouble }))).toEqual([
      "p  refused",
      "  it imports \\u001b[31m",
      `  in force  sha256:${older}`,
      `  module    sha256:${newer}`,
      "  90 picks, 9 declined, 2 faults, 451 ns per pick, in 2 workers",
      "  shop-cart-80",
    ])
  })
})

test("a backend is shown with the name that its Ingress has given, and the version", () => {
  const [custom, own] = backends
  expect([custom, own].map((one) => one && algorithmOf(one))).toEqual(["wasm/p", "ewma"])
  expect(custom && backendNotes(custom)).toEqual(["version sha256:aaaaaaaaaaaa"])
  const endpoint = { address: "10.0.0.1", port: "80", zone: "another" } as const
  expect(endpointText(endpoint)).toBe("10.0.0.1:80 in another zone")
})
