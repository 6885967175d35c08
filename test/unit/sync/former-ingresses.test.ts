import { beforeEach, describe, expect, test } from "vitest"
import type { Ingress } from "../../../controller/model/objects/ingress.ts"
import { qualifiedName } from "../../../controller/model/objects/object.ts"
import { type RuleSetState, ruleSetOf } from "../../../controller/model/rule-set.ts"
import { FormerIngresses } from "../../../controller/sync/former-ingresses.ts"
import { ingress, snapshot } from "../../../harness/objects.ts"

let former: FormerIngresses
beforeEach(() => {
  former = new FormerIngresses()
})

const open = ingress("shop/a", "a.test/ → app:80")
const guarded = ingress("shop/a", ["a.test/ → app:80", "a.test/new → app:80"], {
  "enable-modsecurity": "true",
})
const other = ingress("shop/b", "b.test/ → app:80")
const set = ruleSetOf([{ text: "rules" }])
const { digest } = set
const checking: RuleSetState = { wanted: digest }

/** One pass: what is served of these, when these have rules. */
function pass(ingresses: readonly Ingress[], state?: RuleSetState, owners = ["shop/a"]): readonly Ingress[] {
  const wanted = state === undefined ? [] : owners.map((owner) => ({ owner, set }))
  const states = new Map(state === undefined ? [] : owners.map((owner) => [owner, state]))
  return former.among(snapshot(...ingresses), wanted, states).ingresses
}

test("an Ingress that gets its first rules stays as it was, as a whole, until they are checked", () => {
  pass([open, other])
  expect(pass([guarded, other], checking)).toEqual([open, other])
  expect(pass([guarded, other], checking)).toEqual([open, other])
  expect(pass([guarded, other], { wanted: digest, usable: digest })).toEqual([guarded, other])
})

test("what is tried again of a pass is what that served", () => {
  pass([open, other])
  pass([guarded, other], checking)
  expect(former.in(snapshot(guarded, other)).ingresses).toEqual([open, other])
  pass([guarded, other], { wanted: digest, usable: digest })
  expect(former.in(snapshot(guarded, other)).ingresses).toEqual([guarded, other])
})

test("objects are the same ones while nobody waits", () => {
  const objects = snapshot(open)
  expect(former.among(objects, [], new Map())).toBe(objects)
  expect(former.among(objects, [{ owner: "shop/a", set }], undefined)).toBe(objects)
})

describe("what is there now is served, closed for want of rules,", () => {
  test("where nothing was served before", () => {
    pass([other])
    expect(pass([guarded, other], checking)).toEqual([guarded, other])
  })

  test("at a start", () => {
    expect(pass([guarded], checking)).toEqual([guarded])
  })

  const states: readonly [string, RuleSetState][] = [
    ["its rules are refused", { wanted: digest, trouble: { kind: "refused", reason: "no" } }],
    ["nothing can check them", { wanted: digest, trouble: { kind: "absent", reason: "no" } }],
    ["checking takes too long", { wanted: digest, isOverdue: true }],
  ]
  test.each(states)("when %s", (_, state) => {
    pass([open])
    expect(pass([guarded], checking)).toEqual([open])
    expect(pass([guarded], state)).toEqual([guarded])
    // Nothing open is left to go back to.
    expect(pass([guarded], checking)).toEqual([guarded])
  })

  test("when the Ingress was deleted and created again", () => {
    pass([open])
    const again = { ...guarded, meta: { ...guarded.meta, uid: "another" } }
    expect(pass([again], checking)).toEqual([again])
    expect(pass([], checking, [])).toEqual([])
  })

  test("where it had rules before, and none that can be used", () => {
    pass([guarded], checking)
    expect(pass([{ ...guarded, rules: [] }], checking)).toEqual([{ ...guarded, rules: [] }])
  })
})

test("one whose rules go again is served as it is then", () => {
  pass([open])
  expect(pass([guarded], checking)).toEqual([open])
  const later = ingress("shop/a", "a.test/later → app:80")
  expect(pass([later])).toEqual([later])
})

test("rules of what a server-snippet has are those of its Ingress", () => {
  pass([open])
  expect(pass([guarded], checking, ["shop/a/server"])).toEqual([open])
  const named = ingress("shop/server", "s.test/ → app:80")
  former = new FormerIngresses()
  pass([named])
  const withRules = { ...named, meta: { ...named.meta } }
  const served = pass([withRules], checking, ["shop/server"])
  expect([qualifiedName(served[0]?.meta ?? named.meta), served[0] === named]).toEqual(["shop/server", true])
})
