// Lists, users, services and limits change while clients ask: who may come in always does, who may not never does, and nothing is lost or reloaded.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { keptMs } from "../../../harness/http.ts"
import { startLoad } from "../../../harness/load.ts"
import { ingress, type Json, secret } from "../../../harness/manifests.ts"
import { basic, hashes, password } from "../../../harness/passwords.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

const authority = createServer({ keepAliveTimeout: keptMs }, (request, response) => {
  response.writeHead(request.headers["x-token"] === "good" ? 204 : 403).end()
})
let site: Site
beforeAll(async () => {
  await new Promise<void>((resolve) => authority.listen(0, "127.0.0.1", resolve))
  site = await Site.start(["one"])
  await site.reconfigure({ "use-forwarded-headers": "true" })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  authority.closeAllConnections()
  authority.close()
})

const inside = "18.0.0.1"
const outside = "19.0.0.1"

/** All of these let the same clients in. */
const lists = [inside, `${inside},18.0.0.2`, "18.0.0.0/24", "18.0.0.0/8,2001:db8::/32"]
const files = [hashes.plain, hashes.sha, hashes.plain].map((hash, at) => `foo:${hash}\nround-${at}:${hash}\n`)
const limits = [{ "limit-rps": "100000" }, { "limit-rpm": "9000000", "limit-connections": "500" }, {}]

test("nobody is refused who may come in, and nobody comes in who may not", async () => {
  const url = `http://127.0.0.1:${(authority.address() as AddressInfo).port}`
  const round = (at: number): Json[] => [
    ...site.service("app", "one"),
    secret("demo/users", { auth: files[at % files.length] ?? "" }),
    ingress("demo/app", "foo.test/ → app:80", {
      "auth-type": "basic",
      "auth-secret": "users",
      "auth-url": `${url}/round-${at % 3}`,
      "allowlist-source-range": lists[at % lists.length] ?? "",
      ...limits[at % limits.length],
    }),
  ]
  await site.put(...round(0))
  const before = await site.wick.metric("nginx_ingress_controller_success")
  const load = (client: string, pass: string, token: string) =>
    startLoad({
      port: site.wick.port,
      connections: 4,
      pauseMs: 5,
      question: () => ({
        host: "foo.test",
        headers: { ...basic("foo", pass), "x-forwarded-for": client, "x-token": token },
      }),
    })
  const loads = [
    load(inside, password, "good"),
    load(outside, password, "good"),
    load(inside, "wrong", "good"),
    load(inside, password, "bad"),
  ]
  for (let at = 1; at <= 12; at += 1) {
    await site.put(...round(at))
    const before = loads.map(({ result }) => result.requests)
    await until("five requests of each", () =>
      loads.every(({ result }, n) => result.requests >= (before[n] ?? 0) + 5),
    )
  }
  const results = await Promise.all(loads.map((one) => one.stop()))
  expect(results.map(({ statuses, lost }) => [[...statuses.keys()], lost])).toEqual([
    [[200], []],
    [[403], []],
    [[401], []],
    [[403], []],
  ])
  expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(before)
})
