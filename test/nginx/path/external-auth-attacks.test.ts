import { describe, expect, test } from "vitest"
import type { Question } from "../../../harness/http.ts"
import { startLoad } from "../../../harness/load.ts"
import { ingress, secret, serviceOn } from "../../../harness/manifests.ts"
import { basic, hashes } from "../../../harness/passwords.ts"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { rawRequest } from "../ingress/support/raw.ts"
import { type Annotations, asks, authSite } from "./external-auth-site.ts"

const at = authSite()
const { says, put, protect, get, status } = at

describe("where a client without a login is led", () => {
  const led = async (annotations: Annotations, question: Question = {}, path = "/a?b=c&d=%22") => {
    await protect({ "auth-signin": "https://auth.test/start", ...annotations })
    says({ status: 401 })
    const answer = await get(path, question)
    return [answer.status, answer.headers.location]
  }
  const back = "http://foo.test%2Fa%3Fb%3Dc%26d%3D%2522"

  test("143: to the sign-in page, with where it wanted to go", async () => {
    expect(await led({})).toEqual([302, `https://auth.test/start?rd=${back}`])
  })

  test("144: under another name of the parameter", async () => {
    expect(await led({ "auth-signin-redirect-param": "orig" })).toEqual([
      302,
      `https://auth.test/start?orig=${back}`,
    ])
  })

  test("145, 146: behind the parameters that are there, unless it is among them", async () => {
    expect(await led({ "auth-signin": "https://auth.test/start?foo=1" })).toEqual([
      302,
      `https://auth.test/start?foo=1&rd=${back}`,
    ])
    expect(await led({ "auth-signin": "https://auth.test/start?rd=foo" })).toEqual([
      302,
      "https://auth.test/start?rd=foo",
    ])
    expect(await led({ "auth-signin": "https://$host/start?rd=$escaped_request_uri" })).toEqual([
      302,
      "https://foo.test/start?rd=%2Fa%3Fb%3Dc%26d%3D%2522",
    ])
  })

  test("nobody else says where", async () => {
    const forged = {
      "x-forwarded-host": "evil.test",
      "x-original-url": "https://evil.test/",
      forwarded: "host=evil.test",
    }
    expect(await led({}, { headers: forged }, "/")).toEqual([
      302,
      "https://auth.test/start?rd=http://foo.test%2F",
    ])
    says({ status: 401, headers: { location: "https://evil.test/" } })
    expect((await get("//evil.test/")).headers.location).toBe(
      "https://auth.test/start?rd=http://foo.test%2F%2Fevil.test%2F",
    )
    const raw = await rawRequest(
      at.site.wick.port,
      "GET http://foo.test/ HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n",
    )
    expect(raw).toContain("Location: https://auth.test/start?rd=http://foo.test%2F\r\n")
    expect(raw).not.toContain("evil")
  })
})

describe("beside a list of addresses", () => {
  const lists = async (annotations: Annotations) => {
    await protect(annotations)
    const statuses: number[] = []
    for (const told of [200, 401, 403, 500]) {
      says({ status: told })
      statuses.push(await status())
    }
    return statuses
  }
  const here = { "allowlist-source-range": "127.0.0.0/8" }
  const elsewhere = { "allowlist-source-range": "18.0.0.0/8" }

  test("171: both have to let a request in, and who is elsewhere asks nothing", async () => {
    expect(await lists(here)).toEqual([200, 401, 403, 500])
    at.service.asked.length = 0
    expect(await lists(elsewhere)).toEqual([403, 403, 403, 403])
    expect(at.service.asked).toEqual([])
  })

  test("with satisfy any one of them is enough, but a service that fails lets nobody in from elsewhere", async () => {
    expect(await lists({ ...elsewhere, satisfy: "any" })).toEqual([200, 401, 403, 500])
    at.service.asked.length = 0
    expect(await lists({ ...here, satisfy: "any" })).toEqual([200, 200, 200, 200])
    expect(at.service.asked).toEqual([])
  })
})

describe("beside a list of addresses and passwords", () => {
  const credentials = { right: basic("foo"), wrong: basic("foo", "wrong"), none: {} }
  const cases = ["127.0.0.0/8", "18.0.0.0/8"].flatMap((allowed) =>
    (["right", "wrong", "none"] as const).flatMap((password) =>
      [200, 401, 403, 500].map((told) => ({ allowed, password, told })),
    ),
  )
  const isHere = ({ allowed }: (typeof cases)[number]) => allowed === "127.0.0.0/8"
  const isKnown = ({ password }: (typeof cases)[number]) => password === "right"

  /** Of each case, in order; the service says what `X-Told` asks for. */
  const statuses = async (satisfy: "all" | "any") => {
    says(({ headers }) => ({ status: Number(headers["x-told"]) }))
    const seen: number[] = []
    for (const { allowed, password, told } of cases) {
      const asked = { "auth-type": "basic", "auth-secret": "users" }
      const lists = { ...asked, "allowlist-source-range": allowed, satisfy }
      await protect(lists, secret("demo/users", { auth: `foo:${hashes.plain}` }))
      seen.push(await status("/", { headers: { ...credentials[password], "x-told": `${told}` } }))
    }
    return seen
  }

  test("all of them have to let a request in, asked in this order", async () => {
    const wanted = cases.map((one) => (!isHere(one) ? 403 : isKnown(one) ? one.told : 401))
    expect(await statuses("all")).toEqual(wanted)
  })

  test("with satisfy any one of them is enough, and 401 beats 403", async () => {
    const refused = (told: number) => (told === 403 ? 401 : told)
    const wanted = cases.map((one) => (isHere(one) || isKnown(one) ? 200 : refused(one.told)))
    expect(await statuses("any")).toEqual(wanted)
  })
})

describe("a protected path in other spellings", () => {
  const spellings = [
    "/private",
    "/private/",
    "//private",
    "/./private",
    "/open/../private",
    "/open/%2e%2e/private",
    "/open/..%2fprivate",
    "/%70rivate",
    "/private%2f",
    "/private;x=y",
    "/private/..;/x",
    "/private?x=/open",
    "/private#/open",
    "/private%00",
    "/private/%0d%0a",
  ]

  test("is protected or is another path", async () => {
    await put(
      ingress("demo/private", "foo.test/private → app:80", asks, 1),
      ingress("demo/open", "foo.test/open → app:80", {}, 2),
    )
    says({ status: 403 })
    at.backend.answer = ({ url: path }) => ({ body: path })
    for (const path of spellings) {
      const head = `GET ${path} HTTP/1.1\r\nHost: foo.test\r\nConnection: close\r\n\r\n`
      const answer = await rawRequest(at.site.wick.port, head)
      // nginx hands the path on as the client wrote it: what it found is what is protected
      expect(answer.slice(9, 12), path).toMatch(/^(403|404|400)$/)
    }
    expect(at.backend.asked).toEqual([])
  })

  test("in absolute form, with several hosts, in HTTP/1.0, and by any method", async () => {
    await protect()
    says({ status: 403 })
    const raw = async (...lines: readonly string[]) =>
      (await rawRequest(at.site.wick.port, `${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`)).slice(
        9,
        12,
      )
    expect(await raw("GET http://foo.test/ HTTP/1.1", "Host: other.test")).toBe("403")
    expect(await raw("GET http://FOO.test./ HTTP/1.1", "Host: foo.test")).toMatch(/^(403|404|400)$/)
    expect(await raw("GET / HTTP/1.1", "Host: foo.test", "Host: other.test")).toBe("400")
    expect(await raw("GET / HTTP/1.0", "Host: foo.test")).toBe("403")
    expect(await raw("OPTIONS * HTTP/1.1", "Host: foo.test")).toMatch(/^(403|404|400)$/)
    for (const method of ["POST", "HEAD", "OPTIONS", "PROPFIND", "TRACE", "get"]) {
      expect(await raw(`${method} / HTTP/1.1`, "Host: foo.test", "Content-Length: 0"), method).toMatch(
        /^(403|405|400)$/,
      )
    }
    expect(await raw("GET / HTTP/1.1", "Host: foo.test", "X-HTTP-Method-Override: OPTIONS")).toBe("403")
    expect(
      await raw("GET / HTTP/1.1", "Host: foo.test", "X-Original-URL: /open", "X-Rewrite-URL: /open"),
    ).toBe("403")
    expect(at.backend.asked).toEqual([])
  })

  test("169: what follows a refused request is a request of its own", async () => {
    await protect({ "auth-signin": "https://auth.test/start" })
    says({ status: 401, body: "inside" })
    const inner = "GET /verify HTTP/1.1\r\nHost: auth.demo.svc.cluster.local\r\nConnection: close\r\n\r\n"
    const outer = `GET / HTTP/1.1\r\nHost: foo.test\r\nContent-Length: ${inner.length}\r\n\r\n`
    const answer = await rawRequest(
      at.site.wick.port,
      outer,
      inner,
      "GET / HTTP/1.1\r\nHost: foo.test\r\nConnection: close\r\n\r\n",
    )
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 302", "HTTP/1.1 302"])
    expect(answer).not.toContain("inside")
    expect(at.backend.asked).toEqual([])
  })
})

test("no error page answers in its place: a dead service lets nobody in", async () => {
  const [port] = await freePorts(1)
  // whoever is let in gets 200, an error page is a 418
  at.backend.answer = ({ headers }) => ({ status: headers["x-code"] === undefined ? 200 : 418 })
  const codes = { "custom-http-errors": "401,403,404,500,502,503,504", "default-backend": "app" }
  await protect(codes)
  says({ status: 401 })
  await until("error pages", async () => (await status()) === 418)
  at.backend.asked.length = 0
  for (const told of [401, 403, 404, 500, 502, 504, 302]) {
    says({ status: told })
    expect(await status("/"), `${told}`).toBe(418)
  }
  await protect({ ...codes, "auth-url": "http://empty.demo.svc/" }, ...serviceOn("demo/empty", []))
  expect(await status()).toBe(418)
  await protect({ ...codes, "auth-url": `http://127.0.0.1:${port}/` })
  expect(await status()).toBe(418)
  expect(at.backend.asked.filter(({ headers }) => headers["x-code"] === undefined)).toEqual([])
})

test("nobody gets past, and no request fails, while whom to ask changes under load", async () => {
  await protect()
  says(({ headers }) => ({ status: headers.cookie === "in" ? 200 : 403 }))
  const load = (cookie: string) =>
    startLoad({
      port: at.site.wick.port,
      connections: 4,
      question: () => ({ host: "foo.test", headers: { cookie } }),
    })
  const [guest, stranger] = [load("in"), load("out")]
  for (let round = 0; round < 10; round += 1) {
    const taken = round % 2 === 0 ? { "auth-response-headers": "X-User" } : {}
    await protect({ "auth-url": `http://auth.demo/${round}`, ...taken })
  }
  const [inside, outside] = [await guest.stop(), await stranger.stop()]
  expect([[...inside.statuses.keys()], inside.lost]).toEqual([[200], []])
  expect([[...outside.statuses.keys()], outside.lost]).toEqual([[403], []])
})
