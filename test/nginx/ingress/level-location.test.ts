// What nginx reads from a location, by a level (docs/wire.md, LEVEL), beside nginx with the same directives as text: error pages, types, rates, logs.
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { keptMs } from "../../../harness/http.ts"
import {
  accessLogOff,
  addHeader,
  defaultType,
  errorPage,
  levelOf,
  limitRate,
  limitRateAfter,
  type Setting,
  textOfAll,
} from "../../../harness/ingress/levels.ts"
import { type Directives, returned, scriptOf, set, textOf } from "../../../harness/ingress/script-records.ts"
import { until } from "../../../harness/until.ts"
import { tookAtLeast } from "../../support/clock.ts"
import { BesideText, type Case } from "./support/beside-text.ts"

const backend = createServer({ keepAliveTimeout: keptMs }, (request, response) => {
  const query = new URL(request.url ?? "/", "http://a").searchParams
  response.writeHead(Number(query.get("status") ?? 200), { "x-asked": `${request.method} ${request.url}` })
  response.end("answer")
})

const location = "absolute_redirect off; proxy_intercept_errors on; proxy_pass http://backends;"

/** A case with steps behind which `settings` are in force. */
function scripted(settings: readonly Setting[], ...steps: Directives[]): Case {
  return {
    location,
    settings,
    script: scriptOf(steps, [levelOf(settings)]),
    text: `${textOf(steps)} ${textOfAll(settings)}`,
  }
}

const statuses = ["", ...[302, 403, 404, 500, 503].map((status) => `?status=${status}`)]
/** Name → case, and queries of requests. */
const cases: Readonly<Record<string, readonly [Case, readonly string[]]>> = {
  "a page of another path": [
    { location, settings: [errorPage([404, 500], "/case-0/page?from=error")] },
    statuses,
  ],
  "a page with a status of its own": [
    { location, settings: [errorPage([404], "@named", 200), errorPage([500], "@named", 0)] },
    statuses,
  ],
  "a page of a named location": [
    { location, settings: [errorPage([404], "@named"), errorPage([404], "/never")] },
    statuses,
  ],
  "a page elsewhere": [
    {
      location,
      settings: [
        errorPage([403, 404], "http://elsewhere.test/$status?$args"),
        errorPage([500], "https://x.test/", 301),
      ],
    },
    statuses,
  ],
  "a page by variables": [
    { location, settings: [errorPage([404], "/case-4/$arg_to"), errorPage([500], "$arg_to?a=b")] },
    [...statuses, "?status=404&to=x", "?status=500&to=/case-4/y", "?status=500&to=http://z/"],
  ],
  "a page keeps no header of the location": [
    { location, settings: [errorPage([404], "@named"), addHeader("X-A", "1", "always")] },
    statuses,
  ],
  "a page for what a script answers": [scripted([errorPage([403], "@named", 0)], returned(403)), [""]],
  "a type for what a script answers": [
    scripted([defaultType("application/json")], returned(200, "{}")),
    ["", ".html", ".json"],
  ],
  "a type for an error of a script": [scripted([defaultType("application/json")], returned(404)), [""]],
  "a type of a backend": [{ location, settings: [defaultType("application/json")] }, [""]],
}

let beside: BesideText

beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve))
  const { port } = backend.address() as AddressInfo
  beside = await BesideText.start({
    http: `upstream backends { server 127.0.0.1:${port}; } default_type text/x-default; types { text/html html; }
      map $route_access_log $is_logged { default 1; 0 0; } log_format rate "$uri $limit_rate";`,
    server:
      'access_log rate.log rate if=$is_logged; location @named { add_header X-Named "$uri $request_method" always; proxy_pass http://backends; }',
    named: ["named"],
    cases: Object.values(cases).map(([own]) => own),
  })
})
afterAll(async () => {
  await beside[Symbol.asyncDispose]()
  backend.closeAllConnections()
  backend.close()
})

test.each(Object.keys(cases).map((name, at) => [name, at] as const))("%s", async (name, at) => {
  for (const query of cases[name]?.[1] ?? [])
    for (const method of ["GET", "POST", "HEAD"]) {
      const [ours, nginxs] = await beside.ask(at, `/x${query}`, { method, headers: ["Content-Length: 0"] })
      expect(ours, `${method} ${query}`).toEqual(nginxs)
    }
})

test("a variable leads to no named location", async () => {
  const script = scriptOf([], [levelOf([errorPage([404], "$arg_to")])])
  await beside.ingress.route("named.test", [{ location: "case-0", script }])
  const { headers } = await beside.ingress.nginx.get("/?status=404&to=@named", { host: "named.test" })
  expect(headers["x-named"]).toBeUndefined()
})

/** What the log has of a request for this path: its rate, or nothing. */
async function loggedRate(
  path: string,
  settings: readonly Setting[],
  ...steps: Directives[]
): Promise<string | undefined> {
  await beside.ingress.route("rate.test", [
    { location: "case-0", script: scriptOf(steps, [levelOf(settings)]) },
  ])
  await beside.ingress.nginx.get(`${path}?rate=7k`, { host: "rate.test" })
  // The line of a later request comes behind.
  await beside.ingress.route("rate.test", [{ location: "case-0" }])
  await beside.ingress.nginx.get(`/behind${path}`, { host: "rate.test" })
  const lines = () => readFileSync(join(beside.ingress.nginx.dir, "rate.log"), "utf8").split("\n")
  await until("the line", () => lines().some((line) => line.startsWith(`/behind${path} `)))
  return lines()
    .find((line) => line.startsWith(`${path} `))
    ?.slice(path.length + 1)
}

test("rates are those of the level, unless `set` says another", async () => {
  expect(await loggedRate("/constant", [limitRate("4k"), limitRateAfter("1m")])).toBe("4096")
  expect(await loggedRate("/variable", [limitRate("$arg_rate")])).toBe("7168")
  expect(await loggedRate("/nothing", [limitRate("$arg_none")])).toBe("0")
  expect(await loggedRate("/nonsense", [limitRate("$uri")])).toBe("0")
  expect(await loggedRate("/set", [limitRate("$arg_rate")], set("limit_rate", "5k"))).toBe("5k")
})

test("a response waits for its rate", async () => {
  const body = "x".repeat(3000)
  const location = `return 200 "${body}";`
  await using slow = await BesideText.start({
    cases: [{ location, settings: [limitRate("1000"), limitRateAfter("1000")] }],
  })
  expect(await tookAtLeast(900, async () => void (await slow.ask(0, "/")))).toBeUndefined()
})

test("a request is not logged where its level says so", async () => {
  expect(await loggedRate("/said", [])).toBe("0")
  expect(await loggedRate("/off", [accessLogOff])).toBeUndefined()
})
