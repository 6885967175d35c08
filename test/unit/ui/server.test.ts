// Who may ask for the page and its JSON, and how.
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import type { Server } from "node:http"
import { type AddressInfo, Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest"
import { closeNow } from "../../../controller/support/close-now.ts"
import { type Answer, ask, type Question } from "../../../harness/http.ts"
import { type Gate, loopbackGate, openGate } from "../../../ui/gate.ts"
import { createUiServer, listenAt } from "../../../ui/server.ts"
import { readToken } from "../../../ui/token.ts"
import { tokenGate } from "../../../ui/token-gate.ts"
import { sourcesOf } from "./sources.ts"

const folder = mkdtempSync(join(tmpdir(), "wick-ui-"))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, "token")
const token = "0123456789abcdef"

let server: Server | undefined
let errors: unknown[]
let sources = sourcesOf([])
beforeEach(() => {
  errors = []
  sources = sourcesOf([])
  writeFileSync(file, `${token}\n`)
})
afterEach(() => server && closeNow(server))

async function listen(gate: Gate, patienceMs?: number): Promise<number> {
  const log = { error: (...words: unknown[]) => errors.push(words) }
  server = createUiServer({ sources, gate, log, ...(patienceMs && { patienceMs }) })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return typeof address === "object" && address ? address.port : 0
}

async function serve(gate: Gate): Promise<(question?: Question) => Promise<Answer>> {
  const port = await listen(gate)
  return (question = {}) => ask({ port }, question)
}

describe("every answer", () => {
  test.each([
    "/",
    "/page/main.js",
    "/api/overview",
    "/api/none",
    "/none",
  ])("of %s is closed to others", async (path) => {
    const get = await serve(openGate)
    const { headers } = await get({ path })
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
    })
    const policy = String(headers["content-security-policy"])
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|http|\*/)
    expect(headers).not.toHaveProperty("access-control-allow-origin")
  })

  test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("%s is refused", async (method) => {
    const get = await serve(openGate)
    for (const path of ["/", "/api/overview"])
      expect(await get({ method, path })).toMatchObject({
        status: 405,
        headers: { allow: "GET, HEAD" },
      })
  })
})

test.each([
  "",
  "GET / HTTP/1.1\r\nHost: a",
])("a connection on which %j arrives and no more ends soon", async (text) => {
  const socket = new Socket().connect(await listen(openGate, 200), "127.0.0.1")
  socket.resume().write(text)
  await once(socket, "close")
})

describe("files", () => {
  test("are scripts without types, that name no package", async () => {
    const get = await serve(openGate)
    const index = await get()
    const scripts = [...index.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? "")
    const seen = new Set(scripts)
    for (const path of seen) {
      const { status, headers, body } = await get({ path })
      expect([path, status]).toEqual([path, 200])
      if (!String(headers["content-type"]).startsWith("text/javascript")) continue
      for (const [, name = ""] of body.matchAll(/^import\b[^"]*\bfrom\s*"([^"]+)"/gm))
        seen.add(new URL(name, `http://page${path}`).pathname)
    }
    expect(seen).toContain("/lib/uplot.js")
    expect(index.body).not.toMatch(/<script>|<style|style=|https?:/)
  })

  test("are not sent twice", async () => {
    const get = await serve(openGate)
    const { headers } = await get({ path: "/page/style.css" })
    const again = await get({ path: "/page/style.css", headers: { "if-none-match": String(headers.etag) } })
    expect([again.status, again.body]).toEqual([304, ""])
  })

  test.each([
    "/page/../server.ts",
    "/page/%2e%2e/server.ts",
    "/page/tsconfig.json",
    "/lib/../../../package.json",
    "//etc/passwd",
    "/page/",
  ])("there is no %s", async (path) => {
    expect((await (await serve(openGate))({ path })).status).toBe(404)
  })
})

describe("answers", () => {
  test("are JSON, and nobody keeps them", async () => {
    const get = await serve(openGate)
    const answer = await get({ path: "/api/routes?q=x" })
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", "content-type": /json/ })
    expect(answer.json()).toMatchObject({ total: 0 })
    expect((await get({ path: "/api/routes", method: "HEAD" })).body).toBe("")
  })

  test("say what is wrong with a question", async () => {
    const get = await serve(openGate)
    const wrong = await get({ path: "/api/routes?limit=many" })
    expect([wrong.status, wrong.json()]).toEqual([
      400,
      { error: "Cannot read limit: write a whole number from 0 to 500" },
    ])
    expect((await get({ path: "/api/backend?name=none" })).status).toBe(404)
    for (const name of ["none", "toString", "__proto__", ""])
      expect((await get({ path: `/api/${name}` })).status).toBe(404)
  })

  test("that fail end nothing", async () => {
    sources = sourcesOf([], {}, { zones: () => Promise.reject(new Error("oh")) })
    const get = await serve(openGate)
    const { status, body } = await get({ path: "/api/overview" })
    expect([status, body]).toEqual([500, '{"error":"Cannot answer: oh"}'])
    expect(errors).toHaveLength(1)
    expect((await get({ path: "/api/routes" })).status).toBe(200)
  })
})

describe("on a loopback address", () => {
  test.each([
    "localhost",
    "LOCALHOST:8080",
    "127.0.0.1:1",
    "127.9.9.9",
    "[::1]:8080",
  ])("%s may be asked", async (host) => {
    expect((await (await serve(loopbackGate))({ host, path: "/api/routes" })).status).toBe(200)
  })

  test.each([
    "evil.test",
    "127.0.0.1.evil.test",
    "localhost.evil.test:80",
    "10.0.0.1",
    "[::2]",
    "a:b:c",
    "[::1",
  ])("%j is another page's name", async (host) => {
    const get = await serve(loopbackGate)
    for (const path of ["/", "/api/overview", "/page/main.js"])
      expect((await get({ host, path })).status).not.toBe(200)
  })

  test("no page from elsewhere may ask, but anybody may lead here", async () => {
    const get = await serve(loopbackGate)
    const from = async (site: string, mode: string, path = "/api/overview") => {
      const headers = { "sec-fetch-site": site, "sec-fetch-mode": mode }
      return (await get({ host: "localhost:8080", path, headers })).status
    }
    for (const mode of ["cors", "no-cors", "same-origin"]) {
      expect(await from("cross-site", mode)).toBe(403)
      expect(await from("same-site", mode)).toBe(403)
      expect(await from("same-origin", mode)).toBe(200)
    }
    expect(await from("none", "navigate", "/")).toBe(200)
    expect(await from("cross-site", "navigate", "/")).toBe(200)
    expect(await from("cross-site", "navigate")).toBe(403)
  })

  test("an older browser says it by the origin", async () => {
    const get = await serve(loopbackGate)
    const from = async (origin: string) =>
      (await get({ host: "localhost:8080", path: "/api/overview", headers: { origin } })).status
    expect(await from("http://localhost:8080")).toBe(200)
    for (const origin of ["http://evil.test", "http://localhost:3000", "http://127.0.0.1:8080", "null"])
      expect(await from(origin)).toBe(403)
  })
})

describe("behind a token", () => {
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

  test("whoever has it may ask, by any name", async () => {
    const get = await serve(tokenGate(file))
    const ok = await get({ host: "ui.test", path: "/api/routes", headers: bearer(token) })
    expect(ok.status).toBe(200)
  })

  test("nobody else may", async () => {
    const get = await serve(tokenGate(file))
    for (const headers of [
      {},
      bearer("0123456789abcdeg"),
      bearer(""),
      { authorization: `Basic ${token}` },
      { cookie: `wick_ui=${token}` },
    ])
      for (const path of ["/api/overview", "/api/none"]) {
        const { status, headers: told } = await get({ path, headers })
        expect([status, told["www-authenticate"]]).toEqual([401, "Bearer"])
      }
    for (const path of ["/", "/page/main.js", "/lib/preact.js"])
      expect(await get({ path })).toMatchObject({ status: 303, headers: { location: "/login" } })
  })

  const login = (given: string): Question => ({
    method: "POST",
    path: "/login",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ token: given }).toString(),
  })
  const sessionIn = ({ headers }: Answer) => headers["set-cookie"]?.[0]?.split(";")[0] ?? ""

  test("whoever goes away in the middle of a form is no fault of ours", async () => {
    const gate = tokenGate(file)
    const checked = Promise.withResolvers<void>()
    const socket = new Socket()
    const get = await serve({
      check: (request, path) => {
        socket.destroy()
        return gate.check(request, path).finally(() => setImmediate(checked.resolve))
      },
    })
    socket.connect((server?.address() as AddressInfo).port, "127.0.0.1")
    socket.write("POST /login HTTP/1.1\r\nHost: ui.test\r\nContent-Length: 100\r\n\r\ntoken=")
    await checked.promise
    expect((await get({ path: "/login" })).status).toBe(200)
    expect(errors).toEqual([])
  })

  test("a form begins a session that no script can read, which does not have the token", async () => {
    const get = await serve(tokenGate(file))
    expect((await get({ path: "/login" })).body).toContain('type="password"')
    const answer = await get(login(token))
    expect([answer.status, answer.headers.location]).toEqual([303, "/"])
    const [cookie = ""] = answer.headers["set-cookie"] ?? []
    expect(cookie).toMatch(/^wick_ui=\d+\.[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/)
    expect(cookie).not.toContain(token)
    const cookies = { cookie: `other=1; ${sessionIn(answer)}` }
    expect((await get({ path: "/api/routes", headers: cookies })).status).toBe(200)
    expect((await get({ headers: cookies })).status).toBe(200)
    expect((await get({ method: "POST", path: "/api/routes", headers: cookies })).status).toBe(405)
  })

  test("a wrong token, none, or a very long form begins none", async () => {
    const get = await serve(tokenGate(file))
    for (const given of ["", `${token}0`, token.slice(1), "x".repeat(100_000)]) {
      const { status, headers } = await get(login(given))
      expect([status, headers.location, headers["set-cookie"]]).toEqual([303, "/login#failed", undefined])
    }
  })

  test("a session ends after twelve hours, with the token, and when it was changed", async () => {
    let nowMs = 1_000_000
    const get = await serve(tokenGate(file, () => nowMs))
    const session = sessionIn(await get(login(token)))
    const status = async (cookie: string) => (await get({ path: "/api/routes", headers: { cookie } })).status
    nowMs += 12 * 3_600_000 - 1
    expect(await status(session)).toBe(200)
    expect(await status(session.replace(/=\d/, "=9"))).toBe(401)
    nowMs += 1
    expect(await status(session)).toBe(401)
    nowMs = 1_000_000
    writeFileSync(file, "another token of some length")
    expect(await status(session)).toBe(401)
    expect(
      (
        await get({
          path: "/api/routes",
          headers: bearer("another token of some length".replaceAll(" ", "")),
        })
      ).status,
    ).toBe(401)
  })

  test("a file that cannot be read, or holds too little, lets nobody in", async () => {
    const get = await serve(tokenGate(file))
    writeFileSync(file, "short")
    const { status, body } = await get({ path: "/api/routes", headers: bearer("short") })
    expect([status, body]).toEqual([
      503,
      expect.stringContaining("write a token of 16 to 1024 characters into it"),
    ])
    rmSync(file)
    expect((await get({ path: "/api/routes", headers: bearer(token) })).status).toBe(503)
    await expect(readToken(file)).rejects.toMatchObject({ code: "ui-token" })
  })
})

test("a port that is in use is one sentence", async () => {
  await serve(openGate)
  const address = server?.address()
  const port = typeof address === "object" && address ? address.port : 0
  const other = createUiServer({ sources, gate: openGate, log: { error() {} } })
  await expect(listenAt(other, "127.0.0.1", port)).rejects.toThrow(
    `Cannot serve the page on 127.0.0.1 port ${port}: it is in use, choose another with --ui-port`,
  )
})
