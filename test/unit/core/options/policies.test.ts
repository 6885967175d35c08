// The keys of the ConfigMap about balancing policies, and the names that load-balance takes.

import { generateKeyPairSync } from "node:crypto"
import { describe, expect, test } from "vitest"
import { algorithm, builtIn, policyIn } from "../../../../controller/core/options/algorithm.ts"
import { defaultSettings, parseSettings } from "../../../../controller/core/options/configmap.ts"
import { noObjects } from "../../../../controller/core/options/key.ts"
import { noCapabilities } from "../../../../controller/model/capabilities.ts"
import type { ConfigMap } from "../../../../controller/model/objects/config-map.ts"
import { meta } from "../../../../harness/objects.ts"

function parsed(data: Readonly<Record<string, string>>, lastGood = defaultSettings) {
  const settings: ConfigMap = { kind: "ConfigMap", meta: meta("wick/settings"), data }
  const there: ConfigMap = { kind: "ConfigMap", meta: meta("wick/policies"), data: {} }
  const configMap = (name: string) => (name === "wick/policies" ? there : undefined)
  return parseSettings(settings, lastGood, {
    ...noObjects,
    configMap,
    capabilities: noCapabilities,
  })
}

const digest = "0123456789abcdefABCDEF0123456789".repeat(2)

describe("policies", () => {
  test("one in each line, with what it has to fulfil", () => {
    const text = `# ours
      spill-over
      legacy sha256:${digest} sha256:${"1".repeat(64)} namespaces=shop,cart   # until March
      nobody namespaces=,
    `
    expect(parsed({ policies: text }).settings.allowedPolicies).toEqual([
      { name: "spill-over" },
      { name: "legacy", digests: [digest.toLowerCase(), "1".repeat(64)], namespaces: ["shop", "cart"] },
      { name: "nobody", namespaces: [] },
    ])
  })

  test.each([
    ["Spill_Over", "write the name of a policy"],
    ["a sha256:12", "write NAME, sha256: with 64 hex digits"],
    ["a namespace=shop", "write NAME, sha256: with 64 hex digits"],
    ["a\na", "a is there twice"],
    ["../a", "write the name of a policy"],
    [Array.from({ length: 257 }, (_, at) => `p${at}`).join("\n"), "write at most 256 policies"],
  ])("%j is refused as a whole, and what was allowed before stays", (text, reason) => {
    const before = { ...defaultSettings, allowedPolicies: [{ name: "good" }] }
    const { settings, problems } = parsed({ policies: text }, before)
    expect(settings.allowedPolicies).toEqual([{ name: "good" }])
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(reason)])
  })
})

describe("policies-public-key", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString()

  test("is a key of ECDSA P-256, however it is wrapped", () => {
    expect(
      parsed({ "policies-public-key": `\n${pem.replaceAll("\n", "\r\n")}\n` }).settings.policiesPublicKey,
    ).toBe(pem)
  })

  test.each([
    ["no key", "cosign.pub"],
    ["a private key", privateKey.export({ type: "pkcs8", format: "pem" }).toString()],
    [
      "a key of another kind",
      generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString(),
    ],
  ])("%s lets no policy in", (_, text) => {
    const { settings, problems } = parsed({ "policies-public-key": text })
    expect([settings.policiesPublicKey, problems.map(({ code }) => code)]).toEqual([null, ["value-refused"]])
  })

  test("that becomes unreadable is the one before", () => {
    const before = { ...defaultSettings, policiesPublicKey: pem }
    expect(parsed({ "policies-public-key": "?" }, before).settings.policiesPublicKey).toBe(pem)
  })
})

test("policies-configmap names a ConfigMap, which is looked for until it is there", () => {
  const named = (name: string) => {
    const { settings, problems } = parsed({ "policies-configmap": name })
    return [settings.policiesConfigMap, problems.map(({ message }) => message)]
  }
  expect(named("wick/policies")).toEqual([{ namespace: "wick", name: "policies" }, []])
  expect(named("wick/other")).toEqual([
    { namespace: "wick", name: "other" },
    ['Key "policies-configmap" is used in part: there is no ConfigMap "wick/other"'],
  ])
})

describe("load-balance", () => {
  test("names an algorithm of wick's own, or a policy", () => {
    const { settings } = parsed({ "load-balance": "wasm/spill-over" })
    expect([policyIn(settings.loadBalance), builtIn(settings.loadBalance)]).toEqual([
      "spill-over",
      "round_robin",
    ])
    expect([policyIn("ewma"), builtIn("ewma"), policyIn(undefined)]).toEqual([undefined, "ewma", undefined])
  })

  test.each([
    "wasm/",
    "wasm/a/b",
    "wasm/A",
    "wasm/..",
    `wasm/${"a".repeat(64)}`,
    "wasm/a b",
    "WASM/a",
  ])("%j names nothing", (text) => expect(algorithm(text).kind).toBe("refused"))
})
