// `limit_req` and `limit_conn` on zones of the configuration, by a level (docs/wire.md, LEVEL), beside nginx with the same directives as text. Of one
// request in a minute nothing is forgotten while a test runs.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backend, startBackends } from "../../../harness/backends.ts"
import {
  dryRun,
  levelOf,
  limitConn,
  limitLogLevel,
  limitReq,
  limitStatus,
  type Setting,
} from "../../../harness/ingress/levels.ts"
import { returned, scriptOf, textOf } from "../../../harness/ingress/script-records.ts"
import { until } from "../../../harness/until.ts"
import { BesideText, type Case } from "./support/beside-text.ts"
import { rawRequest } from "./support/raw.ts"

/** Each server block counts for itself, and each path. */
const key = "$server_port$uri"
const http = `
  limit_req_zone ${key} zone=a:32k rate=1r/m; limit_req_zone ${key} zone=b.of-1:32k rate=1r/m;
  limit_req_zone ${key} zone=outer:32k rate=1r/m; limit_req_zone $arg_none zone=nobody:32k rate=1r/m;
  limit_conn_zone ${key} zone=c:32k; limit_conn_zone $server_port zone=d:32k; limit_conn_zone ${key} zone=around:32k;`
/** A level without limits of its own has these. */
const server = "limit_req zone=outer burst=1 nodelay; limit_conn around 1; limit_req_status 470;"

const cases: Readonly<Record<string, readonly Setting[]>> = {
  "those around, where nothing is said": [],
  "one, without a burst": [limitReq("a")],
  "a burst": [limitReq("a", 2, "nodelay")],
  "a large burst and those around, which are lost": [limitReq("a", 999_999_999, "nodelay")],
  "two zones, of which the one with less room counts": [
    limitReq("a", 3, "nodelay"),
    limitReq("b.of-1", 1, "nodelay"),
  ],
  "a zone whose key is empty": [limitReq("nobody")],
  "a status": [limitReq("a"), limitStatus("Req", 429)],
  "a status, for those around": [limitStatus("Req", 599)],
  "a dry run with delays": [limitReq("a", 3, 1), dryRun("Req", true)],
  "a dry run where all are delayed": [limitReq("a", 2), dryRun("Req", true)],
  "a dry run of those around": [dryRun("Req", true)],
  "no dry run": [limitReq("a", 1, "nodelay"), dryRun("Req", false)],
}
const answered: Case = {
  location: "",
  settings: [],
  script: scriptOf([returned(204)], [levelOf([limitReq("a")])]),
  text: `${textOf([returned(204)])} limit_req zone=a;`,
}
const connections: Readonly<Record<string, readonly Setting[]>> = {
  "those around, where nothing is said": [limitReq("nobody")],
  "one zone": [limitReq("nobody"), limitConn("c", 2)],
  "two zones": [limitReq("nobody"), limitConn("c", 3), limitConn("d", 2)],
  "a status": [limitReq("nobody"), limitConn("c", 2), limitStatus("Conn", 430)],
  "a dry run": [limitReq("nobody"), limitConn("c", 1), dryRun("Conn", true)],
}
const first = Object.keys(cases).length + 1

let beside: BesideText
let backends: Awaited<ReturnType<typeof startBackends>>
let slow: Backend

beforeAll(async () => {
  backends = await startBackends("slow")
  slow = backends[0] as Backend
  const location = `add_header X-Limits "$limit_req_status $limit_conn_status" always; proxy_pass http://127.0.0.1:${slow.port};`
  const all = [...Object.values(cases), ...Object.values(connections)].map((settings) => ({
    location,
    settings,
  }))
  all.splice(first - 1, 0, { ...answered, location })
  beside = await BesideText.start({ http, server, cases: all })
})
afterAll(async () => {
  await beside[Symbol.asyncDispose]()
  await backends[Symbol.asyncDispose]()
})

const statusOf = (answer: readonly string[]) => answer[0]?.split(" ")[1]

test.each(Object.keys(cases).map((name, at) => [name, at] as const))("requests: %s", async (name, at) => {
  const seen = new Set<string | undefined>()
  for (let nth = 0; nth < 6; nth += 1) {
    const [ours, nginxs] = await beside.ask(at, "/x")
    expect(ours, `${name}, request ${nth}`).toEqual(nginxs)
    seen.add(statusOf(ours))
  }
  expect(seen.size).toBe(/empty|dry run|lost/.test(name) && name !== "no dry run" ? 1 : 2)
})

test("what a script answers is not counted", async () => {
  for (let nth = 0; nth < 3; nth += 1) {
    const [ours, nginxs] = await beside.ask(first - 1, "/x")
    expect(ours).toEqual(nginxs)
    expect(statusOf(ours)).toBe("204")
  }
})

test.each(
  Object.keys(connections).map((name, nth) => [name, first + nth] as const),
)("requests at a time: %s", async (name, at) => {
  const count = name.startsWith("those") ? 1 : 2
  const question = `GET /case-${at}/x HTTP/1.1\r\nHost: case-${at}.test\r\nConnection: close\r\n\r\n`
  await slow.fault("hold")
  const held = beside.ports.flatMap((port) => Array.from({ length: count }, () => rawRequest(port, question)))
  await until("all to arrive", () => slow.running === held.length)
  if (name === "a dry run") await slow.fault(undefined)
  const [ours, nginxs] = await beside.ask(at, "/x")
  expect(ours).toEqual(nginxs)
  const refused = name === "a status" ? "430" : "503"
  expect(statusOf(ours)).toBe(name === "a dry run" ? "200" : refused)
  await slow.fault(undefined)
  for (const answer of await Promise.all(held)) expect(answer).toContain("200 OK")
})

test("lines of the log have the level that is said", async () => {
  const settings = [limitReq("a"), limitLogLevel("Req", "warn"), limitConn("c", 1)]
  await beside.ingress.route("log.test", [{ location: "case-0", script: scriptOf([], [levelOf(settings)]) }])
  for (let nth = 0; nth < 2; nth += 1) await beside.ingress.nginx.get("/of-log", { host: "log.test" })
  await until("the line", () => /\[warn\] .*limiting requests.*of-log/.test(beside.ingress.nginx.errorLog()))
})

test.each([
  ["no zone", limitReq("none"), 'its limits need zone "none", which the configuration has not'],
  [
    "a zone of the other directive",
    limitConn("a", 1),
    'its limits need zone "a", which the configuration has not',
  ],
  [
    "a zone twice",
    { ...limitReq("a"), level: { requestLimits: [{ zone: "a" }, { zone: "a" }] } },
    "own module does not take its limits",
  ],
])("what cannot be in force closes: %s", async (_, setting, line) => {
  // Lines are held back for a while: each case has a worker that has written none.
  await using ingress = await BesideText.start({ http, cases: [{ location: "", settings: [] }] })
  const script = scriptOf([], [levelOf([setting])])
  await ingress.ingress.route("none.test", [{ location: "case-0", script }])
  expect((await ingress.ingress.nginx.get("/", { host: "none.test" })).status).toBe(500)
  await until("the line", () => ingress.ingress.nginx.errorLog().includes(line))
})
