import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, test } from "vitest"
import { ask, keptMs } from "../../../harness/http.ts"
import type { Nginx } from "../../../harness/nginx.ts"
import { isRunning, memoryBytesOf, signal, untilWorked } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { counters, hostConf, location, proxied, startHost } from "./support/host.ts"
import { type Call, OUTSIDE, type RawFilter, read, result, WRAPPING, writeRaw } from "./support/raw.ts"

const ZONE = "shm_kv learned 1m slots=64;"
/** Cell number of a gauge. */
const GAUGE = 4
const PUT = "put learned/a x"

async function run(script: string, wasm = ZONE): Promise<string[]> {
  await using nginx = await startHost(() => ({
    wasm,
    server: location("/", `headers: ${script}; respond 200`),
  }))
  return (await nginx.get("/")).body.split(" ")
}

describe("opening", () => {
  test("gives each id a slot of its own, which it keeps as long as it is listed", async () => {
    const [, , first = "", , second = ""] = await run(
      `${PUT}; slot-open learned/a 10 20 30; slot-numbers learned/a; slot-open learned/a 40 30 10; slot-numbers learned/a`,
    )
    const [a = "", b = "", c = ""] = first.split(",")
    expect(new Set([a, b, c]).size).toBe(3)
    const [d = "", ...kept] = second.split(",")
    expect(kept).toEqual([c, a])
    expect([a, b, c]).not.toContain(d)
  })

  test("is refused to who has not seen the latest value, and changes nothing", async () => {
    expect(
      await run(
        `${PUT}; slot-open learned/a 1; slot-add 0 learned/a 0 5; slot-see learned/a; put learned/a y; slot-open learned/a 2; slot-get 0 learned/a`,
      ),
    ).toEqual(["0", "0", "0:5", "0", "8", "5"])
  })

  test("without a key, or in a zone without slots: NOT_FOUND", async () => {
    expect(
      await run("slot-open learned/a 1; slot-open none/a 1; put backends/a x; slot-open backends/a 1"),
    ).toEqual(["1", "1", "0", "1"])
  })

  test("more than there are: INTERNAL_FAILURE, and nothing changes", async () => {
    expect(
      await run(
        `${PUT}; slot-open learned/a 1 2; slot-add 0 learned/a 1 5; slot-open learned/a 2 3 4 5; slot-get 0 learned/a; slot-open learned/a 2 3 4; slot-get 0 learned/a; slot-open learned/a`,
        "shm_kv learned 1m slots=4;",
      ),
    ).toEqual(["0", "0", "0:5", "10", "0,5", "0", "5,0,0", "0"])
  })
})

test("cells and gauge of a slot are separate numbers", async () => {
  expect(
    await run(
      `${PUT}; slot-open learned/a 1 2; slot-add 0 learned/a 0 7; slot-add 3 learned/a 0 -1; slot-add 4 learned/a 0 2; slot-get 0 learned/a; slot-get 1 learned/a; slot-get 3 learned/a; slot-get 4 learned/a`,
    ),
  ).toEqual(["0", "0", "0:7", "0:18446744073709551615", "0:2", "7,0", "0,0", "18446744073709551615,0", "2,0"])
})

test("a swap needs what is expected, and says what is there otherwise", async () => {
  expect(
    await run(
      `${PUT}; slot-open learned/a 1; slot-swap 1 learned/a 0 0 9; slot-swap 1 learned/a 0 0 8; slot-get 1 learned/a; slot-swap 4 learned/a 0 0 1`,
    ),
  ).toEqual(["0", "0", "0:0", "8:9", "9", "2:0"])
})

test("a process's part of a gauge does not go below 0", async () => {
  expect(
    await run(
      `${PUT}; slot-open learned/a 1; slot-add 4 learned/a 0 2; slot-add 4 learned/a 0 -3; slot-add 4 learned/a 0 1`,
    ),
  ).toEqual(["0", "0", "0:2", "0:0", "0:1"])
})

test("slots go with their key, and come back empty under other numbers", async () => {
  const answers = await run(
    `${PUT}; slot-open learned/a 1; slot-numbers learned/a; slot-add 0 learned/a 0 7; slot-add 4 learned/a 0 1; delete learned/a; slot-get 0 learned/a; slot-get 4 learned/a; slot-add 0 learned/a 0 1; slot-add 4 learned/a 0 1; slot-swap 0 learned/a 0 0 1; ${PUT}; slot-open learned/a 1; slot-numbers learned/a; slot-get 0 learned/a; slot-get 4 learned/a`,
    "shm_kv learned 1m slots=1;",
  )
  const [, , before, , , , cell, gauge, add, addGauge, swap, , , after, ...empty] = answers
  expect([cell, gauge, add, addGauge, swap]).toEqual(["0", "0", "1:1", "1:1", "1:0"])
  expect(after).not.toBe(before)
  expect(empty).toEqual(["0", "0"])
  expect(
    await run(`${PUT}; slot-open learned/a 1; many learned/a! learned/b=1; slot-add 0 learned/a 0 1`),
  ).toEqual(["0", "0", "0", "1:1"])
})

test("slots of two zones are told apart by their numbers", async () => {
  expect(
    await run(
      `${PUT}; put more/a x; slot-open learned/a 1; slot-open more/a 1; slot-add 0 learned/a 0 3; slot-add 0 more/a 0 4; slot-add 4 more/a 0 5; slot-get 0 learned/a; slot-get 0 more/a; slot-get 4 learned/a; slot-get 4 more/a`,
      `${ZONE} shm_kv more 1m slots=64;`,
    ),
  ).toEqual(["0", "0", "0", "0", "0:3", "0:4", "0:5", "3", "4", "0", "5"])
})

test("four workers that write at once lose nothing", async () => {
  await using nginx = await startHost(() => ({
    workers: 4,
    wasm: ZONE,
    server:
      location("/begin", `headers: ${PUT}; respond 201`) +
      location(
        "/count",
        "headers: slot-open learned/a 1 2; slot-add 0 learned/a 1 3; slot-count 1 learned/a 1 50; respond 200",
      ) +
      location(
        "/sums",
        "headers: prop ngx.pid; slot-open learned/a 1 2; slot-get 0 learned/a; slot-get 1 learned/a; respond 200",
      ),
  }))
  await nginx.get("/begin")
  const answers: string[] = []
  const client = async () => {
    for (let i = 0; i < 100; i++) answers.push((await nginx.get("/count")).body)
  }
  await Promise.all(Array.from({ length: 8 }, client))
  expect(answers.filter((answer) => !/^0 0:\d+ lost\d+$/.test(answer))).toEqual([])
  const sums = new Map<string, string>()
  await until("every worker to answer", async () => {
    const [, pid = "", sum = ""] = /^0:(\d+) (.*)$/.exec((await nginx.get("/sums")).body) ?? []
    sums.set(pid, sum)
    return sums.size === 4
  })
  expect(new Set(sums.values())).toEqual(new Set(["0 0,2400 0,40000"]))
})

const SHOW = location(
  "/show",
  `headers: slot-open learned/a 1; slot-get 0 learned/a; slot-get ${GAUGE} learned/a; respond 200`,
)
const ENTER = "slot-open learned/a 1; slot-add 0 learned/a 0 1; slot-add 4 learned/a 0 1"

async function shown(nginx: Nginx): Promise<string> {
  return (await nginx.get("/show")).body.slice(2)
}

test("what a killed worker had added to a gauge is gone, what it had added to a cell stays", async () => {
  await using nginx = await startHost(() => ({
    wasm: ZONE,
    server:
      location("/begin", `headers: ${PUT}; respond 201`) +
      SHOW +
      location("/enter", `headers: ${ENTER}; respond 200`),
  }))
  await nginx.get("/begin")
  for (let round = 1; round <= 3; round++) {
    for (const n of [1, 2]) expect((await nginx.get("/enter")).body).toBe(`0 0:${2 * (round - 1) + n} 0:${n}`)
    const [worker = 0] = nginx.workers()
    signal(worker, "SIGKILL")
    await until("another worker", () => nginx.workers().some((pid) => pid !== worker))
    expect(await shown(nginx)).toBe(`${2 * round} 0`)
  }
})

/** A server that lets its clients wait until it is told to answer. */
class Holding implements AsyncDisposable {
  readonly waiting: ServerResponse[] = []
  readonly #server = createServer({ keepAliveTimeout: keptMs }, (_, response) => this.waiting.push(response))

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve))
    return this
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  answer(): void {
    for (const response of this.waiting.splice(0)) response.end("at last")
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

test("a worker that is killed while another one goes on no longer counts after a second", async () => {
  await using slow = await new Holding().start()
  await using nginx = await startHost(() => ({
    wasm: ZONE,
    http: `upstream chosen { server 127.0.0.1:${slow.port}; }`,
    server:
      location("/begin", `headers: ${PUT}; respond 201`) + SHOW + proxied("/enter", `headers: ${ENTER}`),
  }))
  await nginx.get("/begin")
  const [old = 0] = nginx.workers()
  const waiting = nginx.get("/enter").catch(String)
  await until("the request to wait", () => slow.waiting.length === 1)
  await nginx.reload()
  expect(await shown(nginx)).toBe("1 1")
  signal(old, "SIGKILL") // it was shutting down: nobody takes its place
  await waiting
  await until("its part to go", async () => (await shown(nginx)) === "1 0")
})

describe("what select added to a gauge is taken back", () => {
  const COUNT = `slot-open learned/a 1; slot-add ${GAUGE} learned/a 0`
  const steps = (select: string, info: string) =>
    `select: ${COUNT} 1; upstream @x-to; ${select} | info: ${COUNT} -1; ${info}`

  async function serve(script: string, port: number): Promise<Nginx> {
    const nginx = await startHost(() => ({
      wasm: ZONE,
      http: `upstream chosen { server 127.0.0.1:${port}; wasm_upstream_select; }`,
      server:
        location("/begin", `headers: ${PUT}; respond 201`) +
        SHOW +
        location("/trap", "headers: trap") +
        proxied("/", script.replace("@x-to", `127.0.0.1 ${port}`)),
    }))
    await nginx.get("/begin")
    return nginx
  }

  const gauge = (nginx: Nginx) =>
    until("an instance", async () => /^\d+ (\d+)$/.exec((await nginx.get("/show")).body.slice(2))?.[1])

  test("when the attempt ends while there is no instance", async () => {
    await using slow = await new Holding().start()
    await using nginx = await serve(steps("text chosen", "text told"), slow.port)
    // With each fault it takes longer until there is another instance: until it is more than an answer takes.
    await until("an attempt that ends without an instance", async () => {
      const waiting = nginx.get("/")
      await until("the request to wait", () => slow.waiting.length === 1)
      expect(await gauge(nginx)).toBe("1")
      await nginx.get("/trap")
      const { instances } = await counters(nginx)
      slow.answer()
      await waiting
      const isWithout = (await counters(nginx)).instances === instances
      expect(await gauge(nginx)).toBe("0")
      return isWithout
    })
  })

  test.each([
    ["select fails afterwards", steps("trap", "text told"), 1],
    ["info fails before it takes it back", `select: ${COUNT} 1; upstream @x-to | info: trap`, 0],
    ["info fails when it has", steps("text chosen", "trap"), 0],
  ])("when %s", async (_, script, fallbacks) => {
    await using slow = await new Holding().start()
    await using nginx = await serve(script, slow.port)
    const waiting = nginx.get("/")
    await until("the request to wait", () => slow.waiting.length === 1)
    slow.answer()
    expect((await waiting).status).toBe(200)
    expect(await counters(nginx)).toMatchObject({ faults: 1, fallbacks })
    expect(await gauge(nginx)).toBe("0")
  })

  test("and an instance that was built meanwhile takes it back itself", async () => {
    await using slow = await new Holding().start()
    await using nginx = await serve(steps("text chosen", "text told"), slow.port)
    const waiting = nginx.get("/")
    await until("the request to wait", () => slow.waiting.length === 1)
    await nginx.get("/trap")
    expect(await gauge(nginx)).toBe("1")
    slow.answer()
    await waiting
    expect(await gauge(nginx)).toBe("0")
  })
})

test("old and new workers of a reload count together, and the old one's part goes with it", async () => {
  await using slow = await new Holding().start()
  await using nginx = await startHost(() => ({
    wasm: ZONE,
    http: `upstream chosen { server 127.0.0.1:${slow.port}; }`,
    server:
      location("/begin", `headers: ${PUT}; respond 201`) +
      SHOW +
      proxied("/enter", `headers: ${ENTER}`) +
      location("/answered", `headers: ${ENTER}; respond 200`),
  }))
  await nginx.get("/begin")
  const [old = 0] = nginx.workers()
  const waiting = nginx.get("/enter")
  await until("the request to wait", () => slow.waiting.length === 1)
  await nginx.reload()
  expect((await nginx.get("/answered")).body).toBe("0 0:2 0:2")
  slow.answer()
  expect((await waiting).status).toBe(200)
  await until("the old worker to end", () => !isRunning(old))
  expect(await shown(nginx)).toBe("2 1")
})

describe("a reload", () => {
  const server =
    location("/add", `headers: ${PUT}; ${ENTER}; respond 200`) +
    location("/kept", "headers: shared learned/a; respond 200") +
    SHOW

  test("with another number of slots begins with empty ones and keeps the zone", async () => {
    await using nginx = await startHost(() => ({ wasm: ZONE, server }))
    await nginx.get("/add")
    await nginx.reload(await hostConf(() => ({ wasm: "shm_kv learned 1m slots=65;", server })))
    expect((await nginx.get("/kept")).body).toBe("0:x")
    expect(await shown(nginx)).toBe("0 0")
  })

  test("with another size of the zone begins with empty ones and keeps the zone's records", async () => {
    await using nginx = await startHost(() => ({ wasm: ZONE, server }))
    await nginx.get("/add")
    await nginx.reload(await hostConf(() => ({ wasm: "shm_kv learned 2m slots=64;", server })))
    expect((await nginx.get("/kept")).body).toBe("0:x")
    expect(await shown(nginx)).toBe("0 0")
  })

  test("that takes the slots away and gives them back begins with empty ones", async () => {
    await using nginx = await startHost(() => ({ wasm: ZONE, server }))
    await nginx.get("/add")
    await nginx.reload(await hostConf(() => ({ wasm: "shm_kv learned 1m;", server })))
    expect((await nginx.get("/show")).body).toBe("1 none none")
    await nginx.reload(await hostConf(() => ({ wasm: ZONE, server })))
    expect(await shown(nginx)).toBe("0 0")
  })
})

test("workers killed while they open, write and release leave every slot usable", async () => {
  await using nginx = await startHost(() => ({
    wasm: "callback_deadline 0; shm_kv learned 1m slots=24;",
    server:
      location("/begin", `headers: ${PUT}; slot-open learned/a 1; slot-add 0 learned/a 0 7; respond 200`) +
      location("/storm", "headers: slot-storm learned/b 20") +
      location("/repair", "headers: shared learned/a; respond 200") +
      location(
        "/check",
        `headers: delete learned/b; put learned/b x; slot-open learned/b ${ids(23)}; slot-get 0 learned/b; respond 200`,
      ) +
      SHOW,
  }))
  await nginx.get("/begin")
  for (let round = 0; round < 12; round++) {
    const [worker = 0] = nginx.workers()
    const lost = ask({ port: nginx.port }, { path: "/storm" }).catch(String)
    await untilWorked(worker, 0.02 + 0.01 * (round % 5))
    signal(worker, "SIGKILL")
    await until("another worker", () => nginx.workers().some((pid) => pid !== worker))
    expect(await lost).toMatch(/ECONNRESET|socket hang up/)
    await nginx.get("/repair") // which moves all versions: who opens right then is told to read again
    expect([round, await shown(nginx)]).toEqual([round, "7 0"])
    expect((await nginx.get("/check")).body).toBe(`0 0 0 ${Array(23).fill(0).join(",")}`)
  }
})

const ids = (count: number) => Array.from({ length: count }, (_, i) => i).join(" ")

test("slots that nobody uses take no memory", async () => {
  const server = "location / { return 200; }"
  const used = async (wasm: string) => {
    await using nginx = await startHost(() => ({ wasm, server }))
    return memoryBytesOf(nginx.pid)
  }
  const without = await used("shm_kv learned 1m;")
  expect((await used("shm_kv learned 1m slots=65536;")) - without).toBeLessThan(1.5 * 1024 * 1024)
})

describe("malformed arguments", () => {
  const OK = 0
  const NOT_FOUND = 1
  const BAD_ARGUMENT = 2
  const BAD_ADDRESS = 6
  /** Little-endian numbers as text; a bigint takes eight bytes. */
  const pack = (...numbers: (number | bigint)[]) =>
    numbers
      .map((number) => {
        const bytes = Buffer.alloc(typeof number === "bigint" ? 8 : 4)
        if (typeof number === "bigint") bytes.writeBigUInt64LE(number)
        else bytes.writeUInt32LE(number)
        return bytes.toString("latin1")
      })
      .join("")
  const call = (name: string, args: string): Call => [
    "proxy_call_foreign_function",
    name,
    args,
    result(0),
    result(4),
  ]
  const at = (name: string, address: number, length: number): Call => [
    "proxy_call_foreign_function",
    name,
    address,
    length,
    result(0),
    result(4),
  ]
  const cases: [string, Call, number][] = [
    ["open: nothing", call("wick_open_slots", ""), BAD_ARGUMENT],
    ["open: cut off", call("wick_open_slots", `${pack(0n, 1, 9)}learned/a`), BAD_ARGUMENT],
    ["open: too many", call("wick_open_slots", `${pack(0n, 0, 9)}learned/a!`), BAD_ARGUMENT],
    ["open: more than fit", call("wick_open_slots", `${pack(0n, 0x7f7f7f7f, 9)}learned/a`), BAD_ARGUMENT],
    ["open: no such key", call("wick_open_slots", `${pack(0n, 0, 9)}learned/a`), NOT_FOUND],
    ["open: nowhere", at("wick_open_slots", OUTSIDE, 25), BAD_ADDRESS],
    ["open: around the end", at("wick_open_slots", WRAPPING, 25), BAD_ADDRESS],
    ["find: nothing", call("wick_find_slots", ""), BAD_ARGUMENT],
    ["find: cut off", call("wick_find_slots", `${pack(0n, 1, 9)}learned/a`), BAD_ARGUMENT],
    ["find: no such key", call("wick_find_slots", `${pack(0n, 1, 9, 5n)}learned/a`), OK],
    ["find: no such zone", call("wick_find_slots", `${pack(0n, 0, 9)}nowhere/a`), NOT_FOUND],
    ["find: nowhere", at("wick_find_slots", OUTSIDE, 25), BAD_ADDRESS],
    ["get: nothing", call("wick_get_slots", ""), BAD_ARGUMENT],
    ["get: none", call("wick_get_slots", pack(0, 0)), OK],
    ["get: no such cell", call("wick_get_slots", pack(5, 0)), BAD_ARGUMENT],
    ["get: cut off", call("wick_get_slots", pack(0, 2, 1n, 0n)), BAD_ARGUMENT],
    ["get: too many", call("wick_get_slots", pack(0, 1, 1n, 0n, 0n)), BAD_ARGUMENT],
    ["get: numbers of no slot", call("wick_get_slots", pack(0, 2, 1n, 5n, 0x7fn << 24n, 5n)), OK],
    ["get: nowhere", at("wick_get_slots", OUTSIDE, 24), BAD_ADDRESS],
    ["add: cut off", call("wick_add_slot", pack(0, 0, 1n)), BAD_ARGUMENT],
    ["add: too many", call("wick_add_slot", pack(0, 0, 1n, 1n, 1n)), BAD_ARGUMENT],
    ["add: no such cell", call("wick_add_slot", pack(5, 0, 1n, 1n)), BAD_ARGUMENT],
    ["add: a word that must be 0", call("wick_add_slot", pack(0, 1, 1n, 1n)), BAD_ARGUMENT],
    ["add: number of no slot", call("wick_add_slot", pack(0, 0, 1n, 1n)), NOT_FOUND],
    ["add: number of no zone", call("wick_add_slot", pack(0, 0, 0x7fn << 24n, 1n)), NOT_FOUND],
    ["add: nowhere", at("wick_add_slot", OUTSIDE, 24), BAD_ADDRESS],
    ["swap: cut off", call("wick_swap_slot", pack(0, 0, 1n, 1n)), BAD_ARGUMENT],
    ["swap: number of no slot", call("wick_swap_slot", pack(0, 0, 1n, 1n, 1n)), NOT_FOUND],
    ["swap: nowhere", at("wick_swap_slot", WRAPPING, 32), BAD_ADDRESS],
  ]

  test("are told apart, and read or write nothing elsewhere", async () => {
    const filter: RawFilter = { steps: { request_headers: cases.map(([, call]) => call) } }
    await using nginx = await startHost((site) => ({
      wasm: `${ZONE} module raw ${writeRaw(site.dir, "raw", filter)};`,
      server:
        "location /run { proxy_wasm raw; return 204; } location /dump { proxy_wasm raw dump; return 204; }",
    }))
    expect((await nginx.get("/run")).status).toBe(204)
    const dump = await fetch(`http://127.0.0.1:${nginx.port}/dump`)
    const answered = read(filter, new Uint8Array(await dump.arrayBuffer()))
    expect(cases.map(([name], i) => [name, answered[i]?.status])).toEqual(
      cases.map(([name, , status]) => [name, status]),
    )
  })
})
