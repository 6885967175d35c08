// Clients leave an nginx that is about to end: it accepts connections as ever, and each response is the last one of its connection.
import { Agent } from "node:http"
import { connect } from "node:http2"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Backend } from "../../../harness/backends.ts"
import { ask } from "../../../harness/http.ts"
import {
  answering,
  confOf,
  type Ingress,
  type IngressOptions,
  startIngress,
} from "../../../harness/ingress/ingress.ts"
import { zoneWriter } from "../../../harness/ingress/zone-writer.ts"
import { checkConf } from "../../../harness/nginx.ts"
import { until } from "../../../harness/until.ts"

const writer = await zoneWriter()

let backend: Backend
let options: IngressOptions
let ingress: Ingress
beforeAll(async () => {
  backend = await new Backend("slow").start()
  options = {
    workers: 2,
    tls: "",
    locations: `location = /drain { ingress_drain; } ${answering("plain", "plain")}
      location @slow { proxy_pass http://127.0.0.1:${backend.port}; }`,
  }
  ingress = await startIngress(options)
  await ingress.route("plain.test", [{ location: "plain" }])
  await ingress.route("slow.test", [{ location: "slow" }])
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  await backend.stop()
})

const drain = (method: string) => ingress.nginx.get("/drain", { method })

/** What the response says of its connection, which the client would keep. */
async function connectionOf(host: string): Promise<string | undefined> {
  const agent = new Agent({ keepAlive: true })
  try {
    return (await ask({ port: ingress.port, agent }, { host })).headers.connection
  } finally {
    agent.destroy()
  }
}

/** Of enough connections that every worker has some. */
async function connections(): Promise<Set<string | undefined>> {
  return new Set(await Promise.all(Array.from({ length: 40 }, () => connectionOf("plain.test"))))
}

test("responses close their connections in all workers, until it is over", async () => {
  expect(await connections()).toEqual(new Set(["keep-alive"]))
  expect((await drain("POST")).body).toBe("on")
  expect(await connections()).toEqual(new Set(["close"]))
  expect((await drain("GET")).body).toBe("on")
  expect((await drain("PUT")).status).toBe(405)
  expect((await drain("DELETE")).body).toBe("off")
  expect(await connections()).toEqual(new Set(["keep-alive"]))
})

test("a connection of HTTP/2 is left by GOAWAY, and what has begun on it is answered", async () => {
  const session = connect(`https://127.0.0.1:${ingress.tlsPort}`, { rejectUnauthorized: false })
  let isLeft = false
  session.on("goaway", () => {
    isLeft = true
  })
  const status = () =>
    new Promise((resolve, reject) => {
      const stream = session.request({ ":authority": "plain.test" })
      stream.on("response", (headers) => resolve(headers[":status"]))
      stream.on("error", reject)
      stream.resume().end()
    })
  try {
    expect(await status()).toBe(200)
    await drain("POST")
    for (let streams = 0; streams < 2; streams += 1) expect(await status()).toBe(200)
    await until("GOAWAY", () => isLeft)
  } finally {
    session.destroy()
    await drain("DELETE")
  }
})

test("workers after a reload drain as those before", async () => {
  await drain("POST")
  await ingress.nginx.reload((site) => confOf(site, writer, options))
  expect(await connections()).toEqual(new Set(["close"]))
  await drain("DELETE")
})

test("a worker that ends says so in the responses that it still gives", async () => {
  await backend.fault("hold")
  const slow = connectionOf("slow.test")
  await until("the request to be under way", () => backend.running > 0)
  await ingress.nginx.reload((site) => confOf(site, writer, options))
  await backend.fault(undefined)
  expect(await slow).toBe("close")
})

test("a second location that drains is refused", async () => {
  const { tls: _, ...rest } = options
  const twice = { ...rest, http: "server { location /again { ingress_drain; } }" }
  const { ok, output } = await checkConf((site) => confOf(site, writer, twice))
  expect(ok).toBe(false)
  expect(output).toContain('"ingress_drain" directive is duplicate')
})
