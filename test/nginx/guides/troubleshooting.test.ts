// Each line of nginx's error log that the page of symptoms names, and the answer under which it stands, brought about.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ingress, type Json, serviceOn } from "../../../harness/manifests.ts"
import { root } from "../../../harness/paths.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "../path/site.ts"

const page = readFileSync(join(root, "docs/guides/troubleshooting.md"), "utf8")
const dir = mkdtempSync(join(tmpdir(), "wick-symptoms-"))
const log = join(dir, "error.log")

let site: Site
let big: Echo
beforeAll(async () => {
  big = await new Echo().start()
  big.answer = () => ({ headers: { "x-big": "x".repeat(20_000) } })
  site = await Site.start(["one"])
  await site.reconfigure({ "error-log-path": log, "error-log-level": "info" })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await big[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true })
})

type Annotations = Readonly<Record<string, string>>

const put = (annotations: Annotations = {}, ...services: readonly Json[]) =>
  site.put(ingress("demo/app", "foo.test/ → app:80", annotations), ...services)
const one = () => site.service("app", "one")

/** The page has this text under this heading, and nginx writes it. */
async function expectLine(symptom: string, text: string): Promise<void> {
  const [, section = ""] = page.split(new RegExp(`^## .*${symptom}.*$`, "m"))
  expect(section.split(/^## /m)[0]).toContain(text)
  await until(`"${text}" in the error log`, () => readFileSync(log, "utf8").includes(text))
}

test("404 without a route, 503 without endpoints", async () => {
  await put({}, ...one())
  expect((await site.get("/", { host: "other.test" })).status).toBe(404)
  await put({}, ...serviceOn("demo/app", []))
  expect((await site.get("/")).status).toBe(503)
})

test("503 by a limit", async () => {
  await put({ "limit-rpm": "1", "limit-burst-multiplier": "1" }, ...one())
  const answers = await Promise.all([1, 2, 3, 4].map(() => site.get("/")))
  expect(answers.map(({ status }) => status)).toContain(503)
  await expectLine("503", "limiting requests")
})

test("503 where something that protects a path is missing", async () => {
  await put({ "auth-type": "basic", "auth-secret": "demo/missing" }, ...one())
  expect((await site.get("/")).status).toBe(503)
})

test("502: nobody listens, the connection ends, the head is too large, the endpoint speaks no TLS", async () => {
  await put({ "proxy-next-upstream": "off" }, ...one())
  const backend = site.backend("one")
  await backend.fault("refuse")
  expect((await site.get("/")).status).toBe(502)
  await expectLine("502", "connect() failed (111: Connection refused)")
  await backend.fault("reset")
  expect((await site.get("/")).status).toBe(502)
  await expectLine("502", "upstream prematurely closed connection")
  await backend.fault(undefined)
  await put({ "proxy-buffer-size": "4k" }, ...serviceOn("demo/app", [big.port]))
  expect((await site.get("/")).status).toBe(502)
  await expectLine("502", "upstream sent too big header")
  await put({ "backend-protocol": "HTTPS" }, ...one())
  await until("TLS to be tried", async () => (await site.get("/")).status === 502)
  await expectLine("502", "SSL_do_handshake() failed")
  await expectLine("502", "wrong version number")
})

test("504: the answer takes too long", async () => {
  await put({ "proxy-read-timeout": "1", "proxy-next-upstream": "off" }, ...one())
  await site.backend("one").fault("hang")
  expect((await site.get("/")).status).toBe(504)
  await site.backend("one").fault(undefined)
  await expectLine("504", "upstream timed out (110: Connection timed out)")
  await expectLine("504", "while reading response header")
})

test("413 and 400", async () => {
  await put({}, ...one())
  const body = "x".repeat(1_100_000)
  expect((await site.get("/", { method: "POST", body })).status).toBe(413)
  await expectLine("413", "client intended to send too large body")
  const headers = { cookie: "x".repeat(40_000) }
  expect((await site.get("/", { headers })).status).toBe(400)
  await expectLine("400, 414", "client sent too long header line")
  expect((await site.get(`/${"x".repeat(40_000)}`)).status).toBe(414)
  await expectLine("400, 414", "client sent too long URI")
})

test("a proxy that is not expected, and one that is missing", async () => {
  await site.reconfigure({ "error-log-path": log, "error-log-level": "info", "use-proxy-protocol": "true" })
  await site.wick.get("/").catch(() => {})
  await expectLine("400, 414", "while reading PROXY protocol")
})
