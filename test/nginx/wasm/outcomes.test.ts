import { once } from "node:events"
import { type ClientRequest, type IncomingMessage, request } from "node:http"
import { connect as connectHttp2, constants } from "node:http2"
import type { Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Backend } from "../../../harness/backends.ts"
import type { Nginx } from "../../../harness/nginx.ts"
import { until } from "../../../harness/until.ts"
import { letPass, spanOf } from "../../support/clock.ts"
import { atMost, timed } from "../../support/timed.ts"
import { filter } from "./support/filters.ts"
import { proxied, startHost, traces } from "./support/host.ts"
import { neverAccepting, ok, scripted } from "./support/scripted.ts"

const LEAN = "configure: callbacks upstream_select,upstream_info"
const TELL = "info: text told; ending; trace; say"

let backend: Backend
beforeAll(async () => {
  backend = await new Backend("a").start()
})
afterAll(() => backend.stop())

/** A script that chooses these ports of loopback (or addresses), one attempt after the other. */
const choosing = (...places: (number | string)[]) => `${LEAN} | select: ${turn(...places)} | ${TELL}`
const turn = (...places: (number | string)[]) =>
  `turn ${places.map((place) => (typeof place === "number" ? `127.0.0.1:${place}` : place)).join(" ")}`

async function serve(server: string, select = "", listen = ""): Promise<Nginx> {
  return startHost(
    (site) => ({
      http: `upstream chosen { server 127.0.0.1:1; wasm_upstream_select keepalive=8 ${select}; }
      ${listen && `server { listen 127.0.0.1:${site.ports[1]} ${listen}; ${server} }`}`,
      server,
    }),
    { ports: 2 },
  )
}

type Ending = { failed: string; outcome: number; status: number; connectMs: number; firstByteMs: number }

/** What the filter was told of each attempt that ended; times that are not known are NaN. */
function endings(nginx: Nginx): Ending[] {
  const lines = traces(nginx)
  const states = lines.filter((line) => line.startsWith("info")).map((line) => line.split(" ")[2] ?? "")
  const reports = lines.filter((line) => line.includes(" told "))
  return reports.map((line, i) => {
    const words = line.split(" ")
    const numbers = (words[words.indexOf("told") + 1] ?? "").split(",").map(Number)
    const [outcome = 9, status = 9, connectMs = 9, firstByteUs = 9] = numbers
    return { failed: states[i] ?? "", outcome, status, connectMs, firstByteMs: firstByteUs / 1000 }
  })
}

/** As `endings`, without the times. */
const outcomes = (nginx: Nginx) =>
  endings(nginx).map(({ failed, outcome, status }) => [failed, outcome, status])
const ended = (nginx: Nginx, count = 1) => until("the attempts to end", () => endings(nginx).length >= count)

const ANSWERED = ["0", 0, 200]
const failing = (status = 500) =>
  scripted((socket) => socket.write(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`))

describe("how an attempt ended", () => {
  test("with an answer", async () => {
    await using nginx = await serve(proxied("/", choosing(backend.port)))
    await nginx.get("/")
    expect(outcomes(nginx)).toEqual([ANSWERED])
  })

  test("without a connection: refused, or not in time", async () => {
    await using busy = await neverAccepting()
    await using nginx = await serve(
      proxied("/refused", choosing(1)) +
        proxied("/late", choosing(busy.port), "proxy_connect_timeout 100ms;"),
      "max_tries=1",
    )
    expect((await nginx.get("/refused")).status).toBe(502)
    expect((await nginx.get("/late")).status).toBe(504)
    expect(outcomes(nginx)).toEqual(Array(2).fill(["1", 1, 0]))
    const [, late] = endings(nginx)
    expect(late?.connectMs).toBeNaN()
    expect(late?.firstByteMs).toBeGreaterThan(90)
  })

  test("without a connection at once, after an attempt that had one", async () => {
    await using bad = await failing()
    // The kernel refuses to connect to the broadcast address right away.
    await using nginx = await serve(
      proxied("/", choosing(bad.port, "255.255.255.255:80"), "proxy_next_upstream http_500 error;"),
      "max_tries=2",
    )
    await nginx.get("/")
    expect(outcomes(nginx)).toEqual([
      ["1", 3, 500],
      ["1", 1, 0],
    ])
  })

  test("without a head: closed, silent for too long, or with a head that is none", async () => {
    await using closing = await scripted((socket) => void socket.destroy())
    await using silent = await scripted(() => {})
    await using babbling = await scripted((socket) => socket.write("HTTP/1.1 200 OK\r\nno header\r\n\r\n"))
    await using partial = await scripted((socket) => socket.end("HTTP/1.1 200 OK\r\nX-A: b"))
    await using nginx = await serve(
      [closing, silent, babbling, partial]
        .map(({ port }, i) => proxied(`/${i}`, choosing(port), "proxy_read_timeout 2s;"))
        .join(""),
      "max_tries=1",
    )
    for (let i = 0; i < 4; i++) expect((await nginx.get(`/${i}`)).status).toBeGreaterThan(501)
    expect(outcomes(nginx)).toEqual(Array(4).fill(["1", 2, 0]))
    const [, waited] = endings(nginx)
    const { connectMs = Number.NaN, firstByteMs = Number.NaN } = waited ?? {}
    // nginx began to wait when there was a connection.
    expect(firstByteMs - connectMs).toBeGreaterThan(1990)
  })

  test("with a status that counts as failed, retried or the last", async () => {
    await using bad = await failing(503)
    await using nginx = await serve(
      proxied("/", choosing(bad.port, bad.port, backend.port), "proxy_next_upstream http_503;") +
        proxied("/last", choosing(bad.port), "proxy_next_upstream http_503;") +
        proxied("/fine", choosing(bad.port)),
    )
    expect((await nginx.get("/")).status).toBe(200)
    const refused = ["1", 3, 503]
    expect(outcomes(nginx)).toEqual([refused, refused, ANSWERED])
    expect((await nginx.get("/last")).status).toBe(503)
    expect(outcomes(nginx).slice(3)).toEqual([refused, refused, refused])
    await nginx.get("/fine")
    expect(outcomes(nginx).at(-1)).toEqual(["0", 0, 503])
  })

  test("with a status that counts as failed, but that the filter accepted", async () => {
    await using bad = await failing()
    const script = choosing(bad.port).replace("upstream_info", "upstream_info,next_upstream")
    await using nginx = await serve(proxied("/", `${script} | next: accept`, "proxy_next_upstream http_500;"))
    expect((await nginx.get("/")).status).toBe(500)
    expect(outcomes(nginx)).toEqual([["0", 0, 500]])
  })

  test("with a status that nginx replaces by its own page", async () => {
    await using bad = await failing(500)
    const page = "proxy_intercept_errors on; error_page 500 /page;"
    await using nginx = await serve(
      `${proxied("/", choosing(bad.port), page)} location /page { return 200 page; }`,
    )
    const span = await spanOf(async () => expect((await nginx.get("/")).body).toBe("page"))
    expect(outcomes(nginx)).toEqual([["0", 0, 500]])
    span.holds(endings(nginx)[0]?.firstByteMs)
  })

  test("with a body that breaks off: the head was good", async () => {
    await using breaking = await scripted((socket) =>
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"),
    )
    await using nginx = await serve(
      proxied("/on", choosing(breaking.port)) +
        proxied("/off", choosing(breaking.port), "proxy_buffering off;"),
    )
    for (const path of ["/on", "/off"]) await nginx.get(path).catch(() => {})
    expect(outcomes(nginx)).toEqual([ANSWERED, ANSWERED])
  })

  test("by nginx's redirect to another location", async () => {
    await using redirecting = await scripted((socket) =>
      socket.write("HTTP/1.1 200 OK\r\nX-Accel-Redirect: /other\r\nContent-Length: 0\r\n\r\n"),
    )
    await using nginx = await serve(
      proxied("/", choosing(redirecting.port)) + proxied("/other", choosing(backend.port)),
    )
    expect((await nginx.get("/")).body).toBe("a")
    expect(outcomes(nginx)).toEqual([ANSWERED, ANSWERED])
  })

  test("by a client that left: before the head nothing speaks against the endpoint", async () => {
    await using silent = await scripted(() => {})
    await using busy = await neverAccepting()
    await using slow = await scripted((socket) =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx"),
    )
    await using nginx = await serve(
      proxied("/silent", choosing(silent.port)) +
        proxied("/busy", choosing(busy.port)) +
        proxied("/slow", choosing(slow.port), "proxy_buffering off;"),
    )
    const leave = async (path: string, isTime: (client: ClientRequest) => Promise<unknown>) => {
      const told = endings(nginx).length
      const client = request({ port: nginx.port, path }).on("error", () => {})
      client.end()
      await isTime(client)
      client.destroy()
      await ended(nginx, told + 1)
    }
    await leave("/silent", () => until("the request to arrive", () => silent.received.length === 1))
    await leave("/busy", () => letPass(1500, "nobody sees nginx wait for a connection"))
    await leave("/slow", (client) => once(client, "response"))
    expect(outcomes(nginx)).toEqual([["0", 4, 0], ["0", 4, 0], ANSWERED])
    const [silence, connecting] = endings(nginx)
    expect(silence?.firstByteMs).toBeGreaterThanOrEqual(silence?.connectMs ?? Number.NaN)
    expect(connecting?.connectMs).toBeNaN()
    expect(connecting?.firstByteMs).toBeGreaterThan(1000)
  })

  test("by a client that left a retry: what the attempt before got is not this one's", async () => {
    await using bad = await failing()
    await using busy = await neverAccepting()
    await using nginx = await serve(
      proxied("/", choosing(bad.port, busy.port), "proxy_next_upstream http_500;"),
    )
    const client = request({ port: nginx.port, host: "127.0.0.1" })
    client.on("error", () => {}).end()
    await ended(nginx)
    client.destroy()
    await ended(nginx, 2)
    expect(outcomes(nginx)).toEqual([
      ["1", 3, 500],
      ["0", 4, 0],
    ])
  })

  test("by a client's HTTP/2 stream that was reset, while others go on", async () => {
    await using silent = await scripted(() => {})
    await using nginx = await serve(
      proxied("/", choosing(backend.port)) + proxied("/silent", choosing(silent.port)),
      "",
      "http2",
    )
    const session = connectHttp2(`http://127.0.0.1:${nginx.site.ports[1]}`)
    const open = (path: string) => session.request({ ":path": path }).on("error", () => {})
    const left = open("/silent")
    await until("the request to arrive", () => silent.received.length === 1)
    left.close(constants.NGHTTP2_CANCEL)
    await ended(nginx)
    await new Promise((resolve) => open("/").on("response", resolve))
    await ended(nginx, 2)
    session.destroy()
    expect(outcomes(nginx)).toEqual([["0", 4, 0], ANSWERED])
  })

  const keepers = ["", "keepalive=8"]
  test.each(
    keepers,
  )("on a kept connection (%s) that had been closed: a failed attempt, but not the endpoint's fault", async (keeper) => {
    const seen = new WeakSet<Socket>()
    await using stale = await scripted((socket) => {
      if (seen.has(socket)) return void socket.destroy()
      seen.add(socket)
      socket.write(ok("fresh"))
    })
    await using nginx = await serve(proxied("/", choosing(stale.port)), `max_tries=1 ${keeper}`)
    for (let i = 0; i < 2; i++) expect((await nginx.get("/")).status).toBe(200)
    expect(outcomes(nginx)).toEqual([ANSWERED, ["1", 4, 0], ANSWERED])
  })

  test.each(
    keepers,
  )("on a kept connection (%s) that stays silent or breaks within the head: the endpoint's fault", async (keeper) => {
    const seen = new WeakSet<Socket>()
    const once = (second: (socket: Socket) => void) =>
      scripted((socket) => {
        if (seen.has(socket)) return second(socket)
        seen.add(socket)
        socket.write(ok("fresh"))
      })
    await using silent = await once(() => {})
    await using breaking = await once((socket) => socket.end("HTTP/1.1 200"))
    await using nginx = await serve(
      proxied("/fresh", choosing(silent.port)) +
        proxied("/silent", choosing(silent.port), "proxy_read_timeout 200ms;") +
        proxied("/breaking", choosing(breaking.port)),
      `max_tries=1 ${keeper}`,
    )
    for (const path of ["/fresh", "/silent", "/breaking", "/breaking"]) await nginx.get(path)
    const fault = ["1", 2, 0]
    // The last one cost no try, either: nginx sent the request again.
    expect(outcomes(nginx)).toEqual([ANSWERED, fault, ANSWERED, fault, ANSWERED])
  })

  test("with an upgraded connection: told when it closes, timed to its head", async () => {
    await using echo = await scripted((socket, text) => {
      if (!text.startsWith("GET")) return void setTimeout(() => socket.end("bye"), 500)
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n")
    })
    const upgrade = "proxy_set_header Connection upgrade; proxy_set_header Upgrade echo;"
    const script = choosing(echo.port)
    await using nginx = await serve(
      `location / { proxy_wasm probe '${script}'; proxy_http_version 1.1; ${upgrade} proxy_pass http://chosen; }`,
    )
    const asked = request({ port: nginx.port, headers: { connection: "upgrade", upgrade: "echo" } })
    let socket: Socket | undefined
    const span = await spanOf(async () => {
      asked.end()
      ;[, socket] = (await once(asked, "upgrade")) as [unknown, Socket]
    })
    socket?.resume().write("hello")
    await ended(nginx)
    expect(outcomes(nginx)).toEqual([["0", 0, 101]])
    span.holds(endings(nginx)[0]?.firstByteMs)
  })

  test("in a chain: a choice that a later filter answers over, or loses by a fault, is told as unused", async () => {
    const second = (path: string, select: string) =>
      `location ${path} { proxy_wasm probe '${choosing(backend.port)}'; proxy_wasm second '${LEAN} | select: ${select}'; proxy_pass http://chosen; }`
    const probe = await filter("probe")
    await using nginx = await startHost(() => ({
      wasm: `module second ${probe};`,
      http: "upstream chosen { server 127.0.0.1:1; wasm_upstream_select max_tries=1; }",
      server: second("/answers", "respond 418") + second("/fails", "trap"),
    }))
    expect((await nginx.get("/answers")).status).toBe(418)
    expect((await nginx.get("/fails")).status).toBe(502)
    expect(outcomes(nginx)).toEqual(Array(2).fill(["0", 4, 0]))
  })
})

describe("times", () => {
  test("are an attempt's own: to the head, not to the end of the body", async () => {
    await using closing = await scripted((socket) => void setTimeout(() => socket.destroy(), 750))
    // More than a buffer, so that nginx passes the head on before it has all.
    const first = "x".repeat(65_536)
    let goOn = () => {}
    await using slow = await scripted((socket) => {
      const head = `HTTP/1.1 200 OK\r\nContent-Length: ${first.length + 1}\r\n\r\n`
      setTimeout(() => socket.write(head + first), 450)
      goOn = () => void socket.write("y")
    })
    await using nginx = await serve(
      ["", "proxy_buffering off;"]
        .map((more, i) => proxied(`/${i}`, choosing(closing.port, slow.port), more))
        .join(""),
    )
    for (const path of ["/0", "/1"]) {
      const told = endings(nginx).length
      const client = request({ port: nginx.port, path })
      const response: IncomingMessage[] = []
      const toHead = await spanOf(async () => response.push(...(await once(client.end(), "response"))))
      await letPass(500, "the end of the body is far from its head")
      goOn()
      expect((await response[0]?.toArray())?.join("")).toBe(`${first}y`)
      await ended(nginx, told + 2)
      const [failed, answered] = endings(nginx).slice(told)
      expect(failed?.firstByteMs).toBeGreaterThan(745)
      expect(answered?.firstByteMs).toBeGreaterThan(445)
      toHead.holds((failed?.firstByteMs ?? Number.NaN) + (answered?.firstByteMs ?? Number.NaN))
    }
  })

  test("to the connection are 0 over a kept one, and fine enough to tell fast answers apart", async () => {
    await using nginx = await serve(proxied("/", choosing(backend.port)))
    for (let i = 0; i < 20; i++) await nginx.get("/")
    const all = endings(nginx)
    expect(all.slice(1).every(({ connectMs }) => connectMs === 0)).toBe(true)
    expect(new Set(all.map(({ firstByteMs }) => firstByteMs)).size).toBeGreaterThan(10)
    expect(all.every(({ firstByteMs }) => firstByteMs > 0)).toBe(true)
  })

  test("of subrequests: auth_request, mirror, and one whose body nginx only keeps", async () => {
    await using kept = await scripted((socket) =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\nkept"),
    )
    await using page = await scripted((socket) => {
      const text = '<!--#include virtual="/kept" set="x" --><!--#echo var="x" -->'
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      )
    })
    await using nginx = await serve(
      proxied("/", choosing(backend.port), "auth_request /auth; mirror /mirror;") +
        proxied("/auth", choosing(backend.port)) +
        proxied("/mirror", choosing(backend.port)) +
        proxied("/page", choosing(page.port), "ssi on;") +
        proxied("/kept", choosing(kept.port)),
    )
    expect((await nginx.get("/")).status).toBe(200)
    await ended(nginx, 3)
    const span = await spanOf(async () => expect((await nginx.get("/page")).body).toBe("kept"))
    await ended(nginx, 5)
    expect(outcomes(nginx)).toEqual(Array(5).fill(ANSWERED))
    for (const { firstByteMs } of endings(nginx).slice(3)) span.holds(firstByteMs)
  })

  timed("of a subrequest whose body nginx only keeps are to its head", async () => {
    await using slow = await scripted((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nke")
      setTimeout(() => socket.write("pt"), 1200)
    })
    await using page = await scripted((socket) => {
      const text = '<!--#include virtual="/kept" set="x" --><!--#echo var="x" -->'
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      )
    })
    await using nginx = await serve(
      proxied("/page", choosing(page.port), "ssi on;") + proxied("/kept", choosing(slow.port)),
    )
    expect((await nginx.get("/page")).body).toBe("kept")
    await ended(nginx, 2)
    for (const { firstByteMs } of endings(nginx)) atMost(800, firstByteMs)
  })

  test("of the clock: nanoseconds of the system's monotonic clock, as far as nginx has read it", async () => {
    const script = `${LEAN} | select: moment; turn 127.0.0.1:${backend.port} | info: moment; say`
    await using nginx = await serve(proxied("/", script))
    const span = await spanOf(() => nginx.get("/"))
    const [select = 0n, info = 0n] = (/report (\d+) 0 (\d+)/.exec(traces(nginx).join()) ?? [])
      .slice(1)
      .map(BigInt)
    expect(select <= info).toBe(true)
    span.includesMonotonic(select)
  })
})

describe("what a filter wants to hear", () => {
  const wanting = (wants: number) =>
    proxied(
      `/${wants}`,
      `${LEAN} | select: turn 127.0.0.1:${backend.port}; wants; wants ${wants} | info: text told; ending; wants; trace; say`,
    )

  test("info and times, info alone, or nothing; it wants all unless it says so", async () => {
    await using nginx = await serve([0, 1, 2, 3].map(wanting).join(""))
    for (const wants of [0, 2, 1, 3]) await nginx.get(`/${wants}`)
    const [plain, timed, ...more] = endings(nginx)
    expect(more).toEqual([])
    expect(plain).toMatchObject({ outcome: 0, status: 200, firstByteMs: Number.NaN })
    expect(timed?.firstByteMs).toBeGreaterThan(0)
    const reports = traces(nginx).filter((line) => line.startsWith("report"))
    expect(reports[0]?.startsWith("report 0 3 0 0 3 2 0 3 1 told")).toBe(true)
  })

  test("a note stays with its attempt and is shown to the next one", async () => {
    await using closing = await scripted((socket) => void socket.destroy())
    const select = `select: note; turn 127.0.0.1:${closing.port} 127.0.0.1:1 127.0.0.1:${backend.port}`
    const notes = [18446744073709551615n, 7n].map(
      (note) => `${select}; note ${note}; say | info: attempt; note; say`,
    )
    await using nginx = await serve(
      proxied("/0", `${LEAN} | ${notes[0]}`) + proxied("/1", `${LEAN} | ${notes[1]}`),
    )
    expect((await nginx.get("/0")).body).toBe("a")
    expect((await nginx.get("/1")).body).toBe("a")
    const shown = (note: bigint) => [0, 1, 2].flatMap((i) => [`report ${i ? note : 0} 0 ${note}`, `${note}`])
    const lines = traces(nginx).map((line) => line.replace(/^report \d\[.*\] /, ""))
    expect(lines).toEqual([...shown(18446744073709551615n), ...shown(7n)])
  })
})

describe("every attempt that was chosen ends once", () => {
  test("through clients that leave, timeouts, failures, kept connections and a reload", async () => {
    await using silent = await scripted(() => {})
    await using closing = await scripted((socket) => void socket.destroy())
    await using busy = await neverAccepting()
    const counted = (...places: number[]) =>
      `${LEAN} | select: text chosen; ${turn(...places)}; tag 5; say | info: text ended; tag 0; say`
    const timeouts = "proxy_read_timeout 300ms; proxy_connect_timeout 300ms;"
    await using nginx = await serve(
      proxied("/good", counted(backend.port)) +
        proxied("/silent", counted(silent.port, busy.port, backend.port), timeouts) +
        proxied("/closing", counted(closing.port, silent.port), timeouts) +
        proxied("/busy", counted(busy.port)),
    )
    const paths = ["/good", "/silent", "/closing", "/busy"]
    const storm = (count: number) =>
      Promise.allSettled(
        Array.from({ length: count }, (_, i) =>
          nginx.get(paths[i % paths.length], { timeoutMs: 100 + ((i * 37) % 900) }),
        ),
      )
    const count = (word: string) => traces(nginx).filter((line) => line.startsWith(`report ${word}`)).length
    const first = storm(60)
    await nginx.reload()
    await Promise.all([first, storm(60)])
    // On a busy machine most clients have left before anything was chosen for them.
    await until("many attempts", () => count("chosen") >= 120 || storm(60).then(() => false))
    await until("all attempts to end", () => count("ended") === count("chosen"))
    await nginx.get("/good")
    expect(count("ended")).toBe(count("chosen"))
  })
})
