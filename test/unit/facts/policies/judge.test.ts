// Which version of a policy is in force, and why not the one that is there.
import { describe, expect, test } from "vitest"
import { type Evidence, judge } from "../../../../controller/facts/policies/judge.ts"
import type { Verdict } from "../../../../controller/facts/policies/verdict.ts"

const [older, newer] = ["a".repeat(64), "b".repeat(64)]
const compiled: Verdict = { kind: "compiled", needs: 3 }
const refused: Verdict = { kind: "refused", reason: "it is no module" }

/** `newer` is there and was compiled, `older` was in force before. */
function evidence(other: Partial<Evidence> = {}, verdicts: Record<string, Verdict> = {}): Evidence {
  const known = { [older]: compiled, [newer]: compiled, ...verdicts }
  return {
    allowed: { name: "p" },
    publicKey: undefined,
    module: { name: "p", digest: newer, read: async () => undefined },
    candidate: newer,
    known: { verdict: known[newer] ?? compiled },
    good: [older],
    verdictOf: (id) => known[id],
    faultsOf: () => undefined,
    ...other,
  }
}

describe("in force is", () => {
  test("the module that is there", () => {
    expect(judge(evidence())).toEqual({ state: { usable: { digest: newer, needs: 3 } }, inForce: newer })
  })

  test("the last good version while the one that is there is being compiled, and nobody complains", () => {
    const state = judge(
      evidence({ known: {}, verdictOf: (id) => (id === older ? compiled : undefined) }),
    ).state
    expect(state).toEqual({ usable: { digest: older, needs: 3 } })
  })

  test("the last good version when the one that is there is refused", () => {
    expect(judge(evidence({}, { [newer]: refused })).state).toEqual({
      usable: { digest: older, needs: 3 },
      trouble: { kind: "refused", reason: "it is no module" },
    })
  })

  test("the last good version when the one that is there failed too often, and that is said", () => {
    const faultsOf = (digest: string) => (digest === newer ? 9 : undefined)
    const { state, inForce } = judge(evidence({ faultsOf, good: [newer, older] }))
    expect(inForce).toBe(older)
    expect(state.trouble).toEqual({
      kind: "faulty",
      reason: "version sha256:bbbbbbbbbbbb… failed 9 times in a minute",
    })
  })

  test("nothing when both failed", () => {
    const { state, inForce } = judge(evidence({ faultsOf: () => 9 }))
    expect([state.usable, state.trouble?.kind, inForce]).toEqual([undefined, "faulty", undefined])
  })

  test("nothing when its module was taken away", () => {
    expect(judge(evidence({ module: undefined, candidate: undefined })).state).toEqual({
      trouble: { kind: "missing", reason: "there is no module of it" },
    })
  })
})

describe("a digest that is demanded", () => {
  test("keeps out every other, whatever was in force before", () => {
    const allowed = { name: "p", digests: ["c".repeat(64)] }
    const { usable, trouble } = judge(evidence({ allowed, candidate: undefined, known: undefined })).state
    expect(usable).toBeUndefined()
    expect(trouble?.reason).toContain("demands another")
  })

  test("may be that of the version before", () => {
    const allowed = { name: "p", digests: [older] }
    const { usable } = judge(evidence({ allowed, candidate: undefined, known: undefined })).state
    expect(usable?.digest).toBe(older)
  })
})

describe("a key that signs", () => {
  test("and that cannot be read lets nothing in", () => {
    const { usable, trouble } = judge(evidence({ publicKey: null, candidate: undefined })).state
    expect([usable, trouble?.kind]).toEqual([undefined, "refused"])
  })

  test("takes what was in force without one out of force", () => {
    const signed = `${newer}:0123456789abcdef:00`
    const { usable } = judge(
      evidence({ publicKey: "PEM", candidate: signed, known: { verdict: refused } }, { [signed]: refused }),
    ).state
    expect(usable).toBeUndefined()
  })
})

test("what could not be looked at for long is said, and what was in force stays", () => {
  const known = { reason: "the program wick-policy, which compiles it, is not installed" }
  const { usable, trouble } = judge(
    evidence({ known, verdictOf: (id) => (id === older ? compiled : undefined) }),
  ).state
  expect([usable?.digest, trouble]).toEqual([older, { kind: "refused", ...known }])
})
