// Connections of HTTP/3 while workers are replaced: by a reload, and by those of another build that takes over.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { Http3Clients, type Http3Connection } from "../../../harness/http3.ts"
import { InstalledBuilds } from "../../../harness/installed-builds.ts"
import { ingress, serviceOn } from "../../../harness/manifests.ts"
import { isRunning } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "../path/site.ts"
import { hasHttp3 } from "./nginx.ts"

/** More than goes without a word of the client: it has to acknowledge, and to allow more. */
const longBody = "b".repeat(3_000_000)

const settings = { "use-http3": "true", "worker-processes": "2" }

let site: Site
let clients: Http3Clients
let echo: Echo
let installed: InstalledBuilds
let mayAnswer = true

beforeAll(async () => {
  if (!hasHttp3) return
  clients = new Http3Clients()
  installed = new InstalledBuilds()
  echo = await new Echo().start()
  echo.answer = ({ url }) =>
    url === "/slow" ? { body: longBody, until: () => mayAnswer } : { body: "quick" }
  site = await Site.start([], { flags: installed.flags })
  await site.reconfigure(settings)
  await site.put(...serviceOn("demo/app", [echo.port]), ingress("demo/app", "foo.test/ → app:80"))
})
afterAll(async () => {
  if (!hasHttp3) return
  clients[Symbol.dispose]()
  await site[Symbol.asyncDispose]()
  await echo[Symbol.asyncDispose]()
  installed[Symbol.dispose]()
})
beforeEach(() => {
  mayAnswer = false
  echo.asked.length = 0
})

const connect = () => clients.connect({ port: site.wick.httpsPort })

/** Has new workers, and the old ones end. */
async function reload(): Promise<void> {
  const before = site.wick.workers()
  await site.reconfigure(settings)
  await until("other workers", () => site.wick.workers().every((pid) => !before.includes(pid)))
}

async function takeOver(): Promise<void> {
  const before = site.wick.workers()
  installed.replace()
  await site.wick.kill()
  await site.wick.start()
  await until("other workers", () => site.wick.workers().every((pid) => !before.includes(pid)))
}

/** Requests that are under way, each on a connection of its own: some for each worker. */
async function begin(count: number) {
  const connections = await Promise.all(Array.from({ length: count }, connect))
  const answers = connections.map((connection) => connection.ask({ path: "/slow" }))
  // Whoever is lost says so where it is waited for.
  for (const answer of answers) answer.catch(() => undefined)
  await until("the requests to be there", () => echo.asked.length === count)
  return { connections, answers }
}

const lengths = async (answers: readonly ReturnType<Http3Connection["ask"]>[]) =>
  new Set((await Promise.all(answers)).map(({ body }) => body.length))

describe.skipIf(!hasHttp3).each([
  ["a reload", reload],
  ["another build", takeOver],
])("with %s", (_, replace) => {
  test("requests under way are answered whole, and who comes anew is served at once", async () => {
    const old = site.wick.workers()
    const { answers, connections } = await begin(12)
    await replace()
    expect(old.some(isRunning)).toBe(true)
    for (let nth = 0; nth < 12; nth += 1) {
      const fresh = await connect()
      expect((await fresh.ask()).body.toString()).toBe("quick")
      await fresh.close()
    }
    mayAnswer = true
    expect(await lengths(answers)).toEqual(new Set([longBody.length]))
    for (const connection of connections) await connection.close().catch(() => undefined)
    await until("the old workers to be gone", () => !old.some(isRunning))
  })
})

test.skipIf(!hasHttp3)("no worker of any had anything to say of it", () => {
  expect(site.wick.log()).not.toMatch(/QUIC: |open socket|recvmsg\(\) failed/)
})

// The last one: the client of the first connection does not know what a stateless reset is, and nginx waits for it.
test.skipIf(!hasHttp3)(
  "who comes anew from the port of a request under way is served, and that request is not",
  async () => {
    const { connections } = await begin(1)
    await reload()
    await connections[0]?.anew()
  },
)
