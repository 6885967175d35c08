// Whatever bytes lie in the zone, a worker answers and lives.
import { expect, test } from "vitest"
import { startIngress } from "../../../harness/ingress/ingress.ts"
import { recordOf } from "../../../harness/ingress/records.ts"
import { tlsHostRecord } from "../../../harness/ingress/tls-records.ts"
import { zoneWriter } from "../../../harness/ingress/zone-writer.ts"
import { TlsClient } from "../../../harness/tls-client.ts"
import { seed } from "../../support/runs.ts"

// Compiled ahead of the tests, which have little time.
await zoneWriter()

/** Numbers from a seed, so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const whole = recordOf([
  { path: "/", namespace: "n", location_path: "/", proxyReadTimeoutMs: 1000, clientMaxBodyBytes: 10 },
  { path: "/a/", match: "exact", status: 503 },
  { path: "/a/b", location: "unknown" },
])

const withTemplates = recordOf([
  { path: "/(a)(/|$)(.*)", match: "regex", rewrite: "/$3", variables: { one: `$1\${host}$$` } },
  { path: "/[x-z]+(?=a)|/b", match: "regex", redirect: { code: 302, to: "https://$host$request_uri" } },
  { path: "/c", httpsRedirect: { code: 308, to: "/$1$nothing" }, headers: [["X-One", "1"]] },
  { path: "/", variables: { one: "$args" } },
])

const withCors = recordOf([
  { path: "/", cors: { origins: ["http://a.test", "null"], exposeHeaders: "X-A", credentials: true } },
  { path: "/a", cors: { origins: ["http://*.a.test:80", "http://*.b.test"] }, headers: [["Vary", "Cookie"]] },
  { path: "/a/b", match: "exact", cors: { origins: ["*"] } },
])

function damaged(whole: Buffer, below: (n: number) => number): Buffer {
  const bytes = Buffer.from(whole)
  for (let n = below(6); n >= 0; n -= 1) bytes[below(bytes.length)] = below(256)
  return below(4) === 0 ? bytes.subarray(0, below(bytes.length + 1)) : bytes
}

const withClients = recordOf([{ path: "/" }], {
  authority: "ca",
  verify: "on",
  matchCn: "^$|CN=(a|b)+",
  errorPage: "/x",
  passCertificate: true,
})

test.each([
  ["routes", whole],
  ["what is asked of clients", withClients],
  ["patterns and templates", withTemplates],
  ["CORS", withCors],
] as const)("damaged and random records with %s never end a worker", async (_, whole) => {
  await using ingress = await startIngress({
    locations: "location @plain { add_header X-Route $route_one; return 200 plain; }",
  })
  const workers = ingress.nginx.workers()
  const below = random(seed)
  const answers = new Map<string, number>()
  for (let n = 0; n < 1500; n += 1) {
    const record =
      n % 5 === 0 ? Buffer.from(Array.from({ length: below(300) }, () => below(256))) : damaged(whole, below)
    await ingress.write("main/a.test", record)
    const path = ["/", "/a", "/a/", "/a/b/c", "/x", "/b", "/c"][below(7)]
    // A status that became 444 has nginx close the connection. So does a worker that ends: they are counted below.
    const answer = await ingress.ask("a.test", path).catch(() => "closed")
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
  }
  expect([seed, ingress.nginx.workers()]).toEqual([seed, workers])
  expect(ingress.nginx.errorLog()).not.toMatch(/panic|signal|\[alert\]/)
  // Both kinds must have come up, or the damage was of no use.
  expect(answers.get("503")).toBeGreaterThan(100)
  expect(answers.get("plain")).toBeGreaterThan(20)
})

test("damaged records of what is asked of clients, by TLS, never end a worker", async () => {
  await using ingress = await startIngress({ tls: "ingress_certificates certificates;" })
  await ingress.write("hosts/a.test", tlsHostRecord({}), "certificates")
  const workers = ingress.nginx.workers()
  const below = random(seed)
  const statuses = new Set<number | undefined>()
  for (let n = 0; n < 500; n += 1) {
    await ingress.write("main/a.test", damaged(withClients, below))
    await using client = await TlsClient.connect(ingress.tlsPort, { servername: "a.test" })
    const status = await client.ask({ host: "a.test" }).then(
      (answer) => answer.status,
      () => undefined,
    )
    statuses.add(status)
  }
  expect([seed, ingress.nginx.workers()]).toEqual([seed, workers])
  expect(ingress.nginx.errorLog()).not.toMatch(/panic|signal|\[alert\]/)
  expect(statuses).toContain(421)
  expect(statuses).toContain(503)
})

test("no text that is posted as a pattern ends a worker, and the next route is still found", async () => {
  await using ingress = await startIngress({
    locations: "location @plain { return 200 $proxy_upstream_name; }",
  })
  const workers = ingress.nginx.workers()
  const below = random(seed)
  const parts = [
    "a",
    "b",
    "/",
    ".",
    "*",
    "+",
    "?",
    "(",
    ")",
    "[",
    "]",
    "|",
    "\\",
    "{1,3}",
    "(?:",
    "(?=",
    "(?<!",
    "^",
    "$",
    "\\Q",
    "(*",
    "\\1",
    "(?R)",
    "\n",
    "\0",
    "é",
    "[[:alpha:]]",
    "{0,60000}",
  ]
  const answers = new Set<string>()
  for (let n = 0; n < 1000; n += 1) {
    const pattern = `/${Array.from({ length: below(10) }, () => parts[below(parts.length)]).join("")}`
    await ingress.route("a.test", [
      { path: pattern, match: "regex", backend: "pattern", rewrite: "/$1$2" },
      { path: "/", backend: "rest" },
    ])
    answers.add(await ingress.ask("a.test", `/${"ab/".repeat(below(20))}`))
  }
  expect([seed, ingress.nginx.workers()]).toEqual([seed, workers])
  expect(ingress.nginx.errorLog()).not.toMatch(/panic|signal|\[alert\]/)
  expect(answers).toContain("pattern")
  expect(answers).toContain("rest")
  expect([...answers].every((answer) => ["pattern", "rest", "500"].includes(answer))).toBe(true)
})
