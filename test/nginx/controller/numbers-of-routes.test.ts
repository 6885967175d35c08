// Numbers of routes that come and go: workers that have kept too many are replaced, by a reload of the same configuration.
import { expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { startLoad } from "../../../harness/load.ts"
import { ingress, ingressClass, manifest, serviceOn } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { startWick } from "../../../harness/wick.ts"
import { letPass } from "../../support/clock.ts"

const perRound = 3000
const rounds = 6

test(`${rounds * perRound} different timeouts, one after the other, are all in force, and workers are replaced on the way`, async () => {
  await using backends = await startBackends("web")
  const web = serviceOn(
    "many/web",
    backends.map(({ port }) => port),
  )
  const round = (at: number) =>
    manifest(
      ...Array.from({ length: perRound }, (_, n) =>
        ingress(`many/ingress-${n}`, `many.test/${n} → web:80`, {
          "proxy-read-timeout": String(10 + at * perRound + n),
        }),
      ),
    )
  await using wick = await startWick({
    manifests: { "web.yaml": manifest(ingressClass, ...web), "many.yaml": round(0) },
    flags: ["--sync-rate-limit=100"],
  })
  const conf = wick.conf()
  const [first] = wick.workers()
  const load = startLoad({
    port: wick.port,
    connections: 2,
    keepAlive: false,
    question: (n) => ({ host: "many.test", path: `/${n % perRound}` }),
  })
  /** The longest of all routes, in seconds. The answer comes in parts, and is long: to ask all the time would be most of the work. */
  const timeout = async () => {
    await letPass(500, "the next answer is another")
    let longestMs = 0
    for (let cursor = ""; ; ) {
      const answer = await wick.control("GET", `/configuration/route_parts?limit=1000${cursor}`)
      const parts = answer.json() as { routes: { overrides?: { proxy_read_timeout_ms?: number } }[] }[]
      for (const { overrides } of parts.flatMap(({ routes }) => routes))
        longestMs = Math.max(longestMs, overrides?.proxy_read_timeout_ms ?? 0)
      const next = answer.headers["x-wick-next"]
      if (next === undefined) return longestMs / 1000
      cursor = `&cursor=${next}`
    }
  }
  for (let at = 1; at < rounds; at += 1) {
    wick.write("many.yaml", round(at))
    await until("the numbers of this round", async () => (await timeout()) === 9 + (at + 1) * perRound)
  }
  await until("other workers", () => first !== undefined && !wick.workers().includes(first))
  expect(wick.conf()).toBe(conf)
  await load.stop()
  expect(load.result.lost).toEqual([])
  expect([...load.result.statuses.keys()]).toEqual([200])
})
