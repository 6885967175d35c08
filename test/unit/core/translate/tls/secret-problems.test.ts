import { expect, test } from "vitest"
import { isTroubled, secretProblems } from "../../../../../controller/core/translate/tls/secret-problems.ts"
import type { TlsSecretState } from "../../../../../controller/facts/secrets/tls-secret.ts"

const usable = { kind: "usable", secret: {} } as const
const incomplete = { url: "http://ca.test/between.der", reason: "it answers 404" }

test.each<[string, TlsSecretState, string | undefined]>([
  ["usable", usable, undefined],
  ["refused", { kind: "refused", reason: "it is empty" }, "secret-refused"],
  ["stale", { ...usable, stale: { reason: "it is empty" } }, "secret-stale"],
  ["of an incomplete chain", { ...usable, incomplete }, "chain-incomplete"],
])("a Secret that is %s", (_, state, code) => {
  expect(isTroubled(state)).toBe(code !== undefined)
  expect(secretProblems("shop/tls", state).map((problem) => problem.code)).toEqual(code ? [code] : [])
})
