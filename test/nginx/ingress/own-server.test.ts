// A server block of some hosts, whose requests enter the named locations of the one for all hosts (`locations=`).
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, test } from "vitest"
import { keptMs } from "../../../harness/http.ts"
import { answering, startIngress } from "../../../harness/ingress/ingress.ts"

const own = (port: number, parameters = "locations=_", more = "") => `
server {
  listen 127.0.0.1:${port};
  server_name own.test ~^[^.]+\\.wild\\.test$;
  add_header X-Block own;
  location / { ingress_route routes ${parameters}; }
  ${more}
}`

test("routes and locations are those of all hosts, and the server block is the host's", async () => {
  await using ingress = await startIngress({
    http: ({ port }) => `server { listen 127.0.0.1:${port} default_server; server_name _ exact.wild.test;
      location / { ingress_route routes; }
      ${answering("plain", "$server_name $namespace")}
      ${answering("later", "later on $server_name")} }
      ${own(port)}`,
    locations: answering("plain", "the last server block"),
  })
  for (const host of ["own.test", "*.wild.test", "exact.wild.test", "other.test"])
    await ingress.route(host, [
      { path: "/", location: "plain", namespace: host },
      { path: "/later", location: "later" },
    ])
  expect(await ingress.ask("own.test")).toBe("own.test own.test")
  expect(await ingress.ask("x.wild.test")).toBe("own.test *.wild.test")
  expect(await ingress.ask("exact.wild.test")).toBe("_ exact.wild.test")
  expect(await ingress.ask("other.test")).toBe("_ other.test")
  expect(await ingress.ask("y.x.wild.test")).toBe("404")
  expect(await ingress.ask("own.test", "/later")).toBe("later on own.test")
  await ingress.route("own.test", [{ path: "/", location: "later" }])
  expect(await ingress.ask("own.test")).toBe("later on own.test")
})

test("what is entered has inherited from the server block in which it stands", async () => {
  await using ingress = await startIngress({
    http: ({ port }) => `server { listen 127.0.0.1:${port} default_server; server_name _;
      add_header X-Block all; location / { ingress_route routes; } ${answering("plain", "x")} }
      ${own(port)}`,
  })
  await ingress.route("own.test", [{ path: "/", location: "plain" }])
  const { headers } = await ingress.nginx.get("/", { host: "own.test" })
  expect(headers["x-block"]).toBe("all")
})

test("a backend cannot send its answer into a location of either server block", async () => {
  const backend = createServer({ keepAliveTimeout: keptMs }, (request, response) => {
    response.setHeader("X-Accel-Redirect", String(request.headers["x-to"]))
    response.end()
  })
  await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve))
  const { port: backendPort } = backend.address() as AddressInfo
  await using ingress = await startIngress({
    http: ({ port }) => `server { listen 127.0.0.1:${port} default_server; server_name _;
      location / { ingress_route routes; }
      location @proxy { proxy_pass http://127.0.0.1:${backendPort}; }
      ${answering("open", "open")} }
      ${own(port, "locations=_", answering("error", "page"))}`,
  })
  await ingress.route("own.test", [{ path: "/", location: "proxy" }])
  const ask = async (to: string) =>
    (await ingress.nginx.get("/", { host: "own.test", headers: { "x-to": to } })).status
  try {
    expect(await ask("@open")).toBe(500)
    expect(await ask("@error")).toBe(404)
  } finally {
    backend.closeAllConnections()
    backend.close()
  }
})

test("nginx refuses a name that no server block has", async () => {
  const started = startIngress({ parameters: "locations=nobody.test" })
  await expect(started).rejects.toThrow('none is called "nobody.test"')
})
