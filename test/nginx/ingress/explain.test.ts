// `explain=LOCATION`: every request enters one location, and the answer says which route was found.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"

let ingress: Ingress
beforeAll(async () => {
  ingress = await startIngress({
    locations: `
      location /explained/ { client_max_body_size 0; ingress_route routes server=other explain=explain; }
      location @plain { return 200 plain; }
      location @explain { return 200 "would go on with $uri to $proxy_upstream_name"; }`,
  })
  await ingress.route(
    "a.test",
    [
      { path: "/explained/", location: "plain", backend: "b0" },
      { path: "/explained/x", location: "gone", backend: "b1" },
      { path: "/explained/status", location: "plain", status: 403 },
      { path: "/explained/slash/", location: "plain" },
    ],
    "other",
  )
  await ingress.route("*.b.test", [{ path: "/", location: "plain" }], "other")
  await ingress.route("a.test", [{ path: "/", location: "plain" }])
})
afterAll(() => ingress[Symbol.asyncDispose]())

async function ask(host: string, path: string) {
  const { status, headers, body } = await ingress.nginx.get(path, { host })
  return { status, route: headers["x-wick-route"], body: body.split("<")[0] }
}

test("the route that is found, and the location that explains instead of its own, even of one that is not there", async () => {
  expect(await ask("A.test", "/explained/y?z=1")).toEqual({
    status: 200,
    route: "0 a.test /explained/y",
    body: "would go on with /explained/y to b0",
  })
  expect(await ask("a.test", "/explained/x")).toMatchObject({
    status: 200,
    route: "1 a.test /explained/x",
    body: "would go on with /explained/x to b1",
  })
})

test("the path is the decoded and normalised one, escaped so that it is one word", async () => {
  const { route } = await ask("x.b.test", "/explained/..//explained/a%0Ab%20%25c%C3%A4")
  expect(route).toBe("0 *.b.test /explained/a%0Ab%20%25c%C3%A4")
})

test("statuses and redirects are those of the route", async () => {
  expect(await ask("a.test", "/explained/status/x")).toMatchObject({
    status: 403,
    route: "2 a.test /explained/status/x",
  })
  expect(await ask("a.test", "/explained/slash")).toMatchObject({
    status: 301,
    route: "3 a.test /explained/slash",
  })
})

test("nothing is said where no route is found, and nowhere else", async () => {
  expect(await ask("c.test", "/explained/")).toMatchObject({ status: 404, route: undefined })
  expect(await ask("a.test", "/")).toEqual({ status: 200, route: undefined, body: "plain" })
})
