// curl speaks HTTP/3 by other libraries than aioquic (ngtcp2, nghttp3), in Debian from 13 on; where nginx has HTTP/3, so has the curl beside it.
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ingress, type Json, secret, serviceOn } from "../../../harness/manifests.ts"
import { type Identity, rootAuthority } from "../../../harness/pki.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "../path/site.ts"
import { hasHttp3 } from "./nginx.ts"

const run = promisify(execFile)
const settings = { "use-http3": "true", "worker-processes": "2" }

let site: Site
let echo: Echo
let folder: string

beforeAll(async () => {
  if (!hasHttp3) return
  folder = mkdtempSync(join(tmpdir(), "curl-"))
  echo = await new Echo().start()
  site = await Site.start([])
  await site.reconfigure(settings)
})
afterAll(async () => {
  if (!hasHttp3) return
  await site[Symbol.asyncDispose]()
  await echo[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const put = (annotations: Readonly<Record<string, string>> = {}, ...more: readonly Json[]) =>
  site.put(
    ...serviceOn("demo/app", [echo.port]),
    ingress("demo/app", "foo.test/ → app:80", annotations),
    ...more,
  )

/** `VERSION STATUS`, and what came before. */
async function curl(path: string, ...args: readonly string[]) {
  return curlAt("foo.test", path, ...args)
}

async function curlAt(host: string, path: string, ...args: readonly string[]) {
  const { httpsPort } = site.wick
  const common = [
    "-sS",
    "-k",
    "--resolve",
    `${host}:${httpsPort}:127.0.0.1`,
    "-w",
    "\n%{http_version} %{http_code}",
  ]
  const url = `https://${host}:${httpsPort}${path}`
  const { stdout } = await run("curl", [...common, ...args, url], { maxBuffer: 2 ** 24 })
  const end = stdout.lastIndexOf("\n")
  return { body: stdout.slice(0, end), outcome: stdout.slice(end + 1) }
}

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const as = ({ pem, keyPem }: Identity) => ["--cert", file("c.pem", pem), "--key", file("c.key", keyPem)]

describe.skipIf(!hasHttp3)("curl by HTTP/3 alone", () => {
  test("is one that has it", async () => {
    expect((await run("curl", ["-V"])).stdout).toMatch(/^Features: .*\bHTTP3\b/m)
  })

  test("sends headers, and gets those of the answer", async () => {
    await put()
    echo.answer = () => ({ body: "hello", headers: { "x-own": "yes" } })
    const { body, outcome } = await curl("/a?b=c", "--http3-only", "-H", "X-Mine: 1", "-D", "-")
    expect(outcome).toBe("3 200")
    expect(body).toMatch(/^x-own: yes\r?$/m)
    expect(body).toMatch(/hello$/)
    expect(echo.last).toMatchObject({
      url: "/a?b=c",
      headers: { "x-mine": "1", "x-forwarded-proto": "https" },
    })
  })

  test("uploads and downloads more than goes without acknowledgements", async () => {
    await put({ "proxy-body-size": "8m" })
    echo.answer = () => ({ body: "b".repeat(3_000_000) })
    const sent = "wick ".repeat(600_000)
    const { body, outcome } = await curl("/", "--http3-only", "--data-binary", `@${file("body", sent)}`)
    expect([outcome, body.length, echo.last.body === sent]).toEqual(["3 200", 3_000_000, true])
  })

  test("shows its certificate, and is answered 421 for another host than that of its handshake", async () => {
    const ca = await rootAuthority({ cn: "ca" })
    const alice = await ca.issue({ cn: "alice" })
    echo.answer = () => ({})
    await put(
      { "auth-tls-secret": "demo/ca" },
      ingress("demo/other", "bar.test/ → app:80"),
      secret("demo/ca", { "ca.crt": ca.pem }),
    )
    expect((await curl("/", "--http3-only", ...as(alice))).outcome).toBe("3 200")
    expect(echo.last.headers["ssl-client-subject-dn"]).toBe("CN=alice")
    expect((await curl("/", "--http3-only")).outcome).toBe("3 400")
    const other = await curlAt("bar.test", "/", "--http3-only", ...as(alice), "-H", "Host: foo.test")
    expect(other.outcome).toBe("3 421")
  })

  test("has its answer whole although workers are replaced meanwhile", async () => {
    await put()
    let mayAnswer = false
    echo.answer = () => ({ body: "b".repeat(3_000_000), until: () => mayAnswer })
    const before = echo.asked.length
    const answer = curl("/slow", "--http3-only")
    await until("the request to be there", () => echo.asked.length > before)
    await site.reconfigure(settings)
    mayAnswer = true
    expect((await answer).body.length).toBe(3_000_000)
  })
})

test.skipIf(!hasHttp3)("curl that may choose comes by HTTP/3 once it was told of it", async () => {
  await put()
  echo.answer = () => ({})
  const known = ["--alt-svc", join(folder, "known")]
  expect((await curl("/", ...known)).outcome).toBe("2 200")
  expect((await curl("/", ...known)).outcome).toBe("3 200")
})
