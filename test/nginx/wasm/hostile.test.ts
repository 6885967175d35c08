import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Backend } from "../../../harness/backends.ts"
import type { Answer } from "../../../harness/http.ts"
import type { Nginx } from "../../../harness/nginx.ts"
import { atMost, timed, workOf } from "../../support/timed.ts"
import { counters, startHost } from "./support/host.ts"
import { allocator, basics, writeText } from "./support/raw.ts"

const backend = new Backend("own")
beforeAll(() => backend.start())
afterAll(() => backend.stop())

/** nginx with the module `bad` made of these functions: `/` asks it and proxies, `/plain` does not. */
function serve(functions: string, wasm = ""): Promise<Nginx> {
  return startHost((site) => ({
    wasm: `${wasm} module bad ${writeText(site.dir, "bad", functions)};`,
    http: `upstream chosen { server 127.0.0.1:${backend.port}; wasm_upstream_select; }`,
    server: `location / { proxy_wasm bad; proxy_pass http://chosen; } location /plain { return 200 fine; }`,
  }))
}

/** A callback that answers with the status 200 + the number that `body` leaves. */
const telling = (body: string) => `
  (func (export "proxy_on_request_headers") (param i32 i32 i32) (result i32)
    (call $proxy_send_local_response (i32.add (i32.const 200) (block (result i32) ${body}))
      (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const -1)))`

/** A host function that needs room in the filter's memory. */
const path = `(data (i32.const 16) "request\\00method")`
const asking = `(call $proxy_get_property (i32.const 16) (i32.const 14) (i32.const 64) (i32.const 68))`
const allocate = (body: string) =>
  `(func (export "proxy_on_memory_allocate") (param $size i32) (result i32) ${body})`

async function outcome(nginx: Nginx): Promise<{ answer: Answer; faults: number }> {
  const worker = nginx.workers()[0]
  const answer = await nginx.get("/")
  const { faults } = await counters(nginx)
  expect(nginx.workers()).toEqual([worker])
  expect((await nginx.get("/plain")).body).toBe("fine")
  return { answer, faults }
}

describe("an allocator", () => {
  const BAD_ADDRESS = 206
  const INTERNAL_FAILURE = 210
  test.each([
    ["gives an address outside of memory", "(i32.const 0x7fffff00)", BAD_ADDRESS],
    ["gives room that reaches beyond the end of memory", "(i32.const 65535)", BAD_ADDRESS],
    ["gives a negative address", "(i32.const -1)", BAD_ADDRESS],
    ["gives nothing", "(i32.const 0)", INTERNAL_FAILURE],
    ["moves the memory", "(i32.mul (memory.grow (i32.const 50)) (i32.const 65536))", 200],
    ["asks the host for more, which is refused meanwhile", `(drop ${asking}) (i32.const 40000)`, 200],
  ])("that %s", async (_, body, status) => {
    await using nginx = await serve(basics + path + allocate(body) + telling(asking))
    const { answer, faults } = await outcome(nginx)
    expect([answer.status, faults]).toEqual([status, 0])
  })

  test.each([
    ["traps", "(unreachable)", "unreachable"],
    ["never returns", "(loop $l (br $l)) (i32.const 0)", "interrupt"],
  ])("that %s is a fault", async (_, body, message) => {
    await using nginx = await serve(basics + path + allocate(body) + telling(asking))
    const { answer, faults } = await outcome(nginx)
    expect([answer.status, faults]).toEqual([500, 1])
    expect(nginx.errorLog()).toMatch(
      new RegExp(`filter "bad" failed in proxy_on_request_headers: .*${message}`),
    )
  })
})

describe("a filter that does not start", () => {
  const select = `(func (export "proxy_on_upstream_select") (param i32) (unreachable))`
  const configure = (body: string) =>
    `(func (export "proxy_on_configure") (param i32 i32) (result i32) ${body} (i32.const 1))`
  test.each([
    ["traps in its start section", "(func $s (unreachable)) (start $s)", "unreachable"],
    ["loops in its start section", "(func $s (loop $l (br $l))) (start $s)", "interrupt"],
    ["loops in _initialize", `(func (export "_initialize") (loop $l (br $l)))`, "interrupt"],
    ["loops in configure", configure("(loop $l (br $l))"), "interrupt"],
    ["leaves", `(func (export "_start") (call $proc_exit (i32.const 3)))`, "proc_exit\\(3\\)"],
    ["is too deep", `(func $s (call $s) (call $s)) (start $s)`, "stack"],
  ])("because it %s serves with the upstream's own method", async (_, functions, message) => {
    await using nginx = await serve(basics + allocator + select + functions)
    const { answer } = await outcome(nginx)
    expect([answer.status, answer.body]).toEqual([200, "own"])
    expect(nginx.errorLog()).toMatch(new RegExp(`filter "bad" failed in [^\\n]*${message}`))
    expect(nginx.errorLog()).not.toMatch(/exited on signal|alert/)
  })

  test("because it wants more memory than it may have", async () => {
    const big = basics.replace("1)", "40)")
    await using nginx = await serve(big + allocator + select, "memory_limit 2m;")
    expect((await outcome(nginx)).answer.body).toBe("own")
    expect(nginx.errorLog()).toMatch(/filter "bad" failed in [^\n]*memory/)
    await using roomy = await serve(big + allocator + telling("(i32.const 1)"), "memory_limit 3m;")
    expect((await outcome(roomy)).answer.status).toBe(201)
  })
})

test("memory that is not given is refused to the filter, which goes on", async () => {
  const grow = "(i32.add (i32.const 2) (memory.grow (i32.const 1000)))" // -1: refused
  await using nginx = await serve(basics + allocator + telling(grow), "memory_limit 2m;")
  const { answer, faults } = await outcome(nginx)
  expect([answer.status, faults]).toEqual([201, 0])
})

describe("an attempt record", () => {
  const select = `(func (export "proxy_on_upstream_select") (param i32))`
  const at = (address: number, type = "i32") =>
    `(global (export "wick_attempt") ${type} (${type}.const ${address}))`
  test.each([
    ["outside of memory", at(0x7fffff00)],
    ["at a negative address", at(-4)],
    ["across the end of memory", `${at(65532)} (data (i32.const 65532) "\\50\\00\\00\\00")`],
    ["of no size", at(1024)],
    ["of a size beyond all memory", `${at(1024)} (data (i32.const 1024) "\\ff\\ff\\ff\\ff")`],
    ["at an odd address", `${at(1025)} (data (i32.const 1025) "\\50\\00\\00\\00")`],
    ["of another type", at(1024, "i64")],
    ["that is a function", `(func (export "wick_attempt"))`],
  ])("%s does no harm", async (_, record) => {
    await using nginx = await serve(basics + allocator + select + record)
    const { answer, faults } = await outcome(nginx)
    expect([answer.body, faults]).toEqual(["own", 0])
  })
})

describe("work that the host does for a filter", () => {
  const whole = "(i32.const 4096) (i32.const 62914560)" // 60 MB
  const big = basics.replace("1)", "970)")
  const texts = `(data (i32.const 0) "backends/") (data (i32.const 16) "x-id") (data (i32.const 32) "wick_get_slots")`
  const filled = (byte: number) => `(memory.fill (i32.const 4096) (i32.const ${byte}) (i32.const 62914560))`
  const cases: [string, string, number?][] = [
    ["random numbers", `(call $random_get ${whole})`],
    ["a log line", `(call $proxy_log (i32.const 2) ${whole})`],
    ["a log line that is no UTF-8", `(call $proxy_log (i32.const 2) ${whole})`, 255],
    ["a log line of a level that is off", `(call $proxy_log (i32.const 1) ${whole})`],
    ["a shared value", `(call $proxy_set_shared_data (i32.const 0) (i32.const 9) ${whole} (i32.const 0))`],
    ["a shared key", `(call $proxy_set_shared_data ${whole} (i32.const 0) (i32.const 9) (i32.const 0))`],
    ["a header", `(call $proxy_add_header_map_value (i32.const 0) (i32.const 16) (i32.const 4) ${whole})`],
    ["many headers", `(call $proxy_set_header_map_pairs (i32.const 0) ${whole})`],
    ["a property", `(call $proxy_get_property ${whole} (i32.const 64) (i32.const 68))`],
    [
      "a foreign function",
      `(call $proxy_call_foreign_function (i32.const 0) (i32.const 9) ${whole} (i32.const 64) (i32.const 68))`,
    ],
    [
      "reading slots",
      `(block (result i32) (i64.store (i32.const 4096) (i64.const ${(3_932_159n << 32n) | 4n}))
        (call $proxy_call_foreign_function (i32.const 32) (i32.const 14) (i32.const 4096) (i32.const 62914552) (i32.const 64) (i32.const 68)))`,
      0,
    ],
  ]
  /** CPU time of a worker, in seconds, for a request whose filter does this. */
  async function costOf(body: string): Promise<number> {
    await using nginx = await serve(big + texts + allocator + telling(`${body} (i32.const 0)`))
    return workOf(nginx.workers(), () => outcome(nginx))
  }

  // Compared with the filter's own filling of its memory, as a busy machine makes both slow.
  timed.each(cases)("%s of 60 MB costs little more than what the filter does", async (_, call, byte = 97) => {
    const own = await costOf(filled(byte))
    atMost(2 * own + 0.2, await costOf(`${filled(byte)} (drop ${call})`))
  })

  test("a log line is cut to what nginx writes, whatever is in it", async () => {
    const bytes = "(memory.fill (i32.const 0) (i32.const 255) (i32.const 30000))"
    const call = "(call $proxy_log (i32.const 2) (i32.const 0) (i32.const 30000))"
    await using nginx = await serve(basics + allocator + telling(`${bytes} ${call}`))
    expect((await outcome(nginx)).answer.status).toBe(200)
    const line = nginx
      .errorLog()
      .split("\n")
      .find((text) => text.includes('["bad" #'))
    expect(line?.length).toBeLessThan(2100)
  })
})
