// The firewall of a route: whom its rules stop, with what answer, and that nobody else notices it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { connect } from "node:http2"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { answering, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import type { Route } from "../../../harness/ingress/records.ts"
import { type RulePart, type Waf, writeRules } from "../../../harness/ingress/waf.ts"
import { until } from "../../../harness/until.ts"

const host = "a.test"
let backend: Echo
let ingress: Ingress
let directory: string
let turn = 0
beforeAll(async () => {
  backend = await new Echo().start()
  ingress = await startIngress({
    http: ({ dir }) => `
      ingress_modsecurity ${dir}/modsecurity;
      map $http_x_request_id $req_id { default $http_x_request_id; "" $request_id; }
      map $http_x_real_ip $real_ip { default $http_x_real_ip; }
      set_real_ip_from 127.0.0.1; real_ip_header X-Real-IP;`,
    locations: `
      location @app { proxy_pass http://127.0.0.1:${backend.port}; }
      location @pages {
        error_page 403 418 503 = @page;
        proxy_pass http://127.0.0.1:${backend.port};
      }
      location @elsewhere { error_page 403 /protected; proxy_pass http://127.0.0.1:${backend.port}; }
      location @denying { deny all; proxy_pass http://127.0.0.1:${backend.port}; }
      location @any { satisfy any; allow all; proxy_pass http://127.0.0.1:${backend.port}; }
      ${answering("page", "a page for $status")}`,
  })
  directory = join(ingress.nginx.dir, "modsecurity")
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  await backend[Symbol.asyncDispose]()
})
beforeEach(() => {
  backend.asked.length = 0
  backend.answer = () => ({ body: "welcome" })
})

/** Puts a firewall with these rules before the routes of the host, each test's with an owner of its own. */
async function protect(
  rules: string | readonly RulePart[],
  waf: Partial<Waf> = {},
  route: Partial<Route> = {},
): Promise<void> {
  turn += 1
  const parts = typeof rules === "string" ? [{ text: rules }] : rules
  const all = { owner: `demo/${turn}`, rules: writeRules(directory, parts), ...waf }
  await ingress.route(host, [{ path: "/", location: "app", waf: all, ...route }])
}

const on = "SecRuleEngine On\nSecAuditEngine Off\n"
const deny = (variable: string, phase: number, more = "deny,status:403") =>
  `SecRule ${variable} "@contains attack" "id:${phase},phase:${phase},log,msg:'an attack',${more}"\n`
const ask = (path: string, headers: Record<string, string> = {}) => ingress.ask(host, path, headers)
const post = (body: string, headers: Record<string, string> = {}) =>
  ingress.nginx.get("/", { host, method: "POST", body, headers })

describe("rules see", () => {
  test("arguments, headers, the path as it was written, and the client's real address", async () => {
    await protect(`${on}${deny("ARGS", 1)}
      SecRule REQUEST_HEADERS:X-Bad "@streq x" "id:11,phase:1,deny,status:418"
      SecRule REQUEST_URI_RAW "@contains %2e" "id:12,phase:1,deny,status:419"
      SecRule REMOTE_ADDR "@ipMatch 192.0.2.0/24" "id:13,phase:1,deny,status:420"
      SecRule REQUEST_HEADERS:Host "!@streq a.test" "id:14,phase:1,deny,status:421"`)
    expect(await ask("/?q=an+attack")).toBe("403")
    expect(await ask("/", { "x-bad": "x" })).toBe("418")
    expect(await ask("/a%2eb")).toBe("419")
    expect(await ask("/", { "x-real-ip": "192.0.2.7" })).toBe("420")
    expect(await ask("/?q=hello")).toBe("welcome")
    expect(backend.asked.map(({ url }) => url)).toEqual(["/?q=hello"])
  })

  test("the body, and in the second phase also requests without one", async () => {
    await protect(`${on}SecRequestBodyAccess On\n${deny("ARGS", 2)}`)
    const form = { "content-type": "application/x-www-form-urlencoded" }
    expect((await post("q=an+attack", form)).status).toBe(403)
    expect(await ask("/?q=an+attack")).toBe("403")
    const large = `a=${"x".repeat(300_000)}`
    expect((await post(large, form)).status).toBe(200)
    expect(backend.asked.map(({ body }) => body)).toEqual([large])
    expect((await post(`${large}&q=attack`, form)).status).toBe(403)
  })

  test("requests of HTTP/2", async () => {
    await using second = await startIngress({
      listen: "http2",
      http: `ingress_modsecurity ${directory};`,
      locations: `location @app { proxy_pass http://127.0.0.1:${backend.port}; }`,
    })
    const text = `${on}SecRequestBodyAccess On\n${deny("ARGS", 2)}
      SecRule REQUEST_PROTOCOL "!@streq HTTP/2.0" "id:11,phase:1,deny,status:420"
      SecRule REQUEST_HEADERS:Host "!@streq a.test" "id:14,phase:1,deny,status:421"`
    const waf = { owner: "demo/http2", rules: writeRules(directory, [{ text }]) }
    await second.route(host, [{ path: "/", location: "app", waf }])
    const session = connect(`http://127.0.0.1:${second.port}`)
    const status = (body?: string) =>
      new Promise((resolve, reject) => {
        const method = body === undefined ? "GET" : "POST"
        const type = { "content-type": "application/x-www-form-urlencoded" }
        const stream = session.request({ ":authority": host, ":method": method, ":path": "/", ...type })
        stream.on("response", (headers) => resolve(headers[":status"]))
        stream.on("error", reject)
        stream.end(body)
      })
    expect([await status(), await status("q=attack"), await status("q=hello")]).toEqual([200, 403, 200])
    session.destroy()
  })
})

describe("who is stopped", () => {
  test("gets no answer of the route's script, redirect or preflight, which come later", async () => {
    await protect(`${on}${deny("ARGS", 1)}`, {}, { redirect: { code: 302, to: "/away" } })
    expect(await ask("/?q=attack")).toBe("403")
    expect(await ask("/")).toBe("302")
  })

  test("is led away where a rule says so, and nowhere else by what a client writes", async () => {
    await protect(`${on}${deny("ARGS", 1, "redirect:'https://b.test/?%{ARGS.q}',status:307")}`)
    const { status, headers } = await ingress.nginx.get("/?q=attack%0d%0aSet-Cookie:%20a", { host })
    expect([status, headers.location, headers["set-cookie"]]).toEqual([
      307,
      "https://b.test/?attack%0D%0ASet-Cookie:%20a",
      undefined,
    ])
  })

  test("gets the location's error page, of which nothing is inspected", async () => {
    await protect(`${on}${deny("ARGS", 1)}${deny("RESPONSE_STATUS", 3)}`, {}, { location: "pages" })
    const { status, body } = await ingress.nginx.get("/?q=attack", { host })
    expect([status, body]).toEqual([200, "a page for 200"])
  })

  test("is inspected once, although an error page leads to a route with a firewall", async () => {
    turn += 1
    const rules = writeRules(directory, [{ text: `${on}${deny("ARGS", 1)}` }])
    const waf = { owner: `demo/${turn}`, rules }
    const before = ingress.nginx.errorLog().length
    await ingress.route(host, [
      { path: "/", location: "elsewhere", waf },
      { path: "/protected", location: "app", waf },
    ])
    const { status, body } = await ingress.nginx.get("/?q=attack", { host })
    expect([status, body]).toEqual([403, "welcome"])
    const refusals = ingress.nginx
      .errorLog()
      .slice(before)
      .match(/Access denied/g)
    expect(refusals).toHaveLength(1)
  })

  test("is stopped with a status that refuses, whatever the rule says", async () => {
    await protect(`${on}${deny("ARGS", 1, "deny,status:200")}`)
    expect(await ask("/?q=attack")).toBe("403")
    await protect(`${on}${deny("ARGS", 1, "drop")}`)
    expect(await ask("/?q=attack")).toBe("403")
  })

  test("cannot pass where a location is content with any check", async () => {
    await protect(`${on}SecRequestBodyAccess On\n${deny("ARGS", 2)}`, {}, { location: "any" })
    expect(await ask("/?q=attack")).toBe("403")
    expect(await ask("/")).toBe("welcome")
  })

  test("is stopped before the location's own checks", async () => {
    await protect(`${on}${deny("ARGS", 2, "deny,status:418")}`, {}, { location: "denying" })
    expect([await ask("/?q=attack"), await ask("/")]).toEqual(["418", "403"])
  })
})

describe("nobody is stopped", () => {
  test("by rules that only detect, which say so all the same", async () => {
    const before = ingress.nginx.errorLog().length
    await protect(`SecRuleEngine DetectionOnly\nSecRequestBodyAccess On
      SecResponseBodyAccess On\n${[1, 2].map((phase) => deny("ARGS", phase)).join("")}${deny("RESPONSE_BODY", 4)}`)
    backend.answer = () => ({ headers: { "content-type": "text/html" }, body: "an attack" })
    expect(await ask("/?q=attack")).toBe("an attack")
    const said = ingress.nginx.errorLog().slice(before)
    for (const id of [1, 2, 4]) expect(said).toContain(`[id "${id}"]`)
    expect(said).not.toContain("Access denied")
  })

  test("on routes without a firewall", async () => {
    const rules = writeRules(directory, [{ text: `${on}${deny("ARGS", 1)}` }])
    await ingress.route(host, [
      { path: "/", location: "app", waf: { owner: "demo/beside", rules } },
      { path: "/open", location: "app" },
    ])
    expect([await ask("/?q=attack"), await ask("/open?q=attack")]).toEqual(["403", "welcome"])
  })
})

describe("the log", () => {
  test("has one line for each rule, whatever a client writes", async () => {
    await protect(`${on}${deny("ARGS", 1)}`)
    const before = ingress.nginx.errorLog().length
    await ask(`/?q=attack%0a2026/11/27%2000:00:00%20%5Bemerg%5D%1b%5B31m${"x".repeat(5000)}`)
    const lines = ingress.nginx.errorLog().slice(before).split("\n").filter(Boolean)
    expect(lines.filter((line) => line.includes("Access denied"))).toHaveLength(1)
    for (const line of lines) {
      expect(line).toMatch(/^\d{4}\/\d\d\/\d\d .* \[(info|error)\] /)
      expect(line.length).toBeLessThan(2100)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
      expect(line).not.toMatch(/[\u0000-\u0008\u001b]/)
    }
  })

  test("of audits has a file for each request, called as the route wants, and nowhere else than in its directory", async () => {
    const audits = join(ingress.nginx.dir, "audits")
    const text = `SecRuleEngine On\nSecAuditEngine On\nSecAuditLogType Parallel\nSecAuditLogParts ABFHZ
      SecAuditLogStorageDir ${audits}\n${deny("ARGS", 1)}`
    mkdirSync(audits)
    await protect(text, { transactionId: "x-$http_x_id" })
    await ask("/?q=attack", { "x-id": "../../../evil" })
    await ask("/", { "x-id": "good" })
    const files = () =>
      readdirSync(audits, { recursive: true, withFileTypes: true }).filter((it) => it.isFile())
    await until("both audits", () => files().length === 2)
    const names = files().map(({ name }) => name.replace(/^[0-9]+-[0-9]+-/, ""))
    expect(names.sort()).toEqual(["x-.._.._.._evil", "x-good"])
    const [evil] = files().filter(({ name }) => name.endsWith("evil"))
    expect(readFileSync(join(evil?.parentPath ?? "", evil?.name ?? ""), "utf8")).toContain("403")
  })
})

describe("rules that cannot be used", () => {
  const cases: readonly [string, () => string][] = [
    ["are not there", () => "0".repeat(64)],
    [
      "are not what their name says",
      () => {
        const digest = writeRules(directory, [{ text: `${on}# another` }])
        writeFileSync(join(directory, `${digest}.json`), '{"parts":[]}')
        return digest
      },
    ],
    ["do not compile", () => writeRules(directory, [{ text: "SecRule ARGS" }])],
    ["name a file that is not there", () => writeRules(directory, [{ file: "/not/there.conf" }])],
  ]
  test.each(cases)("%s: the route is closed, unless it shall be open", async (_, make) => {
    const rules = make()
    await protect([], { rules })
    expect(await ask("/")).toBe("503")
    await protect([], { rules, failsOpen: true })
    expect(await ask("/")).toBe("welcome")
    expect(ingress.nginx.errorLog()).toContain(`rules ${rules} cannot be used`)
  })

  test("get the location's error page for 503", async () => {
    await protect([], { rules: "1".repeat(64) }, { location: "pages" })
    expect((await ingress.nginx.get("/", { host })).body).toMatch(/^a page/)
  })
})

test("without a library, or the directive, routes with a firewall are closed and others are not", async () => {
  for (const http of ["", "ingress_modsecurity modsecurity library=/not/there.so;"]) {
    await using bare = await startIngress({ http, locations: answering("app", "welcome") })
    const rules = writeRules(join(bare.nginx.dir, "modsecurity"), [{ text: on }])
    const waf = { owner: "demo/a", rules }
    await bare.route(host, [
      { path: "/", location: "app", waf },
      { path: "/open", location: "app" },
      { path: "/fails-open", location: "app", waf: { ...waf, failsOpen: true } },
    ])
    expect(await bare.ask(host)).toBe("503")
    expect(await bare.ask(host, "/open")).toBe("welcome")
    expect(await bare.ask(host, "/fails-open")).toBe("welcome")
  }
})
