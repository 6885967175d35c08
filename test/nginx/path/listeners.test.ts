// Where nginx listens, and what it answers where no Ingress has a say.
import { spawnSync } from "node:child_process"
import { connect as connectHttp2 } from "node:http2"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask, type Question } from "../../../harness/http.ts"
import { ingress } from "../../../harness/manifests.ts"
import { nginxBinary } from "../../../harness/paths.ts"
import { handshake, tlsAgent } from "../../support/agents.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one"])
})
afterAll(() => site[Symbol.asyncDispose]())

const overTls = (question: Question) => ask({ port: site.wick.httpsPort, agent: tlsAgent() }, question)

describe("without any Ingress", () => {
  beforeAll(() => site.put())

  test.each([
    ["GET", "/"],
    ["POST", "/any/path"],
  ])("1: %s %s is 404, over HTTP and HTTPS", async (method, path) => {
    for (const host of ["foo.test", "127.0.0.1"]) {
      expect((await site.get(path, { method, host })).status).toBe(404)
      expect((await overTls({ path, method, host })).status).toBe(404)
    }
  })

  test("nginx takes the configuration without a word of warning", () => {
    const conf = join(site.wick.runtimeDir, "nginx.conf")
    // The access log is nginx's stdout, which it cannot open where that is a socket.
    const { status, stderr } = spawnSync(nginxBinary, ["-t", "-c", conf, "-e", "stderr"], {
      encoding: "utf8",
      stdio: ["ignore", "ignore", "pipe"],
    })
    expect(status, stderr).toBe(0)
    expect(stderr).not.toMatch(/\[(warn|error|alert|emerg)\]/)
  })

  test("2: the certificate is the controller's own", async () => {
    const { certificate, certificates } = await handshake(site.wick.httpsPort, { servername: "foo.test" })
    const name = { O: "Acme Co", CN: "Kubernetes Ingress Controller Fake Certificate" }
    expect(certificate.subject).toEqual(name)
    expect(certificate.issuer).toEqual(name)
    expect(certificate.subjectaltname).toBe("DNS:ingress.local")
    expect(certificates).toBe(1)
  })

  test("2: a restart keeps it", async () => {
    const before = (await handshake(site.wick.httpsPort)).certificate.fingerprint256
    await site.wick.kill()
    await site.wick.start()
    expect((await handshake(site.wick.httpsPort)).certificate.fingerprint256).toBe(before)
  })

  test("16: the health path answers 200 whatever the host", async () => {
    expect((await site.get("/healthz", { host: "unknown.test" })).status).toBe(200)
    expect((await overTls({ path: "/healthz", host: "unknown.test" })).status).toBe(200)
  })

  test("the default server answers 404 to everything", async () => {
    for (const path of ["/", "/healthz", "/nginx_status"]) {
      expect((await ask({ port: site.wick.defaultServerPort }, { path })).status).toBe(404)
    }
  })
})

test("the status port says that configuration was posted, as ingress-nginx's does", async () => {
  const [, port] = /listen 127\.0\.0\.1:(\d+) reuseport;[^}]*\/healthz/.exec(site.wick.conf()) ?? []
  const { status, body } = await ask({ port: Number(port) }, { path: "/is-dynamic-lb-initialized" })
  expect([status, body]).toEqual([200, "OK"])
})

describe("/nginx_status", () => {
  test("is for those that the keys name", async () => {
    expect((await site.get("/nginx_status", { host: "unknown.test" })).body).toContain("Active connections")
  })

  test("17: is 403 for others", async () => {
    await site.reconfigure({ "nginx-status-ipv4-whitelist": "10.0.0.0/8" })
    expect((await site.get("/nginx_status", { host: "unknown.test" })).status).toBe(403)
  })

  test("is an Ingress's where one has that path", async () => {
    await site.put(ingress("demo/app", "foo.test/ → app:80"), ...site.service("app", "one"))
    expect((await site.get("/nginx_status")).body).toBe("one")
    expect((await site.get("/healthz")).body).toBe("one")
  })
})

describe("HTTPS", () => {
  beforeAll(() => site.put(ingress("demo/app", "foo.test/ → app:80"), ...site.service("app", "one")))

  test("336: backends are told the port of the listener, and 443 for HTTPS", async () => {
    expect((await site.get("/")).body).toBe("one")
    expect(site.backend("one").lastHeaders).toMatchObject({
      "x-forwarded-port": String(site.wick.port),
      "x-forwarded-proto": "http",
    })
    expect((await overTls({ host: "foo.test" })).body).toBe("one")
    expect(site.backend("one").lastHeaders).toMatchObject({
      "x-forwarded-port": "443",
      "x-forwarded-proto": "https",
    })
  })

  test("HTTP/2 is agreed on, and served", async () => {
    expect((await handshake(site.wick.httpsPort, { protocols: ["h2", "http/1.1"] })).alpn).toBe("h2")
    const session = connectHttp2(`https://127.0.0.1:${site.wick.httpsPort}`, { rejectUnauthorized: false })
    const stream = session.request({ ":path": "/", ":authority": "foo.test" })
    let body = ""
    stream.setEncoding("utf8").on("data", (text: string) => {
      body += text
    })
    await new Promise((resolve, reject) => stream.once("end", resolve).once("error", reject))
    session.close()
    expect(body).toBe("one")
  })

  test("use-http2 switches it off", async () => {
    await site.reconfigure({ "use-http2": "false" })
    const protocols = ["h2", "http/1.1"]
    expect((await handshake(site.wick.httpsPort, { protocols })).alpn).toBe("http/1.1")
  })
})

test("bind-address: only these addresses are listened on", async () => {
  await site.reconfigure({ "bind-address": "127.0.0.1, 127.0.0.3", "disable-ipv6": "true" })
  const at = (host: string) => ask({ port: site.wick.port, host }, { host: "unknown.test" })
  expect((await at("127.0.0.1")).status).toBe(404)
  expect((await at("127.0.0.3")).status).toBe(404)
  await expect(at("127.0.0.2")).rejects.toThrow("ECONNREFUSED")
})
