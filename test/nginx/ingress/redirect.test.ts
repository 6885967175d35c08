// A path that lacks only the slash at the end of a route's path is redirected, as nginx does for proxied locations.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"

let ingress: Ingress
beforeAll(async () => {
  ingress = await startIngress({
    locations: `
      location @relative { absolute_redirect off; return 200 "$uri"; }
      location @absolute { return 200 "$uri"; }
      location @page { error_page 301 =200 @moved; return 200 "$uri"; }
      location @moved { return 200 "moved $service_name"; }`,
  })
})
afterAll(() => ingress[Symbol.asyncDispose]())

async function ask(host: string, path: string): Promise<[number, string | undefined]> {
  const { status, headers } = await ingress.nginx.get(path, { host })
  return [status, headers.location]
}

test.each(["prefix", "exact"] as const)("of a route with match %s", async (match) => {
  await ingress.route("a.test", [
    { path: "/foo/", match, location: "relative" },
    { path: "/", location: "relative" },
  ])
  expect(await ask("a.test", "/foo")).toEqual([301, "/foo/"])
  expect(await ask("a.test", "/foo?a=/b%20")).toEqual([301, "/foo/?a=/b%20"])
  expect(await ingress.ask("a.test", "/foo/")).toBe("/foo/")
  expect(await ingress.ask("a.test", "/fo")).toBe("/fo")
})

test("has an absolute address when the location says so", async () => {
  await ingress.route("a.test", [{ path: "/foo/", location: "absolute" }])
  expect(await ask("a.test", "/foo")).toEqual([301, `http://a.test:${ingress.port}/foo/`])
})

test("has the address and the port that the route wants, not its location", async () => {
  const slash = async (route: object) => {
    await ingress.route("a.test", [{ path: "/foo/", ...route }])
    return (await ask("a.test", "/foo"))[1]
  }
  expect(await slash({ location: "absolute", absoluteRedirect: false })).toBe("/foo/")
  expect(await slash({ location: "absolute", portInRedirect: false })).toBe("http://a.test/foo/")
  expect(await slash({ location: "relative", absoluteRedirect: true })).toBe(
    `http://a.test:${ingress.port}/foo/`,
  )
  const portless = { location: "relative", absoluteRedirect: true, portInRedirect: false }
  expect(await slash(portless)).toBe("http://a.test/foo/")
})

test("escapes the path", async () => {
  await ingress.route("a.test", [{ path: "/ä b%?/", location: "relative" }])
  expect(await ask("a.test", "/%C3%A4%20b%25%3F")).toEqual([301, "/%C3%A4%20b%25%3F/"])
})

test("is the location's answer: its error pages apply", async () => {
  await ingress.route("a.test", [{ path: "/foo/", location: "page", service_name: "foo" }])
  expect(await ingress.ask("a.test", "/foo")).toBe("moved foo")
})
