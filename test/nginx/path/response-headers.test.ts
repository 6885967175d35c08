// Response headers of a route beside the filter: on answers that the filter makes, and over cookies that it gives.
import { expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { backend, host, startPlane } from "../../../harness/plane.ts"

const cookie = { name: "SESSION", path: "/", locations: { "a.test": ["/"] } }
const sticky = { sessionAffinityConfig: { name: "cookie", mode: "balanced", cookieSessionAffinity: cookie } }

test("the filter's own answer has them, and a cookie of the filter gives way", async () => {
  const backends = await startBackends("a")
  await using plane = await startPlane({ workers: 1, inHttp: "ingress_clear_header Server;" })
  const answer = async (name: string, headers: readonly object[]) => {
    const route = host("a.test", name, { location_path: "/", headers })
    await plane.apply({ routes: { set: [route] } })
    return plane.nginx.get("/", { host: "a.test" })
  }
  const sets = [{ ...backend("sticky", [...backends]), ...sticky }, backend("nobody", [])]
  await plane.apply({ backends: { set: sets } })

  const nobody = await answer("nobody", [{ name: "X-Frame-Options", value: "DENY" }])
  expect(nobody.status).toBe(503)
  expect(nobody.headers).toMatchObject({ "x-frame-options": "DENY" })
  expect(nobody.headers.server).toBeUndefined()

  expect((await answer("sticky", [])).headers["set-cookie"]?.[0]).toMatch(/^SESSION=/)
  const replaced = await answer("sticky", [{ name: "set-cookie", value: "other=1" }])
  expect(replaced.headers["set-cookie"]).toEqual(["other=1"])
  await backends.stop()
})
