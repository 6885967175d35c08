// A backend may send a request to another path of its host (X-Accel-Redirect: /path), but not choose a location (@name).
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, test } from "vitest"
import { keptMs } from "../../../harness/http.ts"
import { startIngress } from "../../../harness/ingress/ingress.ts"

test("X-Accel-Redirect goes by the routes, never into a location by its name", async () => {
  const server = createServer({ keepAliveTimeout: keptMs }, (request, response) => {
    response.setHeader("X-Accel-Redirect", String(request.headers["x-to"]))
    response.end("from the backend")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  await using ingress = await startIngress({
    locations: `
      location @proxy { error_page 404 =404 @missing; proxy_pass http://127.0.0.1:${(server.address() as AddressInfo).port}; }
      location @open { error_page 404 =404 @missing; return 200 "open $service_name"; }
      location @limited { limit_except GET { deny all; } return 200 "limited"; }
      location @missing { return 404 "missing $service_name"; }`,
  })
  await ingress.route("a.test", [
    { path: "/", location: "proxy", service_name: "first" },
    { path: "/other", location: "open", service_name: "other" },
  ])
  const ask = async (to: string, method = "GET") => {
    const { status, body } = await ingress.nginx.get("/", { host: "a.test", method, headers: { "x-to": to } })
    return [status, body.trim()]
  }
  try {
    expect(await ask("/other/x")).toEqual([200, "open other"])
    expect(await ask("@open")).toEqual([404, "missing first"])
    expect((await ask("@limited", "POST"))[0]).toBe(404)
    expect((await ask("@proxy"))[0]).toBe(404)
    expect((await ask("@nonexistent"))[0]).toBe(500)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
