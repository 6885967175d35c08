import { describe, expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import type { Nginx, Site } from "../../../harness/nginx.ts"
import { signal, untilWorked } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { hostConf, location, startHost } from "./support/host.ts"
import { allocator, basics, writeText } from "./support/raw.ts"

/** The directive that loads a filter of the given functions. */
function module(site: Site, name: string, functions: string): string {
  return `module ${name} ${writeText(site.dir, name, basics + allocator + functions)};`
}

/** Counts the eight bytes of `backends/n` up by compare-and-swap and answers with the new number. */
const counting = `
  (data (i32.const 16) "backends/n")
  (func (export "proxy_on_request_headers") (param i32 i32 i32) (result i32)
    (loop $again
      (drop (call $proxy_get_shared_data (i32.const 16) (i32.const 10) (i32.const 64) (i32.const 68) (i32.const 72)))
      (i64.store (i32.const 80) (i64.add (i64.load (i32.load (i32.const 64))) (i64.const 1)))
      (br_if $again (call $proxy_set_shared_data (i32.const 16) (i32.const 10) (i32.const 80) (i32.const 8) (i32.load (i32.const 72)))))
    (call $proxy_send_local_response (i32.const 200) (i32.const 0) (i32.const 0) (i32.const 80) (i32.const 8) (i32.const 0) (i32.const 0) (i32.const -1)))`

test("compare-and-swap by four workers at once loses no update and repeats none", async () => {
  await using nginx = await startHost((site) => ({
    workers: 4,
    wasm: module(site, "counting", counting),
    server: `${location("/begin", "headers: put backends/n 00000000; respond 201")} location /count { proxy_wasm counting; return 404; }`,
  }))
  await nginx.get("/begin")
  const start = 0x3030303030303030n // the text above
  const seen = new Set<bigint>()
  const client = async () => {
    for (let i = 0; i < 125; i++) seen.add(await count(nginx))
  }
  await Promise.all(Array.from({ length: 8 }, client))
  expect(seen.size).toBe(1000)
  expect((await count(nginx)) - start).toBe(1001n)
})

async function count(nginx: Nginx): Promise<bigint> {
  const answer = await fetch(`http://127.0.0.1:${nginx.port}/count`, { headers: { connection: "close" } })
  return new DataView(await answer.arrayBuffer()).getBigUint64(0, true)
}

/**
 * With the configuration `write`: writes and deletes 32 keys for ever; a value is 8·b times the byte b. Otherwise: checks
 * each value (510 when one is torn), then writes and reads all keys (511 when that fails).
 */
const writing = `
  (data (i32.const 16) "backends/k?")
  (global $writer (mut i32) (i32.const 0))
  (global $seed (mut i32) (i32.const 1))
  (func (export "proxy_on_configure") (param i32 i32) (result i32)
    (if (local.get 1) (then (global.set $writer (local.get 0))))
    (i32.const 1))
  (global $writes (mut i32) (i32.const 0))
  (func (export "proxy_on_context_create") (param i32 i32)
    (global.set $writes (i32.and (i32.ne (local.get 1) (i32.const 0)) (i32.eq (local.get 1) (global.get $writer)))))
  (func $key (param $i i32) (i32.store8 (i32.const 26) (i32.add (i32.const 65) (local.get $i))))
  (func $set (param $b i32) (result i32)
    (memory.fill (i32.const 4096) (local.get $b) (i32.shl (local.get $b) (i32.const 3)))
    (call $proxy_set_shared_data (i32.const 16) (i32.const 11) (i32.const 4096) (i32.shl (local.get $b) (i32.const 3)) (i32.const 0)))
  (func $get (result i32)
    (call $proxy_get_shared_data (i32.const 16) (i32.const 11) (i32.const 64) (i32.const 68) (i32.const 72)))
  (func $torn (result i32) (local $i i32) (local $b i32)
    (local.set $b (i32.load8_u (i32.const 40000)))
    (if (i32.ne (i32.load (i32.const 68)) (i32.shl (local.get $b) (i32.const 3))) (then (return (i32.const 1))))
    (loop $next
      (if (i32.ne (i32.load8_u (i32.add (i32.const 40000) (local.get $i))) (local.get $b)) (then (return (i32.const 1))))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.load (i32.const 68)))))
    (i32.const 0))
  (func $write
    (loop $forever
      (global.set $seed (i32.add (i32.mul (global.get $seed) (i32.const 1664525)) (i32.const 1013904223)))
      (call $key (i32.and (i32.shr_u (global.get $seed) (i32.const 16)) (i32.const 31)))
      (if (i32.and (i32.shr_u (global.get $seed) (i32.const 24)) (i32.const 3))
        (then (drop (call $set (i32.or (i32.const 1) (i32.and (i32.shr_u (global.get $seed) (i32.const 8)) (i32.const 255))))))
        (else (drop (call $proxy_set_shared_data (i32.const 16) (i32.const 11) (i32.const 0) (i32.const 0) (i32.const 0)))))
      (br $forever)))
  (func $check (result i32) (local $i i32)
    (loop $next
      (call $key (local.get $i))
      (if (i32.eqz (call $get)) (then (if (call $torn) (then (return (i32.const 510))))))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 32))))
    (local.set $i (i32.const 0))
    (loop $next
      (call $key (local.get $i))
      (if (call $set (i32.add (local.get $i) (i32.const 1))) (then (return (i32.const 511))))
      (if (i32.or (call $get) (call $torn)) (then (return (i32.const 511))))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 32))))
    (i32.const 200))
  (func (export "proxy_on_request_headers") (param i32 i32 i32) (result i32)
    (if (global.get $writes) (then (call $write)))
    (call $proxy_send_local_response (call $check) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const -1)))`

test("a worker that is killed while it writes leaves a store that is whole and works", async () => {
  await using nginx = await startHost((site) => ({
    wasm: `callback_deadline 0; ${module(site, "writing", writing)}`,
    server: `location /write { proxy_wasm writing write; return 404; } location /check { proxy_wasm writing; return 404; }
      ${location("/list", "headers: list backends/ 7; respond 200")}`,
  }))
  for (let round = 0; round < 12; round++) {
    const [worker = 0] = nginx.workers()
    const lost = ask({ port: nginx.port }, { path: "/write" }).catch((error) => String(error))
    await untilWorked(worker, 0.03 + 0.01 * (round % 5))
    signal(worker, "SIGKILL")
    await until("another worker", () => nginx.workers().some((pid) => pid !== worker))
    expect(await lost).toMatch(/ECONNRESET|socket hang up/)
    expect([round, (await nginx.get("/check")).status]).toEqual([round, 200])
    expect((await nginx.get("/list")).body.split(",")).toHaveLength(32)
  }
})

test("a repaired zone is counted and told in the log", async () => {
  await using nginx = await startHost((site) => ({
    wasm: `callback_deadline 0; ${module(site, "writing", writing)}`,
    server: `location /write { proxy_wasm writing write; return 404; } location /check { proxy_wasm writing; return 404; }
      location = /repairs { return 200 "$wasm_repairs"; }`,
  }))
  const repairs = async () => Number((await nginx.get("/repairs")).body)
  // Not every kill meets the writer with the lock in its hand.
  for (let kills = 0; kills < 100 && (await repairs()) === 0; kills++) {
    const [worker = 0] = nginx.workers()
    const lost = ask({ port: nginx.port }, { path: "/write" }).catch(() => undefined)
    await untilWorked(worker, 0.02)
    signal(worker, "SIGKILL")
    await until("another worker", () => nginx.workers().some((pid) => pid !== worker))
    await lost
    expect((await nginx.get("/check")).status).toBe(200)
    await nginx.get("/check")
  }
  expect(await repairs()).toBeGreaterThan(0)
  expect(nginx.errorLog()).toMatch(/shared zones were repaired 1 times because .*: nothing was lost/)
})

describe("a full zone", () => {
  // Halving sizes, twice, so that no hole is left that the last write would fit in.
  const sizes = Array.from({ length: 17 }, (_, i) => 2 ** (19 - i))
  const fill = [...sizes, ...sizes].map((size, i) => `fill routes/f${i} ${size}`).join("; ")
  const value = "x".repeat(60)

  test("refuses many writes over two zones as a whole, and names the one that did not fit", async () => {
    await using nginx = await startHost(() => ({
      wasm: "shm_kv routes 1m;",
      server:
        location("/fill", `headers: ${fill}; respond 200`) +
        location("/many", `headers: many backends/a=1 routes/z=${value} backends/b=2; respond 200`) +
        location("/seen", "headers: shared backends/a; shared routes/z; shared backends/b; respond 200") +
        location("/free", "headers: delete routes/f0; respond 200"),
    }))
    const filled = (await nginx.get("/fill")).body.split(" ")
    expect(new Set(filled)).toEqual(new Set(["0", "10"]))
    expect((await nginx.get("/many")).body).toBe("10@1")
    expect((await nginx.get("/seen")).body).toBe("1 1 1")
    await nginx.get("/free")
    expect((await nginx.get("/many")).body).toBe("0")
    expect((await nginx.get("/seen")).body).toBe(`0:1 0:${value} 0:2`)
  })

  test("keeps a key's value when the next one does not fit, and has room again when it is deleted", async () => {
    await using nginx = await startHost(() => ({
      wasm: "shm_kv routes 1m;",
      server: location(
        "/",
        `headers: put routes/k ${value}; ${fill}; text @; fill routes/k 3000; shared routes/k; delete routes/k; put routes/k short; shared routes/k; respond 200`,
      ),
    }))
    expect((await nginx.get("/")).body.split("@ ")[1]).toBe(`10 0:${value} 0 0 0:short`)
  })
})

describe("a reload", () => {
  const server =
    location("/put", "headers: put backends/a kept; put routes/a kept; respond 201") +
    location("/get", "headers: shared backends/a; shared routes/a; respond 200")

  test("that changes a zone's size empties none", async () => {
    await using nginx = await startHost(() => ({ wasm: "shm_kv routes 1m;", server }))
    await nginx.get("/put")
    await nginx.reload(await hostConf(() => ({ wasm: "shm_kv routes 2m;", server })))
    expect((await nginx.get("/get")).body).toBe("0:kept 0:kept")
    await nginx.get("/put")
    expect((await nginx.get("/get")).body).toBe("0:kept 0:kept")
  })

  test("that drops a zone leaves the rest alone", async () => {
    await using nginx = await startHost(() => ({ wasm: "shm_kv routes 1m;", server }))
    await nginx.get("/put")
    await nginx.reload(await hostConf(() => ({ server })))
    expect((await nginx.get("/get")).body).toBe("0:kept 1")
  })

  test("that adds a module and another order of zones finds each zone's own data", async () => {
    await using nginx = await startHost(() => ({ wasm: "shm_kv routes 1m;", server }))
    await nginx.get("/put")
    await nginx.reload(
      await hostConf(() => ({ main: "", wasm: "shm_kv first 1m; shm_kv routes 1m;", server })),
    )
    expect((await nginx.get("/get")).body).toBe("0:kept 0:kept")
  })

  test("under way: old and new workers share one store", async () => {
    const conf = () => ({
      server: location("/", "headers: swap backends/a x; put backends/a y; shared backends/a; respond 200"),
    })
    await using nginx = await startHost(conf)
    for (let i = 0; i < 3; i++) {
      const before = nginx.get("/")
      await nginx.reload()
      expect((await before).body).toMatch(/0:y$/)
      expect((await nginx.get("/")).body).toBe("0 0 0:y")
    }
  })
})

test("a value beyond 4 MB is a bad argument, one of exactly so much and a long key are kept", async () => {
  const key = "k".repeat(1000)
  await using nginx = await startHost(() => ({
    wasm: "shm_kv routes 8m;",
    server: location(
      "/",
      `headers: fill routes/v 4194304; fill routes/v 4194305; shared routes/${key}; put routes/${key} 1; shared routes/${key}; respond 200`,
    ),
  }))
  expect((await nginx.get("/")).body).toBe("0 2 1 0 0:1")
})
