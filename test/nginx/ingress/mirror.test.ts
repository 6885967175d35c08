// Mirrored requests: the copy sees the route's variables, the original is untouched.
import { expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { startIngress } from "../../../harness/ingress/ingress.ts"
import { until } from "../../../harness/until.ts"

test("a location's mirror receives the request with the route's values", async () => {
  await using backends = await startBackends("original", "copy")
  const [original, copy] = backends
  await using ingress = await startIngress({
    locations: `
      location @mirrored { mirror /_mirror; proxy_set_header X-Name $service_name; proxy_pass http://127.0.0.1:${original?.port}; }
      location = /_mirror {
        internal; client_max_body_size 0; proxy_set_header X-Name $service_name;
        proxy_pass http://127.0.0.1:${copy?.port}$request_uri;
      }`,
  })
  await ingress.route("a.test", [{ location: "mirrored", service_name: "cart" }])
  const { body } = await ingress.nginx.get("/x?y", { host: "a.test", method: "POST", body: "hello" })
  expect(body).toBe("original")
  await until("the copy", () => copy?.requests === 1)
  expect([original?.lastHeaders["x-name"], copy?.lastHeaders["x-name"]]).toEqual(["cart", "cart"])
})
