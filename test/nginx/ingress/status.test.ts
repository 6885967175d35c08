// A route with a status is answered at once, in the name of its location.
import { Agent } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"

let ingress: Ingress
beforeAll(async () => {
  ingress = await startIngress({
    locations: `
      location @plain { return 200 "not this"; }
      location @page { error_page 503 =503 @sorry; return 200 "not this"; }
      location @sorry { return 503 "no $service_name here"; }
      location @small { client_max_body_size 10; return 200 "not this"; }`,
  })
})
afterAll(() => ingress[Symbol.asyncDispose]())

test("with nginx's own page", async () => {
  for (const status of [400, 404, 503, 599]) {
    await ingress.route("a.test", [{ status }])
    const answer = await ingress.nginx.get("/", { host: "a.test" })
    expect(answer.status).toBe(status)
    expect(answer.body).not.toContain("not this")
  }
})

test("with the location's error page, which sees the route's variables", async () => {
  await ingress.route("a.test", [{ location: "page", status: 503, service_name: "cart" }])
  const { status, body } = await ingress.nginx.get("/", { host: "a.test" })
  expect([status, body]).toEqual([503, "no cart here"])
})

test("after the body was measured, as nginx does it", async () => {
  await ingress.route("a.test", [{ location: "small", status: 503 }])
  const { status } = await ingress.nginx.get("/", { host: "a.test", method: "POST", body: "x".repeat(11) })
  expect(status).toBe(413)
})

test("and the connection stays usable after a body that nobody read", async () => {
  await ingress.route("a.test", [{ status: 503 }])
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const target = { port: ingress.port, agent }
    for (let n = 0; n < 3; n += 1) {
      const { status } = await ask(target, { host: "a.test", method: "POST", body: "x".repeat(100_000) })
      expect(status).toBe(503)
    }
  } finally {
    agent.destroy()
  }
})
