// What is logged of requests, where and how.
import { createSocket, type Socket } from "node:dgram"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ingress } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { sendBytes } from "../../support/recorder.ts"
import { Site } from "./site.ts"

const dir = mkdtempSync(join(tmpdir(), "wick-logs-"))
let site: Site
beforeAll(async () => {
  site = await Site.start(["one"])
  await site.put(
    ingress("demo/app", "foo.test/ → app:80"),
    ingress("demo/quiet", "quiet.test/ → app:80", { "enable-access-log": "false" }),
    ...site.service("app", "one"),
  )
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true })
})

let files = 0

/**
 * Settings for a log of its own. One worker writes it: a line is written after
 * its answer was sent, so two workers may write in another order than was asked.
 */
async function logInto(data: Readonly<Record<string, string>>): Promise<() => string[]> {
  files += 1
  const file = join(dir, `access-${files}.log`)
  await site.reconfigure({ "access-log-path": file, "worker-processes": "1", ...data })
  return () => readFileSync(file, "utf8").split("\n").filter(Boolean)
}

/** Lines that are there once a request has been logged that certainly is. */
async function linesOf(log: () => string[], sign = "/the-sign"): Promise<string[]> {
  await site.get(sign)
  await until("the log", () => Promise.resolve(log().some((line) => line.includes(sign))))
  return log().filter((line) => !line.includes(sign))
}

const format = "$request_method $request_uri $status [$proxy_upstream_name] $upstream_status"

test("lines have the format of the key", async () => {
  const log = await logInto({ "log-format-upstream": format })
  await site.get("/a?b=c")
  await site.get("/nowhere", { host: "unknown.test" })
  expect(await linesOf(log)).toEqual(["GET /a?b=c 200 [demo-app-80] 200"])
})

test("requests to the default backend are logged where the key says so", async () => {
  const log = await logInto({
    "log-format-upstream": format,
    "enable-access-log-for-default-backend": "true",
  })
  await until("the route to be logged", async () => {
    await site.get("/nowhere", { host: "unknown.test" })
    return (await linesOf(log)).some((line) => line.startsWith("GET /nowhere 404 [upstream-default-backend]"))
  })
})

test("the default format is ingress-nginx's", async () => {
  const log = await logInto({})
  await site.get("/path", {
    headers: { "user-agent": "me", referer: "http://from.test/", "x-request-id": "id-1" },
  })
  const [line] = await linesOf(log)
  expect(line).toMatch(
    /^127\.0\.0\.1 - - \[.*\] "GET \/path HTTP\/1\.1" 200 3 "http:\/\/from\.test\/" "me" \d+ \d\.\d{3} \[demo-app-80\] \[\] 127\.0\.0\.1:\d+ 3 \d\.\d{3} 200 id-1$/,
  )
})

test("414: skip-access-log-urls keeps a URI out, and no other", async () => {
  const log = await logInto({
    "log-format-upstream": format,
    "skip-access-log-urls": "/health,~^/internal/,~*\\.png$",
  })
  for (const path of ["/health", "/healthy", "/internal/x", "/a.PNG", "/internal"]) await site.get(path)
  const paths = (await linesOf(log)).map((line) => line.split(" ")[1])
  expect(paths).toEqual(["/healthy", "/internal"])
})

test.each([["disable-access-log"], ["disable-http-access-log"]])("414: %s: no access lines", async (key) => {
  const log = await logInto({ [key]: "true" })
  await site.get("/a")
  const other = await logInto({})
  await linesOf(other)
  expect(log).toThrow("ENOENT")
})

test("an Ingress may ask not to be logged", async () => {
  const log = await logInto({ "log-format-upstream": format })
  await site.get("/quiet", { host: "quiet.test" })
  expect(await linesOf(log)).toEqual([])
})

describe("416: what clients send cannot break the format", () => {
  const agent = 'a "b" \\c'

  test.each([
    ["log-format-escape-json", '{"agent":"a \\"b\\" \\\\c"}'],
    ["log-format-escape-none", `{"agent":"${agent}"}`],
    ["keep-alive", '{"agent":"a \\x22b\\x22 \\x5Cc"}'],
  ])("with %s", async (key, line) => {
    const log = await logInto({
      "log-format-upstream": '{"agent":"$http_user_agent"}',
      [key]: key === "keep-alive" ? "70" : "true",
    })
    const headers = { "user-agent": agent }
    await site.get("/", { headers })
    await until("the log", () => Promise.resolve(log().length > 0))
    expect(log()).toEqual([line])
  })
})

test("access-log-params: lines are kept back, not lost", async () => {
  const log = await logInto({ "log-format-upstream": format, "access-log-params": "buffer=4k flush=200ms" })
  await site.get("/a")
  expect(await linesOf(log)).toEqual(["GET /a 200 [demo-app-80] 200"])
})

test("http-access-log-path takes the place of the other", async () => {
  const file = join(dir, "http.log")
  await logInto({ "http-access-log-path": file })
  await site.get("/a")
  await until("the log", () => Promise.resolve(readFileSync(file, "utf8").includes("GET /a ")))
})

const bytes = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => ![0, 10, 13].includes(byte))
const odd = bytes.map((byte) => String.fromCharCode(byte)).join("")
/** With every byte that a client may send somewhere. */
const oddRequests = [
  `GET / HTTP/1.1\r\nHost: \x1b[31mevil\r\n\r\n`,
  `GET /\x1b[2J HTTP/1.1\r\nHost: foo.test\r\n\r\n`,
  `G\x1bT / HTTP/1.1\r\nHost: foo.test\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: foo.test\r\nX\x9b: x\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: foo.test:99999999\r\nReferer: ${odd}\r\nConnection: close\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: foo.test@\r\nReferer: ${odd}\r\nConnection: close\r\n\r\n`,
]

describe("syslog", () => {
  let server: Socket
  const messages: Buffer[] = []
  beforeAll(async () => {
    server = createSocket("udp4").on("message", (message) => messages.push(message))
    server.bind(0, "127.0.0.1")
    await once(server, "listening")
  })
  afterAll(() => server.close())

  test("takes the lines of both logs", async () => {
    const port = String(server.address().port)
    await site.reconfigure({
      "enable-syslog": "true",
      "syslog-host": "127.0.0.1",
      "syslog-port": port,
      "log-format-upstream": format,
    })
    await site.get("/to-syslog")
    const isThere = (text: string) =>
      until("syslog", () => Promise.resolve(messages.some((message) => message.includes(text))))
    await isThere("nginx: GET /to-syslog 200 [demo-app-80] 200")
    await site.wick.get("/", { host: "foo.test", headers: { expect: "nonsense" } }).catch(() => undefined)
  })

  test("gets no control character of clients, in no line of either log, and each line whole", async () => {
    const port = String(server.address().port)
    const odd = { "syslog-host": "127.0.0.1", "syslog-port": port, "error-log-level": "info" }
    await site.reconfigure({ "enable-syslog": "true", ...odd })
    messages.length = 0
    for (const line of oddRequests) await sendBytes(site.wick.port, line)
    const errors = () => messages.filter((message) => message.includes("client sent invalid host"))
    await until("the lines", () => errors().length >= 2)
    for (const message of messages) {
      expect(message.filter((byte) => byte > 126 || byte < 32)).toEqual(Buffer.alloc(0))
      expect(message.toString()).toMatch(/^<\d+>\w{3} [ \d]\d [\d:]{8} \S+ nginx: /)
    }
    expect(Buffer.concat(errors()).toString()).toContain('referrer: "\\x01\\x02')
  })

  test("without a host it is off, with a Problem", async () => {
    const log = await logInto({ "enable-syslog": "true", "log-format-upstream": format })
    await site.get("/a")
    expect(await linesOf(log)).toEqual(["GET /a 200 [demo-app-80] 200"])
    await site.untilSaid("set syslog-host")
  })
})

test("424: a change of the ConfigMap is a reload, and the log says so", async () => {
  const before = await site.wick.metric("nginx_ingress_controller_success")
  const logged = site.wick.log().length
  await site.reconfigure({ "error-log-level": "warn" })
  expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(before + 1)
  const said = () =>
    site.wick
      .log()
      .slice(logged)
      .split("\n")
      .slice(0, -1)
      .find((text) => text.includes("Backend successfully reloaded"))
  expect(JSON.parse(await until("the line", said)).reasons).toContain("http.logs.errorLogLevel")
})

describe("a sample", () => {
  const sampled = (rate: string, host: string) =>
    ingress(`demo/${host}`, `${host}.test/ → app:80`, { "wick.dev/access-log-sample-rate": rate })

  test("has all requests that fail, and a part of the others", async () => {
    const log = await logInto({ "log-format-upstream": format, "access-log-sample-rate": "0.2" })
    for (let n = 0; n < 100; n += 1) await site.get(`/good/${n}`)
    for (let n = 0; n < 5; n += 1) await site.get(`/bad/${n}`, { method: "TRACE" })
    await until("the log", () => log().filter((line) => line.includes("/bad/")).length === 5)
    const good = log().filter((line) => line.includes("/good/"))
    expect(good.length).toBeGreaterThan(3)
    expect(good.length).toBeLessThan(60)
  })

  test("is of one Ingress where its annotation says so, without a reload", async () => {
    const log = await logInto({ "log-format-upstream": format })
    const conf = site.wick.conf()
    await site.put(
      sampled("0", "none"),
      ingress("demo/app", "foo.test/ → app:80"),
      ...site.service("app", "one"),
    )
    expect(site.wick.conf()).toBe(conf)
    for (let n = 0; n < 20; n += 1) await site.get("/quiet", { host: "none.test" })
    await site.get("/there")
    const lines = await linesOf(log)
    expect(lines).toEqual(expect.arrayContaining([expect.stringContaining("/there")]))
    expect(lines.filter((line) => line.includes("/quiet"))).toEqual([])
  })
})

test("ids of traces are variables of lines, and empty where nothing is traced", async () => {
  const log = await logInto({
    "log-format-upstream":
      "$request_uri $opentelemetry_trace_id $opentelemetry_span_id $opentelemetry_sampled",
  })
  await site.put(
    ingress("demo/traced", "traced.test/ → app:80", { "enable-opentelemetry": "true" }),
    ingress("demo/app", "foo.test/ → app:80"),
    ...site.service("app", "one"),
  )
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-00` }
  await site.get("/traced", { host: "traced.test", headers })
  await site.get("/not")
  const lines = (await linesOf(log)).filter((line) => /^\/(traced|not) /.test(line))
  expect(lines[0]).toMatch(new RegExp(`^/traced ${trace} [0-9a-f]{16} 0$`))
  expect(lines[1]).toBe("/not - - -")
})

test("on stderr nginx's lines are JSON as all others are", async () => {
  await site.reconfigure({ "error-log-level": "info" })
  await sendBytes(site.wick.port, `GET / HTTP/1.1\r\nHost: "\x1b[31mevil"\r\n\r\n`)
  await until("the line", () => site.wick.log().includes("client sent invalid host"))
  const lines = site.wick.log().split("\n").slice(0, -1)
  expect(lines.filter((line) => !line.startsWith("{"))).toEqual([])
  const parsed = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  const ofNginx = parsed.filter(({ nginx }) => nginx !== undefined)
  expect(ofNginx.find(({ msg }) => String(msg).includes("client sent invalid host"))).toEqual({
    level: "info",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    nginx: "info",
    pid: expect.any(Number),
    connection: expect.any(Number),
    msg: expect.stringMatching(/^client sent invalid host .*request: "GET \/ HTTP\/1\.1"/),
  })
  expect(ofNginx.some(({ msg }) => String(msg).includes("start worker process"))).toBe(true)
})

test("control characters of clients stand escaped in the error log", async () => {
  const file = join(dir, "error.log")
  await site.reconfigure({ "error-log-path": file, "error-log-level": "info" })
  for (const line of oddRequests) await sendBytes(site.wick.port, line)
  const text = () => readFileSync(file)
  await until("the lines", () => text().includes("client sent invalid host"))
  expect([...text()].filter((byte) => byte > 126 || (byte < 32 && byte !== 10))).toEqual([])
  expect(text().toString()).toContain("\\x1B")
})
