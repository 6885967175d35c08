// What other ingress controllers were warned of in 2026: that checks and backend read different paths, prefixes and spellings of headers. Each is tried as its
// advisory has it, against the whole product; docs/security.md has the table.
import { posix } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { Echo } from "../../harness/echo.ts"
import { ingress, serviceOn } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import { rawRequest } from "../nginx/ingress/support/raw.ts"
import { Site } from "../nginx/path/site.ts"

const backend = new Echo()
const service = new Echo()
let site: Site
beforeAll(async () => {
  await Promise.all([backend.start(), service.start()])
  service.answer = ({ headers }) => ({
    status: headers.authorization === "good" ? 200 : 403,
    headers: { "x-user": "ann" },
  })
  site = await Site.start([])
  await site.reconfigure({ "enable-underscores-in-headers": "true" })
  const asks = { "auth-url": "http://auth.demo.svc.cluster.local/", "auth-response-headers": "X-User" }
  const cut = (target: string) => ({ "use-regex": "true", "rewrite-target": target })
  await site.put(
    ingress("demo/admin", "foo.test/admin → app:80", asks, 1),
    ingress("demo/strip", "foo.test/api(/|$)(.*) → app:80", cut("/$2"), 2),
    ingress("demo/cut", "foo.test/cut(.*) → app:80", cut("/$1"), 3),
    ingress("demo/replace", "foo.test/old/(.*) → app:80", cut("/new/$1"), 4),
    ingress("demo/plain", "plain.test/public → app:80", {}, 5),
    ingress("demo/plain-admin", "plain.test/admin → app:80", asks, 6),
    ...serviceOn("demo/app", [backend.port]),
    ...serviceOn("demo/auth", [service.port]),
  )
  await until("the Ingresses", async () => (await site.get("/api/x")).status === 200)
})
afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await Promise.all([backend[Symbol.asyncDispose](), service[Symbol.asyncDispose]()])
})
beforeEach(() => {
  backend.asked.length = 0
  service.asked.length = 0
})

const get = (target: string, headers: readonly string[] = [], host = "foo.test") =>
  rawRequest(
    site.wick.port,
    `${[`GET ${target} HTTP/1.1`, `Host: ${host}`, "Connection: close", ...headers].join("\r\n")}\r\n\r\n`,
  )

/** What the backend would serve, as most servers read what it was asked. */
const served = () =>
  backend.asked.map(({ url }) =>
    posix.normalize(decodeURIComponent(url.replace(/\?.*/, "").replaceAll("\\", "/"))),
  )

const ups = ["..", "%2e%2e", "%2E.", ".%2e", "..;", "..;a=b"]
const slashes = ["/", "%2f", "%2F", "\\", "%5c", "//"]

describe.each([
  ["CVE-2026-48020: a prefix is stripped, then dots lead to another route's paths", ["/api/", "/api"]],
  [
    "CVE-2026-40912: a prefix is cut from one spelling of a path by its length in another",
    ["/api", "/api.", "/api%2e", "/cut", "/cut.", "/cut%2e"],
  ],
  ["CVE-2026-65600: a path that a pattern has replaced leads elsewhere", ["/old/", "/old", "/old/x/.."]],
] as const)("%s", (_, beginnings) => {
  test.each(beginnings)("%s", async (beginning) => {
    for (const up of ups)
      for (const slash of slashes)
        for (const target of [
          `${beginning}${up}${slash}admin/secret`,
          `${beginning}${slash}${up}${slash}admin/secret`,
          `${beginning}${slash}admin/secret`,
        ]) {
          const answer = await get(target)
          // `/api/admin` is `/admin` of the backend because the Ingress says so: that is nobody's reading but its author's.
          const isSaid = /^\/(api|cut)(\/|\\|%2f|%5c)+admin/i.test(target)
          if (!isSaid)
            expect(
              served().filter((path) => path.startsWith("/admin")),
              `${target}: ${answer.slice(9, 12)}`,
            ).toEqual([])
          backend.asked.length = 0
        }
  })

  test("without rewriting, neither", async () => {
    for (const up of ups)
      for (const slash of slashes) await get(`/public${slash}${up}${slash}admin/secret`, [], "plain.test")
    expect(served()).toEqual([])
  })
})

const evil = (headers: object) =>
  Object.entries(headers).filter(([, value]) => String(value).includes("evil"))

test("CVE-2026-39858: headers of proxies spelled with underscores", async () => {
  const names = [
    "X_Forwarded_Proto",
    "X_Forwarded_For",
    "X-Forwarded_Host",
    "X_Real_IP",
    "X_Original_URL",
    "x_forwarded-prefix",
  ]
  await get("/admin", [...names.map((name) => `${name}: evil`), "Authorization: good"])
  expect([backend, service].map(({ asked }) => asked.length)).toEqual([1, 1])
  expect([backend, service].flatMap(({ last }) => evil(last.headers))).toEqual([])
})

test("CVE-2026-54763: what authentication sets, spelled with underscores", async () => {
  await get("/admin", ["X_User: evil", "X-USER: evil", "Authorization: good"])
  expect(evil(backend.last.headers)).toEqual([])
  expect(backend.last.headers["x-user"]).toBe("ann")
})

test("CVE-2026-35051: X-Forwarded-Prefix is believed although the others of its family are not", async () => {
  for (const target of ["/admin", "/api/x"])
    await get(target, ["X-Forwarded-Prefix: /evil", "Authorization: good"])
  expect(backend.asked).toHaveLength(2)
  expect([...backend.asked, ...service.asked].flatMap(({ headers }) => evil(headers))).toEqual([])
})

test("CVE-2026-29054: Connection names headers of ours, which are then left out", async () => {
  const named = "X-Forwarded-For, X-Real-IP, X-Forwarded-Host, X-User, x-original-url"
  await get("/admin", [`Connection: ${named}`, "Authorization: good"])
  expect(backend.last.headers).toMatchObject({
    "x-forwarded-for": "127.0.0.1",
    "x-real-ip": "127.0.0.1",
    "x-forwarded-host": "foo.test",
    "x-user": "ann",
  })
  expect(service.last.headers).toHaveProperty("x-original-url")
})
