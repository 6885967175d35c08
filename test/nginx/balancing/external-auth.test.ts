// An authentication service is a backend like any other: the filter picks its endpoints, counts what runs there, and connections are shared.
import { connect } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { backend, host, type Plane, startPlane } from "../../../harness/plane.ts"
import { freePorts } from "../../../harness/ports.ts"
import { cert, key } from "../../../harness/tls.ts"
import { until } from "../../../harness/until.ts"

const location = (scheme: string) => `
  location @auth-${scheme} {
    proxy_wasm balancer;
    proxy_set_header Host $http_host; proxy_set_header Connection ""; proxy_pass_request_body off; proxy_http_version 1.1;
    proxy_intercept_errors off; proxy_next_upstream error timeout;
    proxy_ignore_headers X-Accel-Redirect X-Accel-Buffering X-Accel-Limit-Rate X-Accel-Charset X-Accel-Expires;
    proxy_ssl_server_name on; proxy_ssl_name $http_host;
    proxy_pass ${scheme}://upstream_balancer;
  }`

let plane: Plane
let main: Echo
let services: [Echo, Echo]
let secure: Echo
beforeAll(async () => {
  ;[main, secure] = [await new Echo().start(), await new Echo({ cert, key }).start()]
  services = [await new Echo().start(), await new Echo().start()]
  plane = await startPlane({ workers: 1, inServer: location("http") + location("https") })
  await plane.apply({
    backends: { set: [backend("main", [at(main.port)]), backend("secure", [at(secure.port)])] },
  })
})
afterAll(async () => {
  await plane[Symbol.asyncDispose]()
  for (const each of [main, secure, ...services]) await each[Symbol.asyncDispose]()
})

const at = (port: number) => ({ endpoint: { address: "127.0.0.1", port: String(port), weight: 1 } })
const get = (name: string) => plane.nginx.get("/", { host: name })

/** Everything of the host is guarded by a backend. */
function guarded(name: string, service: string, external: object = {}): object {
  const asked = { location: "auth-http", backend: service, target: "/check", host: "auth.test", ...external }
  return host(name, "main", { access: { external: asked } })
}

async function guard(ports: readonly number[], settings: object = {}): Promise<void> {
  await plane.apply({
    backends: { set: [{ ...backend("auth", ports.map(at)), ...settings }] },
    routes: { set: [guarded("a.test", "auth")] },
  })
}

test("its endpoints take turns, and the client's backend is its own", async () => {
  await guard(services.map(({ port }) => port))
  for (let turn = 0; turn < 10; turn += 1) expect((await get("a.test")).status).toBe(200)
  expect(services.map(({ asked }) => asked.length)).toEqual([5, 5])
  expect(services.map(({ connections }) => connections)).toEqual([1, 1])
  expect(main.asked).toHaveLength(10)
})

test("an endpoint that is not there is passed over", async () => {
  const [dead = 0] = await freePorts(1)
  await guard([dead, services[0].port])
  for (let turn = 0; turn < 4; turn += 1) expect((await get("a.test")).status).toBe(200)
  expect((await plane.counters()).faults).toBe(0)
})

test("a question that may have been answered is not asked elsewhere, unless it is a GET", async () => {
  const before = services[1].asked.length
  services[0].answer = () => {
    services[0].reset()
    return {}
  }
  await guard([services[0].port, services[1].port])
  expect((await get("a.test")).status).toBe(200)
  services[0].answer = () => ({})
  expect(services[1].asked.length).toBeGreaterThan(before)
})

test("nobody gets in without an endpoint, or without the backend", async () => {
  await guard([])
  expect((await get("a.test")).status).toBe(500)
  await plane.apply({ routes: { set: [guarded("none.test", "nobody")] } })
  expect((await get("none.test")).status).toBe(500)
  await guard([services[0].port])
  expect((await get("a.test")).status).toBe(200)
})

test("connections with TLS are shared by the names that they were made for", async () => {
  const external = { location: "auth-https", backend: "secure" }
  const names = ["one", "two"]
  await plane.apply({
    routes: {
      set: names.map((name) => guarded(`${name}.test`, "secure", { ...external, host: `${name}.auth.test` })),
    },
  })
  for (const name of [...names, ...names, ...names]) expect((await get(`${name}.test`)).status).toBe(200)
  expect(secure.connections).toBe(2)
  for (const { headers, tls } of secure.asked) expect(tls?.serverName).toBe(headers.host)
})

test("what runs at its endpoints is counted, and no longer when clients have gone", async () => {
  await guard(
    services.map(({ port }) => port),
    { "load-balance": "least_conn" },
  )
  let isHeld = true
  for (const service of services) {
    service.asked.length = 0
    service.answer = () => ({ until: () => !isHeld })
  }
  const running = () => services.map(({ asked }) => asked.length)
  const gone = Array.from({ length: 8 }, () => connect(plane.nginx.port, "127.0.0.1"))
  for (const client of gone) client.on("error", () => {}).write("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
  await until("questions", () => services[0].asked.length + services[1].asked.length === 8)
  expect(running()).toEqual([4, 4])
  for (const client of gone) client.destroy()
  await until("the end of them", () => services.every(({ open }) => open <= 1))
  const waiting = Array.from({ length: 8 }, () => get("a.test"))
  await until("questions", () => services[0].asked.length + services[1].asked.length === 16)
  expect(running()).toEqual([8, 8])
  isHeld = false
  for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200)
})
