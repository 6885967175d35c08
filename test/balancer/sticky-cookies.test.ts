/** Sessions by cookie: when a cookie is issued, and its text. */
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { backend, setBackends } from "./build.ts"
import type { Worker } from "./host.ts"
import { ask, type Fields, MODES, sticky, visit, workerOf } from "./sessions.ts"

test.each<[string, string, string, Fields, boolean]>([
  ["the host and a location of it", "shop.test", "/cart", {}, true],
  ["another location", "shop.test", "/c", {}, false],
  ["a longer location", "shop.test", "/cart/", {}, false],
  ["another host", "other.test", "/", {}, false],
  ["a wildcard's record", "*.shop.test", "/", { locations: { "*.shop.test": ["/"] } }, true],
  [
    "the record of a host that has a wildcard beside it",
    "a.shop.test",
    "/",
    { locations: { "*.shop.test": ["/"] } },
    false,
  ],
  ["every other host", "_", "/", { locations: { _: ["/"] } }, true],
  [
    "a host of several",
    "b.test",
    "/b",
    { locations: { "a.test": ["/a"], "b.test": ["/a", "/b"], c: ["/"] } },
    true,
  ],
  [
    "a location of another host of several",
    "a.test",
    "/b",
    { locations: { "a.test": ["/a"], "b.test": ["/b"] } },
    false,
  ],
  ["no locations", "shop.test", "/", { locations: {} }, false],
])("is a cookie issued? %s", (_, host, location, cookie, isIssued) => {
  for (const mode of MODES) {
    const worker = workerOf(sticky(mode, cookie))
    visit(worker, host, location)
    expect(ask(worker).header !== undefined).toBe(isIssued)
  }
})

test.each<[string, string | undefined, Fields, boolean]>([
  ["its own", "shop", {}, true],
  ["another's", "shops", {}, false],
  ["nobody's", "", {}, false],
  ["unknown", undefined, {}, false],
  ["those that it takes part in", "main", { sessions_of: "main" }, true],
  ["its own, of which it has none", "shop", { sessions_of: "main" }, false],
])("is a cookie issued where the route's sessions are %s?", (_, session, cookie, isIssued) => {
  for (const mode of MODES) {
    const worker = workerOf(sticky(mode, { locations: {}, ...cookie }))
    visit(worker, "any.test", "/any")
    if (session !== undefined) worker.properties.set("ngx\0route_session", session)
    const { header } = ask(worker)
    expect(header !== undefined).toBe(isIssued)
    if (isIssued) expect(header).toContain("; Path=/any;")
  }
})

test("no cookie is issued where the host does not tell host and location", () => {
  const worker = workerOf(sticky("balanced"))
  worker.properties.delete("ngx\0ingress_host")
  expect(ask(worker).header).toBeUndefined()
  visit(worker, "shop.test", "/")
  worker.properties.delete("ngx\0location_path")
  expect(ask(worker).header).toBeUndefined()
})

/** The attributes of the cookie that a request with these settings gets. */
function attributes(cookie: Fields, prepare: (worker: Worker) => void = () => {}): string {
  const worker = workerOf(sticky("persistent", cookie))
  prepare(worker)
  return (ask(worker).header ?? "").replace(/^[^;]*/, "")
}

test("the attributes come in the order of ingress-nginx", () => {
  const all = {
    expires: "172800",
    maxage: "86400",
    domain: "shop.test",
    path: "/a?b=c",
    secure: true,
    samesite: "Strict",
  }
  expect(attributes(all)).toBe(
    "; Expires=Thu, 16-Nov-23 22:13:20 GMT; Max-Age=86400; Domain=shop.test; Path=/a?b=c; Secure; HttpOnly; SameSite=Strict",
  )
  expect(attributes({})).toBe("; Path=/; HttpOnly")
})

test("without a path of its own the cookie is for the location", () => {
  expect(attributes({}, (worker) => visit(worker, "shop.test", "/cart"))).toBe("; Path=/cart; HttpOnly")
})

test("a location that cannot stand in a cookie is left to the browser", () => {
  for (const location of ["/a;Domain=evil.test", "/a\r\nX: y", "/a\x7f"]) {
    const visitHere = (worker: Worker) => visit(worker, "shop.test", location)
    expect(attributes({ locations: { "shop.test": [location] } }, visitHere)).toBe("; HttpOnly")
  }
})

test("over HTTPS the cookie is secure", () => {
  const https = (worker: Worker) => worker.properties.set("ngx\0https", "on")
  const http = (worker: Worker) => worker.properties.set("ngx\0https", "")
  expect(attributes({}, https)).toBe("; Path=/; Secure; HttpOnly")
  expect(attributes({ secure: false }, https)).toBe("; Path=/; Secure; HttpOnly")
  expect(attributes({ secure: false }, http)).toBe("; Path=/; HttpOnly")
  expect(attributes({ secure: true }, http)).toBe("; Path=/; Secure; HttpOnly")
})

test("seconds may be negative", () => {
  expect(attributes({ expires: "-1700000000", maxage: -5 })).toBe(
    "; Expires=Thu, 01-Jan-70 00:00:00 GMT; Max-Age=-5; Path=/; HttpOnly",
  )
  expect(attributes({ expires: -100_000_000_000 })).toContain("Expires=Thu, 01-Jan-70 00:00:00 GMT")
})

test("dates are those of the calendar, with four digits of the year after 2037", () => {
  const worker = workerOf({})
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000_000_000 }),
      fc.integer({ min: 0, max: 4e9 }),
      (expires, now) => {
        worker.time = now
        setBackends(worker, { ...backend("shop", 1), ...sticky("persistent", { expires }) })
        const [weekday, day, month, year, clock] = new Date((now + expires) * 1000).toUTCString().split(" ")
        const shownYear = Number(year) > 2037 ? Number(year) : year?.slice(2)
        expect(ask(worker).header).toContain(
          `; Expires=${weekday} ${day}-${month}-${shownYear} ${clock} GMT;`,
        )
      },
    ),
    { numRuns: 500 },
  )
})

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 12_2 like Mac OS X) Safari/605"
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_14_6)"

test.each([
  ["Chrome/51.0", false],
  ["Chrome/49", false],
  ["Chrome/69", false],
  ["Chrome/90.0", true],
  [IPHONE, false],
  [IPHONE.replace("12_2", "13_0"), true],
  ["Mozilla/5.0 (iPad; CPU OS 12_0) Safari", false],
  [`${MAC} Version/13 Safari/605`, false],
  [`${MAC} Chrome/90 Safari/537`, true],
  [MAC, true],
  [`${MAC.replace("10_14", "10_15")} Safari`, true],
  ["", true],
])("SameSite=None for %s: %s", (agent, isShown) => {
  const header = (samesite: string, isConditional: boolean) =>
    attributes({ samesite, conditional_samesite_none: isConditional }, (worker) => {
      worker.requestHeaders = new Map(agent === "" ? [] : [["user-agent", agent]])
    })
  expect(header("None", true)).toBe(`; Path=/; HttpOnly${isShown ? "; SameSite=None" : ""}`)
  expect(header("None", false)).toContain("SameSite=None")
  expect(header("Lax", true)).toContain("SameSite=Lax")
})
