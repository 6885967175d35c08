// Nginx's own kinds of locations, as snippets have them, beside those of Ingresses: nginx itself is the oracle.

import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { answering, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import type { Route } from "../../../harness/ingress/records.ts"
import { rawRequest } from "./support/raw.ts"

/** A location as nginx's configuration has it; each is one route of ours. */
interface Location {
  readonly mark: "=" | "^~" | "" | "~" | "~*"
  readonly path: string
  /** it has a `proxy_pass` */
  readonly proxies: boolean
  /** the one in which it stands, an earlier one */
  readonly outer?: Location
}

const matches = {
  "=": "exact",
  "^~": "string_prefix_final",
  "": "string_prefix",
  "~": "pattern",
  "~*": "pattern_any_case",
} as const

const plain = fc
  .array(fc.constantFrom("a", "b", "ab", ""), { maxLength: 3 })
  .map((parts) => `/${parts.join("/")}`)
const pattern = fc
  .tuple(
    fc.constantFrom("", "^/", "^"),
    fc.array(fc.constantFrom("a", "B", "/", "b?", "[ab]+", "(a|b)", "a|b"), { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "$"),
  )
  .map(([start, parts, end]) => start + parts.join("") + end)
const drawn = fc.record({
  one: fc.oneof(
    fc.record({ mark: fc.constantFrom("=", "^~", "", ""), path: plain }),
    fc.record({ mark: fc.constantFrom("~", "~*"), path: pattern }),
  ),
  proxies: fc.boolean(),
  outer: fc.nat(),
})

const isPattern = ({ mark }: Pick<Location, "mark">) => mark.startsWith("~")

/** Whether nginx allows one within the other. */
const mayHold = (outer: Location, one: Pick<Location, "mark">) =>
  outer.mark !== "=" && (isPattern(one) || !isPattern(outer))

/** What nginx calls it, and what those within it say. */
const nameOf = ({ mark, path }: Pick<Location, "mark" | "path">) =>
  isPattern({ mark }) || mark === "=" ? `${mark} ${path}` : path

/** Each name is there once, so that it is clear which location others stand in. */
const set = fc.array(drawn, { minLength: 1, maxLength: 10 }).map((all) => {
  const known = new Map<string, Location>()
  for (const { one, proxies, outer: nth } of all) {
    const outers = [...known.values()].filter((outer) => mayHold(outer, one))
    const outer = outers[nth % (2 * outers.length + 1)]
    const isBelow = outer !== undefined && !isPattern(one)
    const path = isBelow ? outer.path + one.path.slice(1) : one.path
    const location = { mark: one.mark, path, proxies, ...(outer && { outer }) }
    if (!known.has(nameOf(location))) known.set(nameOf(location), location)
  }
  return [...known.values()]
})

/** Fixed: a server block of nginx's for each. */
const sets = fc.sample(set, { numRuns: 80, seed: 33 })

function text(all: readonly Location[], outer?: Location): string {
  const own = all.filter((location) => location.outer === outer)
  return own.map((location) => block(all, location)).join(" ")
}

function block(all: readonly Location[], location: Location): string {
  const { mark, path, proxies } = location
  const pass = proxies ? "proxy_pass http://127.0.0.1:1;" : ""
  return `location ${mark} "${path}" { return 200 "${all.indexOf(location)}"; ${pass} ${text(all, location)} }`
}

const oracle = (all: readonly Location[], nth: number, port: number) =>
  `server { listen 127.0.0.1:${port}; server_name oracle-${nth}.test; ${text(all)} }`

const routeOf = ({ mark, path, proxies, outer }: Location, at: number): Route => ({
  path,
  match: matches[mark],
  location: "found",
  backend: String(at),
  ...(!proxies && { noSlashRedirect: true }),
  ...(outer && { within: nameOf(outer) }),
})

let ingress: Ingress
beforeAll(async () => {
  ingress = await startIngress({
    locations: answering("found", "$proxy_upstream_name"),
    http: "map_hash_bucket_size 128; server_names_hash_bucket_size 128;",
    more: ({ port }) => sets.map((locations, nth) => oracle(locations, nth, port)).join("\n"),
  })
})
afterAll(() => ingress[Symbol.asyncDispose]())

const letters = ["/", "a", "b", "A"]

/** All paths of up to four letters. */
const paths = [1, 2, 3, 4].flatMap((length) =>
  Array.from({ length: letters.length ** (length - 1) }, (_, n) =>
    Array.from(
      { length: length - 1 },
      (_, at) => letters[Math.floor(n / letters.length ** at) % letters.length],
    ),
  ).map((rest) => `/${rest.join("")}`),
)

test("any locations, any path: the one that nginx takes, and its redirects", async () => {
  for (const [nth, locations] of sets.entries()) {
    await ingress.route(`ours-${nth}.test`, locations.map(routeOf))
    for (const path of paths) {
      const answer = async (host: string) => {
        const { status, body, headers } = await ingress.nginx.get(path, { host })
        return status === 200 ? body : `${status} ${headers.location?.replace(/^http:\/\/[^/]*/, "") ?? ""}`
      }

      const wanted = await answer(`oracle-${nth}.test`)
      expect(await answer(`ours-${nth}.test`), `${path} of ${JSON.stringify(locations)}`).toBe(wanted)
    }
  }
})

test("the sets have what is to be held against nginx", () => {
  const all = sets.flat()
  const within = (outer: Location["mark"], own: boolean) =>
    all.filter((location) => location.outer?.mark === outer && isPattern(location) === own).length
  for (const [outer, own] of [
    ["", true],
    ["", false],
    ["^~", true],
    ["^~", false],
    ["~", true],
    ["~*", true],
  ] as const)
    expect(within(outer, own), `${outer} ${own}`).toBeGreaterThan(2)
  expect(all.filter(({ outer }) => outer?.outer !== undefined).length).toBeGreaterThan(5)
})

test("beside the paths of Ingresses: as ingress-nginx has them in one server block", async () => {
  await ingress.route("both.test", [
    { path: "/shop", match: "prefix", location: "found", backend: "shop" },
    { path: "/", match: "prefix", location: "found", backend: "root" },
    { path: "/(actuator|metrics)", match: "pattern_any_case", location: "found", backend: "guard" },
    { path: "/shop/static", match: "string_prefix_final", location: "found", backend: "static" },
    { path: "\\.php$", match: "pattern", location: "found", backend: "php" },
    { path: "/shop", match: "exact", location: "found", backend: "exact" },
  ])
  for (const [path, backend] of Object.entries({
    "/": "root",
    "/shop": "exact",
    "/shop/": "shop",
    "/shop/x": "shop",
    "/shopping": "root",
    "/shop/metrics": "guard",
    "/shop/Actuator/health": "guard",
    "/shop/static-files/metrics": "static",
    "/a.php": "php",
    "/a.PHP": "root",
    "/metrics.php": "guard",
  }))
    expect([path, await ingress.ask("both.test", path)]).toEqual([path, backend])
})

/** As it is written: no client of HTTP sends dots. */
async function statusOf(target: string): Promise<number> {
  const head = `GET ${target} HTTP/1.1\r\nhost: readings.test\r\nconnection: close\r\n\r\n`
  const [, status] = (await rawRequest(ingress.port, head)).split(" ")
  return Number(status)
}

test("what could be another route's path is refused, whatever kind of route that is", async () => {
  await ingress.route("readings.test", [
    { path: "/", match: "string_prefix", location: "found", backend: "root" },
    { path: "/admin", match: "string_prefix_final", location: "found", backend: "admin" },
    { path: "^/internal(/|$)", match: "pattern", location: "found", backend: "internal" },
  ])
  for (const [target, status] of [
    ["/admin/../x", 400],
    ["/x/..;/admin", 400],
    ["/x\\..\\admin2", 400],
    ["/internal/%2e%2e/x", 400],
    ["/x/..;/internal", 400],
    ["/x/../y", 200],
    ["/admin/x/../y", 200],
  ] as const)
    expect([target, await statusOf(target)]).toEqual([target, status])
})

test("a pattern of a snippet that does not compile lets nobody past it", async () => {
  await ingress.route("broken.test", [
    { path: "/a", match: "exact", location: "found", backend: "exact" },
    { path: "/final", match: "string_prefix_final", location: "found", backend: "final" },
    { path: "/first", match: "pattern", location: "found", backend: "first" },
    { path: "(admin", match: "pattern", location: "found", backend: "guard" },
    { path: "/", match: "prefix", location: "found", backend: "root" },
  ])
  for (const [path, answer] of Object.entries({
    "/a": "exact",
    "/final/x": "final",
    "/first": "first",
    "/admin": "500",
    "/x": "500",
  }))
    expect([path, await ingress.ask("broken.test", path)]).toEqual([path, answer])
  expect(ingress.nginx.errorLog()).toContain('the pattern "(admin" of its host does not compile')
})
