import { expect, test } from "vitest"
import { isTroubled, secretProblems } from "../../../../../controller/core/assemble/tls/secret-problems.ts"
import { readTlsSecret } from "../../../../../controller/facts/secrets/read.ts"
import type { TlsSecretState } from "../../../../../controller/model/tls-secret.ts"
import { secret } from "../../../../../harness/objects.ts"

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

test("a Secret that has lost what it had is said to lack it in the words that alerts of ingress-nginx's users match", () => {
  const reading = readTlsSecret(secret("shop/tls", {}))
  const reason = reading.kind === "refused" ? reading.reason : ""
  const [problem] = secretProblems("shop/tls", { ...usable, stale: { reason } })
  expect(problem?.message).toMatch(/Secret "shop\/tls": it contains no keypair or CA certificate/)
})
