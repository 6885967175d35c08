// Early data of TLS 1.3 on a real nginx, sent by openssl: Node's client cannot.
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ask } from "../../../harness/http.ts"
import { ingress, secret, serviceOn } from "../../../harness/manifests.ts"
import { type Authority, rootAuthority } from "../../../harness/pki.ts"
import { patienceMs, until } from "../../../harness/until.ts"
import { tlsAgent } from "../../support/agents.ts"
import { Site } from "./site.ts"

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0
const folder = mkdtempSync(join(tmpdir(), "early-data-"))
const [sessionFile, requestFile] = [join(folder, "session"), join(folder, "request")]

let site: Site
let echo: Echo
let ca: Authority
beforeAll(async () => {
  echo = await new Echo().start()
  site = await Site.start([])
  ca = await rootAuthority()
  await put({})
  writeFileSync(requestFile, request("/early"))
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await echo[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

/** @param annotations of `foo.test` */
const put = (annotations: Readonly<Record<string, string>>) =>
  site.put(
    ...serviceOn("demo/a", [echo.port]),
    ingress("demo/one", "foo.test/ → a:80", annotations),
    ingress("demo/closed", "closed.test/ → a:80", asking),
    secret("demo/ca", { "ca.crt": ca.pem }),
  )

const asking = { "auth-tls-secret": "demo/ca" }

function request(path: string, host = "foo.test"): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
}

/** What openssl and the server say to each other. @param text sent when the handshake is done */
async function openssl(options: readonly string[], text: string): Promise<string> {
  const at = ["-connect", `127.0.0.1:${site.wick.httpsPort}`, "-servername", "foo.test", "-tls1_3"]
  const child = spawn("openssl", ["s_client", ...at, ...options], { timeout: patienceMs })
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (said: string) => {
      output += said
    })
  child.stdin.on("error", () => {}).write(text)
  await new Promise((resolve) => child.once("close", resolve))
  return output
}

const newSession = () => openssl(["-sess_out", sessionFile, "-ign_eof"], request("/first"))
const resume = () =>
  openssl(["-sess_in", sessionFile, "-early_data", requestFile, "-ign_eof"], request("/late"))

/** Path and Early-Data of all requests since the last call. */
function arrived(): readonly string[] {
  return echo.asked.splice(0).map(({ url, headers }) => `${url} ${headers["early-data"] ?? "-"}`)
}

test.skipIf(!hasOpenssl)("is refused by default; the request comes when the handshake is done", async () => {
  await newSession()
  expect(await resume()).toContain("Early data was not sent")
  expect(arrived()).toEqual(["/first -", "/late -"])
})

test.skipIf(!hasOpenssl)("is taken where it is allowed, and backends are told", async () => {
  await site.reconfigure({ "ssl-early-data": "true" })
  // One that nginx comes to when the handshake is done is early no more.
  await until("a request that is early", async () => {
    await newSession()
    expect(await resume()).toContain("Early data was accepted")
    const [first, early] = arrived()
    expect([first, early?.replace(/ .$/, "")]).toEqual(["/first -", "/early"])
    return early === "/early 1"
  })
})

test.skipIf(!hasOpenssl)("is no way in to another host that asks for a certificate", async () => {
  await newSession()
  writeFileSync(requestFile, request("/early", "closed.test"))
  const said = await resume()
  expect(said).toContain("Early data was accepted")
  expect(said).toContain("421 Misdirected Request")
  expect(arrived()).toEqual(["/first -"])
})

test.skipIf(!hasOpenssl)(
  "is not taken with a ticket from before the host asked for a certificate",
  async () => {
    await newSession()
    writeFileSync(requestFile, request("/early"))
    await put(asking)
    const said = await resume()
    expect(said).toContain("Early data was rejected")
    expect(said).toContain("400 Bad Request")
    expect(arrived()).toEqual(["/first -"])
    await put({})
  },
)

test("what somebody in front of nginx said of it goes on to the backend", async () => {
  const target = { port: site.wick.httpsPort, agent: tlsAgent("foo.test") }
  await ask(target, { path: "/told", host: "foo.test", headers: { "Early-Data": "1" } })
  expect(arrived()).toEqual(["/told 1"])
})
