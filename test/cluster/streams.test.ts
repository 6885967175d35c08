// TCP services from a ConfigMap of a real API server: entries come, change and go, and a wrong one is told of where its author looks.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { podPort } from "../../harness/cluster/pods.ts"
import { ask } from "../../harness/http.ts"
import { settings } from "../../harness/manifests.ts"
import { freePorts } from "../../harness/ports.ts"
import { until } from "../../harness/until.ts"
import { type Site, startSite } from "./support/site.ts"

let server: ApiServer
let site: Site
let [port, other]: readonly [number, number] = [0, 0]

beforeAll(async () => {
  const [one = 0, two = 0] = await freePorts(2)
  ;[port, other] = [one, two]
  server = await startApiServer()
  site = await startSite(server, { flags: ["--tcp-services-configmap=wick/tcp"] })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await server.stop()
})

const service = () => `${site.namespace}/web:${podPort}`
const enter = (data: Readonly<Record<string, string>>) => server.admin.apply(settings("wick/tcp", data))

/** What answers there; undefined: nobody takes the connection, or it is closed. */
async function answerAt(at: number): Promise<string | undefined> {
  return (await ask({ port: at }, { path: "/" }).catch(() => undefined))?.body
}

const untilAnswered = (at: number, by: string | undefined) =>
  until(`${by} at port ${at}`, async () => (await answerAt(at)) === by)

async function toldOfConfigMap(): Promise<readonly string[]> {
  const object = await server.admin.get("ConfigMap", "wick/tcp")
  const fieldSelector = `involvedObject.uid=${object?.metadata.uid}`
  const events = await server.admin.list("Event", "wick", { fieldSelector })
  return events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`)
}

test("a port is open when its entry is there, and its endpoints are the Service's", async () => {
  await enter({ [port]: service() })
  await untilAnswered(port, "one")
  await site.setPods(1)
  await untilAnswered(port, "two")
  await site.setPods(0)
  await untilAnswered(port, "one")
})

test("a wrong entry is an Event of the ConfigMap with its key and what is wrong; the others are served", async () => {
  await enter({ [port]: service(), [other]: "web", 70000: service() })
  const line = (key: string | number) =>
    until(`an Event about ${key}`, async () => {
      return (await toldOfConfigMap()).find((told) => told.startsWith("Warning") && told.includes(`${key}`))
    })
  expect(await line(other)).toMatch(/^Warning StreamRefused: .*write namespace\/service:port/)
  expect(await line(70000)).toMatch(/^Warning StreamRefused: .*1 to 65535/)
  expect(await answerAt(port)).toBe("one")
  expect(await answerAt(other)).toBeUndefined()
})

test("an entry that is put right is served, one that goes is not, and the ConfigMap may go", async () => {
  await enter({ [other]: service() })
  await untilAnswered(other, "one")
  await untilAnswered(port, undefined)
  await server.admin.delete("ConfigMap", "wick/tcp")
  await untilAnswered(other, undefined)
  await site.expectNoLoss()
})
