// An authentication service is asked in the access phase: what it is told, what its answer decides, and what comes of its headers.
import { once } from "node:events"
import { type AddressInfo, connect, createServer } from "node:net"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { Told } from "../../../harness/echo.ts"
import { answering } from "../../../harness/ingress/ingress.ts"
import { addressListOf } from "../../../harness/ingress/records.ts"
import { until } from "../../../harness/until.ts"
import { type AuthSite, startAuthSite } from "./support/auth-site.ts"

/** A service that says something and closes. */
interface Breaking extends Disposable {
  answer: string
  readonly port: number
}

async function startBreaking(): Promise<Breaking> {
  const server = createServer((socket) => {
    socket.on("error", () => {})
    socket.once("data", () => socket.end(breaking.answer))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return { answer: "", port, [Symbol.dispose]: () => void server.close() }
}

const host = "a.test"
let site: AuthSite
let breaking: Breaking
beforeAll(async () => {
  breaking = await startBreaking()
  site = await startAuthSite({
    locations: `
      ${answering("open", "open")}
      location @errors {
        proxy_pass http://127.0.0.1:1;
        error_page 401 403 404 500 502 503 504 = @page;
        proxy_intercept_errors on;
      }
      location @auth-breaking { proxy_http_version 1.1; proxy_pass http://127.0.0.1:${breaking.port}; }
      location @telling { try_files /none @told; }
      location @told { return 200 "$http_x_user $user"; }
      location @page { return 200 "a page"; }`,
    http: `underscores_in_headers on; map $remote_user $user { "" "-"; default $remote_user; }`,
  })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  breaking[Symbol.dispose]()
})
beforeEach(() => {
  site.service.answer = () => ({ body: "welcome" })
  site.service.asked.length = 0
  site.backend.asked.length = 0
})

const says = (told: Told) => {
  site.service.answer = () => told
}
const get = (path = "/", headers: Record<string, string | string[]> = {}) =>
  site.ingress.nginx.get(path, { host, headers })

describe("the verdict", () => {
  test.each([200, 201, 202, 204, 206, 299])("%i lets the request in", async (status) => {
    await site.guard(host)
    says({ status })
    expect((await get()).status).toBe(200)
    expect(site.backend.asked).toHaveLength(1)
  })

  test.each([
    [401, 401],
    [403, 403],
    [300, 500],
    [301, 500],
    [304, 500],
    [400, 500],
    [404, 500],
    [429, 500],
    [500, 500],
    [502, 500],
    [503, 500],
    [504, 500],
  ])("%i keeps it out with %i, and the service's body with it", async (status, wanted) => {
    await site.guard(host)
    says({ status, headers: { location: "/elsewhere", "x-accel-redirect": "/" }, body: "secret" })
    const answer = await get()
    expect(answer.status).toBe(wanted)
    expect(answer.body).not.toContain("secret")
    expect(answer.headers.location).toBeUndefined()
    expect(site.backend.asked).toEqual([])
  })

  test("nobody gets in when the service is not there, or breaks off", async () => {
    await site.guard(host, { location: "auth-dead" })
    expect((await get()).status).toBe(500)
    await site.guard(host)
    site.service.answer = () => {
      throw new Error("breaks off")
    }
    expect((await get()).status).toBe(500)
    for (const answer of [
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nless",
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n",
      "HTTP/1.1 2000 OK\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      "200 OK",
      "",
    ]) {
      breaking.answer = answer
      await site.guard(host, { location: "auth-breaking" })
      expect((await get()).status, answer).toBe(500)
    }
    expect(site.backend.asked).toEqual([])
  })

  test("an answer that leads inside of nginx is none", async () => {
    await site.guard(host, { location: "auth-led" })
    for (const to of ["@open", "/", "@errors"]) {
      says({ headers: { "x-accel-redirect": to } })
      const answer = await get()
      expect(answer.status).toBe(500)
      expect(answer.body).not.toContain("open")
    }
    expect(site.backend.asked).toEqual([])
  })

  test("no error page takes the place of an answer", async () => {
    for (const status of [401, 403, 404, 500, 502, 503, 504]) {
      await site.guard(host, {}, { location: "errors" })
      says({ status })
      // The page is that of the refused request: what is behind it stays there.
      expect((await get()).body).toBe("a page")
      expect(site.ingress.nginx.errorLog()).not.toContain('upstream: "http://127.0.0.1:1/"')
    }
  })

  test("a location that is not there closes the route", async () => {
    await site.guard(host, { location: "auth-none" })
    expect((await get()).status).toBe(503)
    expect(site.service.asked).toEqual([])
  })

  test("all lines of a challenge reach the client", async () => {
    await site.guard(host)
    says({ status: 401, headers: { "www-authenticate": ['Basic realm="a"', "Bearer"] } })
    const answer = await get()
    expect(answer.status).toBe(401)
    expect(answer.headers["www-authenticate"]).toBe('Basic realm="a", Bearer')
  })

  test("a 401 leads to where to log in", async () => {
    const signin = "https://auth.test/start?rd=$scheme://$http_host$escaped_request_uri"
    await site.guard(host, { signin })
    says({ status: 401, headers: { "set-cookie": ["a=1", "b=2"], "www-authenticate": "Bearer" } })
    const answer = await get("/x%20y?a=b&c=%22")
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toBe(
      "https://auth.test/start?rd=http://a.test%2Fx%2520y%3Fa%3Db%26c%3D%2522",
    )
    expect(answer.headers["set-cookie"]).toEqual(["a=1", "b=2"])
    expect(answer.headers["www-authenticate"]).toBeUndefined()
    says({ status: 403 })
    expect((await get()).status).toBe(403)
  })
})

describe("the question", () => {
  test("has the client's headers, and ours in their place", async () => {
    await site.guard(host, { target: "/check?path=$escaped_request_uri", host: "other.test" })
    const forged = ["X-Original-URL", "X_Original_Method", "X-Sent-From", "X-Real-IP", "X-Forwarded-For"]
    const more = ["X-Forwarded-Proto", "X-Auth-Request-Redirect", "X_Original_URI", "X-Scheme", "Upgrade"]
    const headers = Object.fromEntries([...forged, ...more].map((name) => [name, "forged"]))
    await get("/a?b=c", { ...headers, Cookie: "a=b", Authorization: "Basic x", "X-Request-ID": "id" })
    const { method, url, httpVersion, body, headers: seen } = site.service.last
    expect({ method, url, httpVersion, body }).toEqual({
      method: "GET",
      url: "/check?path=%2Fa%3Fb%3Dc",
      httpVersion: "1.1",
      body: "",
    })
    expect(seen).toEqual({
      host: "other.test",
      cookie: "a=b",
      authorization: "Basic x",
      "x-request-id": expect.stringMatching(/^[0-9a-f]{32}$/),
      "x-original-url": "http://a.test/a?b=c",
      "x-original-method": "GET",
      "x-sent-from": "nginx-ingress-controller",
      "x-real-ip": "127.0.0.1",
      "x-forwarded-for": "127.0.0.1",
      "x-auth-request-redirect": "/a?b=c",
    })
  })

  test("has a method, headers and a redirect of the route's own", async () => {
    await site.guard(host, {
      method: "POST",
      headers: { "X-Scope": "$http_host $arg_a", "X-Sent-From": "us", "X-Gone": "$arg_none" },
      requestRedirect: "https://$http_host/back",
    })
    await get("/?a=b", { X_Scope: "forged", "X-Gone": "forged" })
    const { method, url, body, headers } = site.service.last
    expect({ method, url, body }).toEqual({ method: "POST", url: "/check", body: "" })
    expect(headers).toMatchObject({
      "x-scope": "a.test b",
      "x-sent-from": "us",
      "x-original-uri": "/?a=b",
      "x-scheme": "http",
      "x-auth-request-redirect": "https://a.test/back",
    })
    expect(headers).not.toHaveProperty("x_scope")
    expect(headers).not.toHaveProperty("x-gone")
  })

  test("is a GET whatever the client's method is, and its body reaches the backend alone", async () => {
    await site.guard(host)
    const body = "x".repeat(300_000)
    const answer = await site.ingress.nginx.get("/", { host, method: "PUT", body })
    expect(answer.status).toBe(200)
    expect(site.service.last).toMatchObject({ method: "GET", body: "" })
    expect(site.service.last.headers).toMatchObject({ "x-original-method": "PUT" })
    expect(site.service.last.headers).not.toHaveProperty("content-length")
    expect(site.backend.last).toMatchObject({ method: "PUT", body })
  })

  test("is in its line and headers what the templates say, and nothing more", async () => {
    await site.guard(host, { target: "/$arg_a $http_x", host: "h" })
    await get("/?a=%0d%0aX:y", { x: "a b\tc" })
    expect(site.service.last.url).toBe("/%0d%0aX:y%20a%20b%09c")
    await site.guard(host, { target: "$arg_none" })
    await get()
    expect(site.service.last.url).toBe("/")
  })

  test("goes over a connection that is kept", async () => {
    await site.guard(host)
    const before = site.service.connections
    for (let at = 0; at < 5; at += 1) expect((await get()).status).toBe(200)
    expect(site.service.connections - before).toBeLessThanOrEqual(1)
  })
})

describe("headers of the answer", () => {
  const names = ["X-User", "Authorization", "Content-Length"]

  test("take the place of the client's, in every spelling", async () => {
    await site.guard(host, { responseHeaders: names })
    says({ headers: { "x-user": ["ann", "bob"], authorization: "Bearer t" }, body: "" })
    await get("/", { "X-User": "forged", X_User: "forged", "x-USER": "forged", Authorization: "Basic x" })
    const { headers } = site.backend.last
    expect(headers).toMatchObject({ "x-user": "ann, bob", authorization: "Bearer t" })
    expect(headers).not.toHaveProperty("x_user")
  })

  test("are those of variables, too, that were asked for before", async () => {
    const external = { responseHeaders: names, headers: { "X-Seen": "$http_x_user $remote_user" } }
    await site.guard(host, external, { location: "telling" })
    says({ headers: { "x-user": "ann" }, body: "" })
    const basic = `Basic ${Buffer.from("eve:x").toString("base64")}`
    expect((await get("/", { "X-User": "forged", Authorization: basic })).body).toBe("ann -")
    expect(site.service.last.headers).toMatchObject({ "x-seen": "forged eve" })
  })

  test("are none where the answer has none", async () => {
    await site.guard(host, { responseHeaders: names })
    await get("/", { "X-User": "forged", X_user: "forged", Authorization: "Basic x", "X-Other": "a" })
    const { headers } = site.backend.last
    expect(Object.keys(headers).filter((name) => /user|authorization/.test(name))).toEqual([])
    expect(headers).toMatchObject({ "x-other": "a" })
  })

  test("are none of the client's where another check lets it in", async () => {
    await site.ingress.write(":addresses/here", addressListOf(["127.0.0.0/8"]))
    await site.guard(host, { responseHeaders: names }, { access: { allow: "here", satisfy: "any" } })
    expect((await get("/", { "X-User": "forged" })).status).toBe(200)
    expect(site.service.asked).toEqual([])
    expect(site.backend.last.headers).not.toHaveProperty("x-user")
  })
})

describe("cookies of the answer", () => {
  const cookies = ["a=1; Path=/", "b=2"]

  test("are lines of the client's answer, behind the backend's", async () => {
    await site.guard(host)
    says({ headers: { "set-cookie": cookies } })
    site.backend.answer = () => ({ headers: { "set-cookie": "c=3" } })
    expect((await get()).headers["set-cookie"]?.toSorted()).toEqual([...cookies, "c=3"])
  })

  test.each([200, 201, 204, 301, 302, 303, 307, 308])("go with a %i", async (status) => {
    await site.guard(host)
    says({ headers: { "set-cookie": cookies } })
    site.backend.answer = () => ({ status })
    expect((await get()).headers["set-cookie"]).toEqual(cookies)
  })

  test("go with other statuses only if always", async () => {
    says({ headers: { "set-cookie": cookies } })
    site.backend.answer = () => ({ status: 404 })
    await site.guard(host)
    expect((await get()).headers["set-cookie"]).toBeUndefined()
    await site.guard(host, { alwaysSetCookie: true })
    expect((await get()).headers["set-cookie"]).toEqual(cookies)
    says({ status: 401, headers: { "set-cookie": cookies } })
    expect((await get()).headers["set-cookie"]).toEqual(cookies)
    site.backend.answer = () => ({})
  })
})

test("a client that goes away while it waits takes the question with it", async () => {
  await site.guard(host)
  says({ delayMs: 60_000 })
  const client = connect(site.ingress.port, "127.0.0.1")
  client.on("error", () => {})
  client.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await until("the question", () => site.service.asked.length > 0)
  client.destroy()
  await until("the end", () => site.service.open === 0)
  says({})
  expect((await get()).status).toBe(200)
})
