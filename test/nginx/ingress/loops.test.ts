// Requests that lead back to where they came from end, whatever leads them.
import { expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { startIngress } from "../../../harness/ingress/ingress.ts"
import { startAuthSite } from "./support/auth-site.ts"

const back = `location @back { proxy_pass http://127.0.0.1:$server_port; proxy_set_header Host $host; add_header X-Said $http_cdn_loop always; }
  location @said { return 200 "$http_cdn_loop"; }`
const copied = `location @copied { mirror /copy; proxy_pass http://127.0.0.1:$server_port; proxy_set_header Host $host; }
  location = /copy { internal; proxy_pass http://127.0.0.1:$server_port/; proxy_set_header Host $host; }`

test("a request that was passed on too often gets 508, and the log says so", async () => {
  await using ingress = await startIngress({ http: "ingress_loops max=3;", locations: back })
  await ingress.route("loop.test", [{ location: "back" }])
  const { status, headers } = await ingress.nginx.get("/", { host: "loop.test" })
  expect([status, headers["x-said"]]).toEqual([508, "wick;n=3, wick;n=3, wick;n=2, wick;n=1"])
  expect(ingress.nginx.errorLog()).toContain("request was passed on 3 times already, it goes in circles")
})

test("a copy counts as the request does", async () => {
  await using ingress = await startIngress({
    http: "ingress_loops max=3;",
    locations: copied,
  })
  await ingress.route("loop.test", [{ location: "copied" }])
  expect(await ingress.ask("loop.test")).toBe("508")
})

test("what others say of themselves stays, and only what wick said counts", async () => {
  await using backends = await startBackends("one")
  const [one] = backends
  const locations = `location @on { proxy_pass http://127.0.0.1:${one?.port}; }`
  await using ingress = await startIngress({ http: "ingress_loops max=3;", locations })
  await ingress.route("a.test", [{ location: "on" }])
  const said = async (header?: string) => {
    const answer = await ingress.ask("a.test", "/", header === undefined ? {} : { "cdn-loop": header })
    return answer === "one" ? one?.lastHeaders["cdn-loop"] : answer
  }
  expect(await said()).toBe("wick;n=1")
  expect(await said("wick;n=2")).toBe("wick;n=3")
  expect(await said("cdn.example;v=1")).toBe("cdn.example;v=1, wick;n=1")
  expect(await said("cdn.example, wick;n=1")).toBe("cdn.example, wick;n=1, wick;n=2")
  for (const header of ["wick;n=3", "wick;n=99999999999999999999", "a, WICK ; n=7 , b"])
    expect(await said(header)).toBe("508")
})

test("without the directive nothing is counted", async () => {
  await using ingress = await startIngress({ locations: back })
  await ingress.route("a.test", [{ location: "said" }])
  expect(await ingress.ask("a.test")).toBe("")
  expect(await ingress.ask("a.test", "/", { "cdn-loop": "wick;n=50" })).toBe("wick;n=50")
})

test("an authentication service hears how often, whatever else it is told", async () => {
  await using site = await startAuthSite({ http: "ingress_loops max=3;" })
  await site.guard("a.test", { headers: { "CDN-Loop": "other", CDN_LOOP: "another" } })
  expect(await site.ingress.ask("a.test", "/", { "cdn-loop": "wick;n=1" })).not.toBe("508")
  expect(site.service.last.headers["cdn-loop"]).toBe("wick;n=2")
  expect(site.backend.last.headers["cdn-loop"]).toBe("wick;n=2")
})
