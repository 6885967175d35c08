// Requests by HTTP/3 with a client of its own (aioquic), from YAML to answer. Needs an nginx that was built with it.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { Http3Clients, type Http3Question } from "../../../harness/http3.ts"
import { ingress, type Json, secret, serviceOn, withTls } from "../../../harness/manifests.ts"
import { type Authority, rootAuthority } from "../../../harness/pki.ts"
import { TlsClient } from "../../../harness/tls-client.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "../path/site.ts"
import { hasHttp3 } from "./nginx.ts"

let site: Site
let clients: Http3Clients
let echo: Echo
let ca: Authority

/** Each case is of one configuration: `use-http3` is a reload, and nothing else here is. */
const settings = { "use-http3": "true" }

beforeAll(async () => {
  if (!hasHttp3) return
  clients = new Http3Clients()
  ca = await rootAuthority({ cn: "ca" })
  echo = await new Echo().start()
  site = await Site.start([])
  await site.reconfigure(settings)
})
afterAll(async () => {
  if (!hasHttp3) return
  clients[Symbol.dispose]()
  await site[Symbol.asyncDispose]()
  await echo[Symbol.asyncDispose]()
})

const put = (...objects: readonly Json[]) => site.put(...serviceOn("demo/app", [echo.port]), ...objects)

const ask = (question: Http3Question = {}, serverName = "foo.test") =>
  clients.ask({ port: site.wick.httpsPort, serverName }, { authority: serverName, ...question })

const asked = () => echo.asked.at(-1)

describe.skipIf(!hasHttp3)("a request", () => {
  const app = (annotations: Readonly<Record<string, string>> = {}) =>
    ingress("demo/app", "foo.test/ → app:80", annotations)

  test("goes to its backend with the host that it is for, and what came by HTTPS", async () => {
    await put(app())
    const { status } = await ask({ path: "/a%20b?c=d" })
    expect(status).toBe(200)
    expect(asked()).toMatchObject({
      url: "/a%20b?c=d",
      headers: { host: "foo.test", "x-forwarded-proto": "https", "x-forwarded-host": "foo.test" },
    })
    expect(asked()?.headers["x-real-ip"]).toBe("127.0.0.1")
  })

  test("may name the host in a header instead, and one host only", async () => {
    await put(app())
    expect(await ask({ authority: null, headers: [["host", "foo.test"]] })).toMatchObject({ status: 200 })
    expect(asked()?.headers.host).toBe("foo.test")
    expect(await ask({ headers: [["host", "bar.test"]] })).toMatchObject({ status: 400 })
  })

  test("keeps the port of its host", async () => {
    await put(app())
    await ask({ authority: "foo.test:8443" })
    expect(asked()?.headers.host).toBe("foo.test:8443")
  })

  test("has a body, and so has its answer, without a limit of memory", async () => {
    await put(app({ "proxy-body-size": "8m" }))
    const body = Buffer.alloc(3_000_000, "wick ")
    echo.answer = () => ({ body: "b".repeat(2_000_000) })
    const answer = await ask({ method: "POST", body })
    echo.answer = () => ({})
    expect([answer.status, answer.body.length]).toEqual([200, 2_000_000])
    expect(asked()?.body).toBe(body.toString())
  })

  test("of more than the limit is refused", async () => {
    await put(app({ "proxy-body-size": "1k" }))
    expect(await ask({ method: "POST", body: Buffer.alloc(5000) })).toMatchObject({ status: 413 })
  })

  test("is refused by the address that it comes from", async () => {
    await put(app({ "denylist-source-range": "127.0.0.0/8" }))
    expect(await ask()).toMatchObject({ status: 403 })
    await put(app({ "allowlist-source-range": "127.0.0.0/8" }))
    expect(await ask()).toMatchObject({ status: 200 })
  })

  test("counts for the limits of its client", async () => {
    await put(app({ "limit-rpm": "1", "limit-burst-multiplier": "1" }))
    const statuses = []
    for (let nth = 0; nth < 6; nth += 1) statuses.push((await ask()).status)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
  })
})

describe.skipIf(!hasHttp3)("a handshake", () => {
  const app = (name: string) =>
    withTls(ingress(`demo/${name}`, `${name}.test/ → app:80`), `${name}.test=${name}`)

  test("gets the certificate of its name, and the renewed one next, without a reload", async () => {
    const issue = (host: string) => ca.issue({ names: [host] })
    const [foo, bar, renewed] = [await issue("foo.test"), await issue("bar.test"), await issue("foo.test")]
    const objects = [app("foo"), app("bar"), secret("demo/bar", bar.tlsData())]
    await put(...objects, secret("demo/foo", foo.tlsData()))
    const reloads = await site.wick.metric("nginx_ingress_controller_success")
    const shown = async (serverName: string) => {
      const connection = await clients.connect({ port: site.wick.httpsPort, serverName })
      await connection.close()
      return connection.certificate
    }
    expect(await shown("foo.test")).toBe(foo.pem)
    expect(await shown("bar.test")).toBe(bar.pem)
    await put(...objects, secret("demo/foo", renewed.tlsData()))
    await until("the renewed certificate", async () => (await shown("foo.test")) === renewed.pem)
    expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(reloads)
  })

  test("for another host than the request's with certificates of clients is answered 421", async () => {
    const asking = { "auth-tls-secret": "demo/ca" }
    await put(
      ingress("demo/own", "foo.test/ → app:80", asking),
      ingress("demo/open", "bar.test/ → app:80"),
      secret("demo/ca", { "ca.crt": ca.pem }),
    )
    const alice = await ca.issue({ cn: "alice" })
    const mallory = await (await rootAuthority({ cn: "other" })).issue({ cn: "mallory" })
    const by = (identity?: typeof alice, serverName = "foo.test") =>
      clients.ask({ port: site.wick.httpsPort, serverName, ...(identity && { identity }) })
    expect(await by(alice)).toMatchObject({ status: 200 })
    expect(asked()?.headers).toMatchObject({
      "ssl-client-verify": "SUCCESS",
      "ssl-client-subject-dn": "CN=alice",
    })
    expect(await by()).toMatchObject({ status: 400 })
    expect(await by(mallory)).toMatchObject({ status: 400 })
    expect(await by(alice, "bar.test")).toMatchObject({ status: 421 })
  })
})

describe.skipIf(!hasHttp3)("Alt-Svc", () => {
  const told = async (host: string) => {
    await using client = await TlsClient.connect(site.wick.httpsPort, { servername: "foo.test" })
    return (await client.ask({ host })).headers["alt-svc"]
  }

  test("is told by HTTPS at the port that the client knows, and nowhere else", async () => {
    await put(ingress("demo/app", "foo.test/ → app:80", { "ssl-redirect": "false" }))
    expect(await told("foo.test")).toBe('h3=":443"; ma=86400')
    expect(await told("foo.test:8443")).toBe('h3=":8443"; ma=86400')
    expect((await ask()).headers["alt-svc"]).toBe('h3=":443"; ma=86400')
    expect((await site.get("/")).headers).not.toHaveProperty("alt-svc")
  })

  test("is what a path says of it, without a reload", async () => {
    const snippet = { "configuration-snippet": 'more_set_headers "Alt-Svc: clear";' }
    const reloads = await site.wick.metric("nginx_ingress_controller_success")
    await put(ingress("demo/app", "foo.test/ → app:80", snippet))
    expect(await told("foo.test")).toBe("clear")
    expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(reloads)
  })
})

test.skipIf(hasHttp3)(
  "use-http3 is a Problem where nginx was built without it, and everything is served",
  async () => {
    await using plain = await Site.start(["one"])
    await plain.reconfigure(settings)
    await plain.untilProblem("value-corrected")
    await plain.put(...plain.service("app", "one"), ingress("demo/app", "foo.test/ → app:80"))
    expect((await plain.get("/")).body).toBe("one")
  },
)
