// What stands behind the port that an Ingress names, from YAML to the answer. Numbers are those of ingress-nginx's black-box cases.
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { keptMs } from "../../../harness/http.ts"
import { ingress, type Json, service, slice } from "../../../harness/manifests.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one"])
})
afterAll(() => site[Symbol.asyncDispose]())

/** A Service with this port, and a slice with that one in front of the backend. */
function pair(servicePort: Json, slicePort: Json): Json[] {
  const { port } = site.backend("one")
  const web = service("demo/web")
  return [
    {
      ...web,
      spec: { type: "ClusterIP", ports: [{ port: 80, protocol: "TCP", targetPort: port, ...servicePort }] },
    },
    { ...slice("demo/web", ["127.0.0.1"], port), ports: [{ port, protocol: "TCP", ...slicePort }] },
  ]
}

const status = async () => (await site.get("/")).status

test("282: a Service that is missing is 503, and is served once it is there", async () => {
  await site.put(ingress("demo/web", "foo.test/ → web:80"))
  expect(await status()).toBe(503)
  await site.put(ingress("demo/web", "foo.test/ → web:80"), ...site.service("web", "one"))
  expect((await site.get("/")).body).toBe("one")
})

test("a Service in front of wick's own metrics has no endpoint", async () => {
  const { healthPort } = site.wick
  await site.put(
    ingress("demo/web", "foo.test/ → web:80"),
    service("demo/web"),
    slice("demo/web", ["127.0.0.1"], healthPort),
  )
  expect(await status()).toBe(503)
  await site.untilSaid(`port ${healthPort} of this machine is wick's own`)
})

test("284: the port by its name and by its number", async () => {
  for (const port of ["http", "80"]) {
    await site.put(
      ingress("demo/web", `foo.test/ → web:${port}`),
      ...pair({ name: "http" }, { name: "http" }),
    )
    expect(await status()).toBe(200)
  }
})

test("311: a slice with another port's name: the number of targetPort is used, its name is not", async () => {
  const web = ingress("demo/web", "foo.test/ → web:80")
  await site.put(web, ...pair({ name: "http" }, { name: "other" }))
  expect(await status()).toBe(200)
  await site.put(web, ...pair({ name: "http", targetPort: "web" }, { name: "other" }))
  expect(await status()).toBe(503)
})

test("312: a slice of another protocol has no endpoint", async () => {
  await site.put(ingress("demo/web", "foo.test/ → web:80"), ...pair({}, { protocol: "UDP" }))
  expect(await status()).toBe(503)
})

test("314: endpoints of both families are reached", async () => {
  const six = createServer({ keepAliveTimeout: keptMs }, (_, answer) => answer.end("six")).listen(0, "::1")
  try {
    await once(six, "listening")
    const { port } = six.address() as AddressInfo
    const more = { ...slice("demo/web", ["::1"], port, "six"), addressType: "IPv6" }
    await site.put(ingress("demo/web", "foo.test/ → web:80"), ...site.service("web", "one"), more)
    expect(await site.answering(20)).toEqual(["one", "six"])
  } finally {
    six.close()
    six.closeAllConnections()
  }
})
