// What the operator adds to nginx's configuration by keys of the ConfigMap: in force where it is meant to be, and never the end of what serves.

import { once } from "node:events"
import { connect, createServer } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { ingress, ingressClass, manifest, serviceOn, settings } from "../../../harness/manifests.ts"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { startWick } from "../../../harness/wick.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one"])
  await site.put(ingress("demo/app", "foo.test/ → app:80"), ...site.service("app", "one"))
})
afterAll(() => site[Symbol.asyncDispose]())

const problemOf = (key: string) =>
  until(`a Problem of ${key}`, () =>
    site.wick
      .log()
      .split("\n")
      .find((line) => line.includes(`data[\\"${key}\\"]`)),
  )

test("definitions of http-snippet are there for a server of the operator's, on a port of its own", async () => {
  const [port = 0] = await freePorts(1)
  await site.reconfigure({
    "http-snippet": `map $http_x_tier $tier { default low; ~^g 'gold; }'; }
      server { listen 127.0.0.1:${port}; location / { return 200 "$tier"; } }`,
  })
  const tierOf = async (tier: string) => (await ask({ port }, { headers: { "x-tier": tier } })).body
  expect([await tierOf("x"), await tierOf("good")]).toEqual(["low", "gold; }"])
  expect((await site.get("/")).body).toBe("one")
})

test("typed directives of http-snippet and server-snippet are in force for hosts, not for the controller's own servers", async () => {
  await site.reconfigure({
    "http-snippet": "sub_filter one two; sub_filter_types *;",
    "server-snippet": "sub_filter_once off;",
  })
  expect((await site.get("/")).body).toBe("two")
  const conf = site.wick.conf()
  expect(conf.match(/^ +sub_filter .*$/gm)).toEqual(["        sub_filter one two;"])
  expect(conf.match(/^ +sub_filter_once .*$/gm)).toEqual(["        sub_filter_once off;"])
})

test("main-snippet stands outside of every block", async () => {
  await site.reconfigure({ "main-snippet": "env 'WICK_TEST=a b';\nthread_pool mine threads=1;" })
  expect(site.wick.conf()).toContain('\nenv "WICK_TEST=a b";\n')
  expect((await site.get("/")).body).toBe("one")
})

test("stream-snippet serves connections", async () => {
  const backend = createServer((socket) => socket.end("from the backend")).listen(0, "127.0.0.1")
  await once(backend, "listening")
  const [port = 0] = await freePorts(1)
  const { port: to } = backend.address() as { port: number }
  await site.reconfigure({
    "stream-snippet": `upstream there { server 127.0.0.1:${to}; } server { listen 127.0.0.1:${port}; proxy_pass there; }`,
  })
  const socket = connect(port, "127.0.0.1")
  let text = ""
  socket.on("data", (chunk) => (text += chunk))
  await once(socket, "close")
  backend.close()
  expect(text).toBe("from the backend")
})

test("a mistake that only nginx sees is a Problem with its words, and the text before it stays", async () => {
  await site.reconfigure({ "http-snippet": "sub_filter one two; sub_filter_types *;" })
  site.configure({
    "http-snippet": "sub_filter one three; sub_filter_types *; limit_req_zone $host zone=mine:1k rate=1r/s;",
  })
  const problem = await problemOf("http-snippet")
  expect(problem).toContain("value-refused")
  expect(problem).toContain("is too small")
  expect((await site.get("/")).body).toBe("two")
  await site.reconfigure({})
  expect((await site.get("/")).body).toBe("one")
})

test("what becomes data is in force on all hosts, before what their Ingresses say or beside it", async () => {
  await site.put(
    ingress("demo/app", "foo.test/ → app:80"),
    ingress("demo/own", "own.test/ → app:80", { "configuration-snippet": "more_set_headers 'X-Own: 1';" }),
    ...site.service("app", "one"),
  )
  await site.reconfigure({
    "http-snippet": "map $http_x_tier $tier { default low; gold high; }",
    "server-snippet": "location = /private { deny all; } if ($http_x_bad) { return 418; }",
    "location-snippet": "more_set_headers 'X-Tier: $tier';",
  })
  const statusOf = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
    (await site.get(path, { headers })).status
  expect([await statusOf("/"), await statusOf("/private"), await statusOf("/", { "x-bad": "1" })]).toEqual([
    200, 403, 418,
  ])
  const { headers } = await site.get("/", { host: "own.test", headers: { "x-tier": "gold" } })
  expect([headers["x-tier"], headers["x-own"]]).toEqual(["high", "1"])
  expect((await site.get("/")).headers["x-tier"]).toBe("low")
  await site.reconfigure({})
  expect(await statusOf("/private")).toBe(200)
})

test("what Ingresses let in by a zone of the http-snippet costs no reload, and counts on through changes", async () => {
  await site.reconfigure({ "http-snippet": "limit_req_zone $host$uri zone=of_hosts:1m rate=1r/m;" })
  const limited = (text: string) =>
    site.put(
      ingress("demo/app", "foo.test/ → app:80", { "configuration-snippet": text }),
      ...site.service("app", "one"),
    )
  const answers = async (count: number) => {
    const statuses: number[] = []
    for (let nth = 0; nth < count; nth += 1) statuses.push((await site.get("/limited")).status)
    return statuses
  }
  await limited("limit_req_status 429;")
  const reloads = await site.wick.metric("nginx_ingress_controller_success")
  expect(await answers(2)).toEqual([200, 200])
  await limited("limit_req zone=of_hosts burst=2 nodelay; limit_req_status 429;")
  expect(await answers(4)).toEqual([200, 200, 200, 429])
  await limited("limit_req zone=of_hosts;")
  expect(await answers(1)).toEqual([503])
  await limited("limit_req zone=of_nobody;")
  expect(await answers(1)).toEqual([503])
  await limited("limit_req zone=of_hosts; limit_req_dry_run on;")
  expect(await answers(2)).toEqual([200, 200])
  expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(reloads)
  await limited("")
  await site.reconfigure({})
})

test("a start with texts that nginx refuses serves, and closes when one of them may keep requests out", async () => {
  const bad = "limit_req_zone $host zone=mine:1k rate=1r/s;"
  const start = (text: string) =>
    startWick({
      manifests: {
        "all.yaml": manifest(
          ingressClass,
          ingress("demo/app", "foo.test/ → app:80"),
          ...serviceOn("demo/app", [site.backend("one").port]),
          settings("demo/settings", { "http-snippet": text }),
        ),
      },
      flags: ["--configmap=demo/settings"],
    })
  await using open = await start(bad)
  await until("the host to be served", async () => (await open.get("/", { host: "foo.test" })).status === 200)
  expect(open.log()).toContain("is too small")
  await using closed = await start(`${bad} deny 192.0.2.1;`)
  await until(
    "the host to be closed",
    async () => (await closed.get("/", { host: "foo.test" })).status === 503,
  )
  expect(closed.log()).toContain("key-guard-closes")
})
