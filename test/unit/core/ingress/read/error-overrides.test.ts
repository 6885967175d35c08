import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { errorOverrides } from "../../../../../controller/core/ingress/read/error-overrides.ts"
import type { Overrides } from "../../../../../controller/model/overrides.ts"

const none = { errorCodes: [], passesErrors: false }

/** As the module reads them: nginx/routes/src/overrides.rs. */
function codesIn({ errorPages400, errorPages450, errorPages500, errorPages550 }: Overrides): number[] {
  const sets = [errorPages400, errorPages450, errorPages500, errorPages550]
  return sets.flatMap((set = 0, at) =>
    [...set.toString(2)].reverse().flatMap((bit, place) => (bit === "1" ? [400 + 50 * at + place] : [])),
  )
}

test("whatever codes an Ingress names, these are the ones that nginx is told", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 400, max: 599 }), { minLength: 1 }), (codes) => {
      const sorted = codes.toSorted((a, b) => a - b)
      const overrides = errorOverrides({ codes: sorted }, none)
      expect(codesIn(JSON.parse(JSON.stringify(overrides)))).toEqual(sorted)
      expect(overrides.proxyInterceptErrors).toBe(true)
    }),
  )
})

describe("errors of the backend", () => {
  const intercepts = (own: boolean | undefined, everywhere: boolean, errorCodes: readonly number[] = []) =>
    errorOverrides(
      { ...(errorCodes.length === 0 && { codes: [404] }), ...(own !== undefined && { passesErrors: own }) },
      { errorCodes, passesErrors: everywhere },
    ).proxyInterceptErrors

  test("pass where the annotation or else the ConfigMap says so", () => {
    expect([intercepts(true, false), intercepts(undefined, true), intercepts(true, true)]).toEqual([
      false,
      false,
      false,
    ])
    expect([intercepts(false, true), intercepts(undefined, false)]).toEqual([true, true])
  })

  test("are as the ConfigMap says with its codes, unless the annotation says something else", () => {
    expect([intercepts(undefined, false, [404]), intercepts(false, false, [404])]).toEqual([
      undefined,
      undefined,
    ])
    expect([intercepts(true, false, [404]), intercepts(false, true, [404])]).toEqual([false, true])
  })
})

test("without any codes there is nothing to say", () => {
  expect(errorOverrides({ passesErrors: true }, none)).toEqual({})
})
