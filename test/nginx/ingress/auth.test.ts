// Authentication in a location: basic with a user file per route, by subrequest, either of two ways.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"

const basic = (user: string) => ({ authorization: `Basic ${Buffer.from(user).toString("base64")}` })

let dir: string
let ingress: Ingress
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "wick-auth-"))
  for (const name of ["a", "b"]) writeFileSync(join(dir, name), `${name}:{PLAIN}secret\n`)
  ingress = await startIngress({
    locations: `
      location @basic { auth_basic "closed"; auth_basic_user_file ${dir}/$ingress_name; try_files /x =204; }
      location @request { auth_request /_auth; auth_request_set $who $upstream_http_x_user; add_header X-Who $who always; try_files /x =204; }
      location @any { satisfy any; deny all; auth_basic "closed"; auth_basic_user_file ${dir}/a; try_files /x =204; }
      location @astray { auth_request /astray; try_files /x =204; }
      location = /_auth {
        internal; client_max_body_size 0; proxy_pass_request_body off; proxy_set_header Content-Length "";
        proxy_set_header X-Ingress $ingress_name;
        proxy_pass http://unix:auth.sock;
      }`,
    http: `server {
      listen unix:auth.sock;
      location / { add_header X-User "user of $http_x_ingress" always; if ($http_authorization = "") { return 401; } return 204; }
    }`,
  })
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true })
})

test("auth_basic with the user file of the route", async () => {
  for (const name of ["a", "b"])
    await ingress.route(`${name}.test`, [{ location: "basic", ingress_name: name }])
  expect(await ingress.ask("a.test")).toBe("401")
  expect(await ingress.ask("a.test", "/", basic("a:secret"))).toBe("204")
  expect(await ingress.ask("a.test", "/", basic("b:secret"))).toBe("401")
  expect(await ingress.ask("b.test", "/", basic("b:secret"))).toBe("204")
})

test("auth_request: the subrequest sees the route's variables, the location its answer", async () => {
  await ingress.route("a.test", [{ location: "request", ingress_name: "cart" }])
  expect(await ingress.ask("a.test")).toBe("401")
  const { status, headers } = await ingress.nginx.get("/", { host: "a.test", headers: basic("x:y") })
  expect([status, headers["x-who"]]).toEqual([204, "user of cart"])
})

test("auth_request for a POST with a body", async () => {
  await ingress.route("a.test", [{ location: "request", ingress_name: "cart", clientMaxBodyBytes: 100_000 }])
  const post = { method: "POST", body: "x".repeat(90_000), host: "a.test", headers: basic("x:y") }
  expect((await ingress.nginx.get("/", post)).status).toBe(204)
})

test("satisfy any", async () => {
  await ingress.route("a.test", [{ location: "any" }])
  expect(await ingress.ask("a.test")).toBe("401")
  expect(await ingress.ask("a.test", "/", basic("a:secret"))).toBe("204")
})

test("a subrequest that comes to `ingress_route` is not given a route: 404, and its parent's variables stay", async () => {
  await ingress.route("a.test", [
    { location: "astray", ingress_name: "parent" },
    { path: "/astray", location: "basic", ingress_name: "stolen" },
  ])
  expect(await ingress.ask("a.test")).toBe("500")
  expect(ingress.nginx.errorLog()).toContain("auth request unexpected status: 404")
})
