// `wick policy check` on policies with faults: each is found, and said in a sentence that an author understands.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { root } from "../../harness/paths.ts"
import { compile } from "../../lab/policy/build.ts"
import { check } from "../../lab/policy/check/check.ts"
import { describe as description } from "../../lab/policy/description.ts"
import { Failure } from "../../lab/policy/failure.ts"
import { simulate } from "../../lab/policy/simulate.ts"
import { generate } from "../../lab/simulate/scenarios.ts"

const folder = mkdtempSync(join(tmpdir(), "wick-policy-"))
afterAll(() => rmSync(folder, { recursive: true }))

let wasm = new Uint8Array()
beforeAll(async () => {
  wasm = new Uint8Array(await compile(join(root, "test/lab/policy/assembly/policy.ts")))
  writeFileSync(join(folder, "policy.wasm"), wasm)
})

/** The policy with a fault, and what it promises. */
const subject = (config: string, even = false, sticky = false) => ({
  name: "faulty",
  folder,
  file: join(folder, "policy.wasm"),
  wasm: wasm as Uint8Array<ArrayBuffer>,
  description: {
    promises: { even, sticky },
    request: { key: "/item/{n}", headers: {}, cookies: {} },
    config,
  },
})

/** What is wrong, by property. */
async function problems(config: string, even?: boolean, sticky?: boolean, patienceMs?: number) {
  const findings = await check(subject(config, even, sticky), () => {}, patienceMs)
  return findings
    .filter(({ problem }) => problem !== undefined)
    .map(({ name, problem }) => `${name}: ${problem}`)
}

test("a policy without faults passes, with all that it promises", async () => {
  expect(await problems("", true)).toEqual([])
})

describe("what is wrong is said", () => {
  test.for([
    ["decline", /^chooses of 1, 2, 10 and 1000 endpoints: It declines every time/m],
    ["trap", /^speaks the ABI: proxy_on_upstream_select trapped: unreachable in policy\/pick/m],
    ["range", /: It chose the endpoint 10 of 10$/m],
    ["again", /^keeps away from endpoints that a request has tried: Attempt 2 chose endpoint 0 of 2 again/m],
    ["memory", /^needs no more memory with time: .*KiB more|more than 16 MiB/m],
    ["slow", /^is quick: A pick of 1000 endpoints takes \d+ µs/m],
  ] as const)("%s", async ([fault, sentence]) => {
    expect((await problems(fault)).join("\n")).toMatch(sentence)
  })

  test("a loop ends after the patience", async () => {
    expect(await problems("loop", false, false, 2000)).toEqual([
      "speaks the ABI: It did not come back within 2 s: does it loop?",
    ])
  })

  test("what it promised", async () => {
    expect((await problems("uneven", true)).join("\n")).toMatch(
      /^is even by weight: Of 100000 picks an endpoint/,
    )
    expect((await problems("unsticky", false, true)).join("\n")).toMatch(/keys moved whose endpoint stayed$/)
    expect((await problems("", false, true)).join("\n")).toMatch(
      /The same key did not get the same endpoint twice/,
    )
  })

  test("what is no policy at all", async () => {
    const of = (wasm: Uint8Array<ArrayBuffer>) => check({ ...subject(""), wasm }, () => {})
    expect((await of(new Uint8Array(8)))[0]?.problem).toMatch(/^WebAssembly.Module\(\): expected magic word/)
    const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)
    expect(await of(empty)).toMatchObject([{ problem: "It does not export memory" }])
  })
})

test("what the compiler refuses is said with its words", async () => {
  const file = join(folder, "policy.ts")
  writeFileSync(
    file,
    'import { Endpoints } from "wick-policy"\nexport function pick(endpoints: Endpoints): i32 {\n',
  )
  await expect(compile(file)).rejects.toThrow(/The compiler refuses .*policy\.ts[\s\S]*in policy\.ts\(/)
})

test("a replay goes on after faults, with round robin", () => {
  const trace = generate("steady", { seed: 1, seconds: 2, endpoints: 3, rate: 50 })
  const { results, faults, firstFault } = simulate(subject("range"), [], trace, { seed: 1, workers: 2 })
  expect(results[0]).toMatchObject({ failed: 0 })
  expect(results[0]?.requests).toBe(faults)
  expect(firstFault).toBe("It chose the endpoint 3 of 3")
})

test("a policy.yaml that cannot be read is a sentence", () => {
  const file = join(folder, "policy.yaml")
  const refusal = (text: string) => {
    writeFileSync(file, text)
    try {
      return description(file).config
    } catch (error) {
      return error instanceof Failure ? error.message.replace(`${folder}/`, "") : error
    }
  }
  expect(refusal("promises: { fair: true }")).toBe(
    'policy.yaml: promises: "fair" is unknown; there are even, sticky',
  )
  expect(refusal("promises: { even: 1 }")).toBe('policy.yaml: promises: "even" must be true or false')
  expect(refusal("request: { headers: { x: 1 } }")).toBe(
    'policy.yaml: request: headers: "x" must be a text, in quotes if it looks like a number',
  )
  expect(refusal("a: [")).toMatch(/^Cannot read policy.yaml: /)
  expect(refusal("config: hello")).toBe("hello")
})
