// A location's error pages: named locations, for nginx's own errors and for the backend's.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"

let backends: Backends
let ingress: Ingress
beforeAll(async () => {
  backends = await startBackends("a")
  const [backend] = backends
  ingress = await startIngress({
    locations: `
      location @intercept {
        proxy_intercept_errors on; error_page 500 =503 @sorry; proxy_pass http://127.0.0.1:${backend?.port};
      }
      location @pass { proxy_pass http://127.0.0.1:${backend?.port}; }
      location @own { error_page 403 @sorry; deny all; }
      location @sorry { return 200 "sorry, $service_name"; }`,
  })
  await ingress.route("_", [
    { path: "/intercept", location: "intercept", service_name: "cart" },
    { path: "/pass", location: "pass" },
    { path: "/own", location: "own", service_name: "own" },
  ])
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  await backends.stop()
})

test("for the backend's errors, where they are intercepted", async () => {
  await backends[0]?.fault("error")
  const { status, body } = await ingress.nginx.get("/intercept")
  expect([status, body]).toEqual([503, "sorry, cart"])
  expect((await ingress.nginx.get("/pass")).body).toBe("a")
  await backends[0]?.fault(undefined)
})

test("for nginx's own", async () => {
  const { status, body } = await ingress.nginx.get("/own")
  expect([status, body]).toEqual([403, "sorry, own"])
})

test("for a backend that cannot be reached", async () => {
  await backends[0]?.fault("refuse")
  expect((await ingress.nginx.get("/pass")).status).toBe(502)
  await backends[0]?.fault(undefined)
})
