import { afterAll, beforeAll, expect, test } from "vitest"
import { Backend } from "../../../harness/backends.ts"
import { counters, startHost } from "./support/host.ts"
import { type Import, imports } from "./support/imports.ts"
import { allocator, basics, writeText } from "./support/raw.ts"

// Filters that call everything with anything. Each seed is another filter, the same on each run.

const backend = new Backend("own")
beforeAll(() => backend.start())
afterAll(() => backend.stop())

const CALLS_PER_STEP = 250
const steps: readonly (readonly [name: string, parameters: number, answers: boolean])[] = [
  ["request_headers", 3, true],
  ["request_body", 3, true],
  ["upstream_select", 1, false],
  ["upstream_info", 2, false],
  ["response_headers", 3, true],
  ["log", 1, false],
  ["delete", 1, false],
]
/** These end the callback by themselves, or stop it when it is not their step. */
const ending = ["proc_exit", "abort", "proxy_accept_upstream_response"]
const ofAttempts = [
  "proxy_set_upstream",
  "proxy_get_upstream_timeouts",
  "proxy_set_upstream_timeouts",
  ...ending,
]

/** Texts that calls may hit by chance: names, keys, paths, addresses, a header map of one pair. */
const texts = [
  "backends/key",
  "request\\00headers\\00host",
  "ngx\\00args",
  "x-name",
  ":path",
  "127.0.0.1:1",
  "wick_list_shared_data",
  "wick_set_shared_data_many",
  "wick_expand",
  "wick_get_cookie",
  "wick_set_cookie",
  "wick_match",
  "wick_check_pattern",
  "wick_open_slots",
  "wick_find_slots",
  "wick_get_slots",
  "wick_add_slot",
  "wick_swap_slot",
  "\\01\\00\\00\\00\\01\\00\\00\\00\\01\\00\\00\\00a\\00b\\00",
]
const places = texts.map((_, i) => 64 * (i + 1))
const data = texts.map((text, i) => `(data (i32.const ${places[i]}) "${text}")`).join("\n")
const lengths = [0, 1, 4, 5, 6, 10, 11, 12, 13, 14, 15, 16, 18, 20, 21, 24, 25]
const edges = [-1, -8, 2 ** 31 - 1, -(2 ** 31), 65_520, 65_532, 65_535, 65_536, 40_000]

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function anything(random: () => number): number {
  const from = (values: readonly number[]) => values[Math.floor(random() * values.length)] ?? 0
  const kind = random()
  if (kind < 0.35) return from(places)
  if (kind < 0.65) return from(lengths)
  if (kind < 0.8) return from(edges)
  return kind < 0.9 ? Math.floor(random() * 65_536) : Math.floor(random() * 2 ** 32) - 2 ** 31
}

function call([, name, parameters, result]: Import, random: () => number): string {
  const types: Readonly<Record<string, string>> = { i: "i32", I: "i64", d: "f64" }
  const values = [...parameters].map((kind) => `(${types[kind]}.const ${anything(random)})`)
  const text = `(call $${name} ${values.join(" ")})`
  return result === undefined ? text : `(drop ${text})`
}

function filter(seed: number): string {
  const random = randomFrom(seed)
  const functions = steps.map(([step, parameters, answers]) => {
    const left = step === "upstream_select" || step === "upstream_info" ? ending : ofAttempts
    const callable = imports.filter(([, name]) => !left.includes(name))
    const some = () => callable[Math.floor(random() * callable.length)]
    const calls = Array.from({ length: CALLS_PER_STEP }, () => {
      const one = some()
      return one === undefined || (one[1] === "proxy_set_upstream" && step === "upstream_info")
        ? ""
        : call(one, random)
    })
    return `(func (export "proxy_on_${step}") (param ${"i32 ".repeat(parameters)}) ${answers ? "(result i32)" : ""}
      ${calls.join("\n")} ${answers ? "(i32.const 0)" : ""})`
  })
  return [basics, allocator, data, ...functions].join("\n")
}

test.each(Array.from({ length: 12 }, (_, i) => i + 1))("anything goes, seed %i", async (seed) => {
  await using nginx = await startHost((site) => ({
    wasm: `module anything ${writeText(site.dir, "anything", filter(seed))}; callback_deadline 200ms;`,
    http: `upstream chosen { server 127.0.0.1:${backend.port}; wasm_upstream_select max_tries=2; }`,
    server: "location / { proxy_wasm anything; proxy_connect_timeout 1s; proxy_pass http://chosen; }",
  }))
  const worker = nginx.workers()[0]
  for (let i = 0; i < 3; i++) {
    const request = nginx.get("/", { method: "POST", body: "a body", headers: { "x-name": "value" } })
    const status = await request.then(
      (answer) => answer.status,
      () => 504, // a timeout of a few milliseconds that the filter chose may end an answer half-way
    )
    expect(status).toBeGreaterThanOrEqual(200)
  }
  await counters(nginx)
  expect(nginx.workers()).toEqual([worker])
  expect(nginx.errorLog()).not.toMatch(/panic|exited on signal|\[alert\]/)
})
