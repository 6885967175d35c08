import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { startLoad } from "../../../harness/load.ts"
import type { Nginx } from "../../../harness/nginx.ts"
import { cert, key } from "../../../harness/tls.ts"
import { until } from "../../../harness/until.ts"
import { type Endpoint, type Seen, startEndpoint } from "../../support/endpoint.ts"
import { startHost, traces } from "./support/host.ts"
import { record } from "./support/record.ts"

const LEAN = "configure: callbacks upstream_select,upstream_info"

const choosing = (...ports: number[]) =>
  `proxy_wasm probe '${LEAN} | select: turn ${ports.map((port) => `127.0.0.1:${port}`).join(" ")} | info: trace';`

interface Place {
  readonly path: string
  readonly directives: string
}

const http = (path: string, pass: string, more = ""): Place => ({
  path,
  directives: `proxy_http_version 1.1; proxy_set_header Connection ""; ${more} proxy_pass ${pass}://chosen;`,
})
const grpc = (path: string, pass: string, more = ""): Place => ({
  path,
  directives: `${more} grpc_pass ${pass}://chosen;`,
})

function serve(places: readonly Place[], ports: readonly number[], select = "keepalive=32"): Promise<Nginx> {
  return startHost(({ dir }) => {
    writeFileSync(join(dir, "ca.pem"), cert)
    writeFileSync(join(dir, "key.pem"), key)
    const locations = places.map(({ path, directives }) => {
      const inFiles = directives.replaceAll("CA", join(dir, "ca.pem")).replaceAll("KEY", join(dir, "key.pem"))
      return `location ${path} { ${choosing(...ports)} ${inFiles} }`
    })
    return {
      http: `upstream chosen { server 127.0.0.1:1; wasm_upstream_select ${select}; }`,
      server: locations.join("\n"),
    }
  })
}

async function seen(nginx: Nginx, path: string): Promise<Seen> {
  const { status, body } = await nginx.get(path)
  expect({ path, status, body }).toMatchObject({ status: 200 })
  return JSON.parse(body)
}

const verified = "proxy_ssl_verify on; proxy_ssl_trusted_certificate CA; proxy_ssl_name endpoint.test;"
const certified = "proxy_ssl_certificate CA; proxy_ssl_certificate_key KEY;"
const named = "proxy_ssl_server_name on; proxy_ssl_name $arg_name;"

/** Requests that must not share connections, and how the endpoint has to see them. */
const kinds: { place: Place; query?: string; as: Omit<Seen, "connection" | "isResumed"> }[] = [
  { place: http("/h1", "http"), as: { protocol: "h1" } },
  { place: grpc("/h2", "grpc"), as: { protocol: "h2" } },
  { place: http("/tls", "https"), as: { protocol: "h1", tls: "" } },
  { place: http("/other-tls", "https", "proxy_ssl_protocols TLSv1.2;"), as: { protocol: "h1", tls: "" } },
  { place: http("/verified", "https", verified), as: { protocol: "h1", tls: "" } },
  { place: http("/certified", "https", certified), as: { protocol: "h1", tls: "" } },
  { place: http("/bound", "http", "proxy_bind 127.0.0.2;"), as: { protocol: "h1" } },
  { place: http("/bound-elsewhere", "http", "proxy_bind 127.0.0.3;"), as: { protocol: "h1" } },
  { place: http("/named", "https", named), query: "?name=a.test", as: { protocol: "h1", tls: "a.test" } },
  { place: http("/named", "https", named), query: "?name=b.test", as: { protocol: "h1", tls: "b.test" } },
  { place: grpc("/h2-tls", "grpcs"), as: { protocol: "h2", tls: "" } },
  {
    place: grpc("/h2-named", "grpcs", named.replaceAll("proxy_", "grpc_")),
    query: "?name=a.test",
    as: { protocol: "h2", tls: "a.test" },
  },
]
const places = [...new Map(kinds.map(({ place }) => [place.path, place])).values()]
const kindAt = (n: number) => kinds[(n * n + (n >> 3)) % kinds.length] as (typeof kinds)[number]
const pathOf = ({ place, query }: (typeof kinds)[number]) => `${place.path}${query ?? ""}`

describe("a waiting connection", () => {
  test("serves requests of its protocol, its settings and its name, and no others", async () => {
    await using endpoint = await startEndpoint()
    await using nginx = await serve(places, [endpoint.port])
    const connections = new Map<string, number>()
    for (let n = 0; n < 90; n++) {
      const kind = kindAt(n)
      const { connection, isResumed: _, ...as } = await seen(nginx, pathOf(kind))
      expect(as, pathOf(kind)).toEqual(kind.as)
      expect(connections.get(pathOf(kind)) ?? connection, pathOf(kind)).toBe(connection)
      connections.set(pathOf(kind), connection)
    }
    expect(new Set(connections.values()).size).toBe(kinds.length)
    expect(endpoint.connections).toBe(kinds.length)
    expect(nginx.errorLog()).not.toMatch(/\[(alert|crit|error)\]/)
  })

  test("is never another's, also under load and when there are too few places for all", async () => {
    await using endpoint = await startEndpoint()
    await using nginx = await serve(places, [endpoint.port], "keepalive=5")
    const wrong: string[] = []
    const load = startLoad({
      port: nginx.port,
      connections: 12,
      requests: 2000,
      question: (n) => ({ path: pathOf(kindAt(n)) }),
      onAnswer: (answer, _, { path }) => {
        const { connection: _connection, isResumed: _resumed, ...as } = JSON.parse(answer.body) as Seen
        const kind = kinds.find((one) => pathOf(one) === path)
        if (JSON.stringify(as) !== JSON.stringify(kind?.as)) wrong.push(`${path}: ${answer.body}`)
      },
    })
    const { statuses, lost } = await load.done
    expect([[...statuses], lost, wrong]).toEqual([[[200, 2000]], [], []])
    expect(endpoint.connections).toBeLessThan(2000)
    expect(nginx.errorLog()).not.toMatch(/\[(alert|crit|error)\]/)
  })

  test("whose certificate was verified for one name, or not at all, spares no other name its verification", async () => {
    await using endpoint = await startEndpoint()
    const name = "proxy_ssl_verify on; proxy_ssl_trusted_certificate CA; proxy_ssl_name $arg_name;"
    const some = [http("/verified", "https", name), http("/unverified", "https", "proxy_ssl_name $arg_name;")]
    await using nginx = await serve(some, [endpoint.port], "keepalive=32 max_tries=1")
    const statusOf = async (path: string) => (await nginx.get(path)).status
    expect(await statusOf("/unverified?name=other.test")).toBe(200)
    expect(await statusOf("/verified?name=endpoint.test")).toBe(200)
    expect(await statusOf("/verified?name=other.test")).toBe(502)
    expect(await statusOf("/verified?name=endpoint.test")).toBe(200)
    expect(endpoint.connections).toBe(3)
  })

  test.each([
    ["a client certificate", "https", "proxy_ssl_certificate $arg_c; proxy_ssl_certificate_key $arg_c;"],
    ["an address of its own", "http", "proxy_bind $arg_from;"],
  ])("with %s that a variable chooses is not kept", async (_, scheme, more) => {
    await using endpoint = await startEndpoint()
    await using nginx = await serve([http("/", scheme, more)], [endpoint.port])
    const ask = async () => (await seen(nginx, "/?from=127.0.0.2")).connection
    expect([await ask(), await ask()]).toEqual([1, 2])
  })
})

describe("TLS sessions", () => {
  const twice = async (nginx: Nginx, first: string, second = first) =>
    [await seen(nginx, first), await seen(nginx, second)].map(({ isResumed }) => isResumed)

  test.each(["TLSv1.2", "TLSv1.3"])("are taken up again for the same destination: %s", async (protocol) => {
    await using a = await startEndpoint()
    const more = `proxy_ssl_protocols ${protocol};`
    const some = [http("/s", "https", more + named), http("/other", "https", more + named)]
    await using nginx = await serve(some, [a.port], "")
    expect(await twice(nginx, "/s?name=a")).toEqual([false, true])
    expect(await twice(nginx, "/s?name=b")).toEqual([false, true])
    expect(await twice(nginx, "/other?name=a")).toEqual([false, true])
    expect(a.connections).toBe(6)
  })

  test("are not shared by endpoints", async () => {
    await using a = await startEndpoint()
    await using b = await startEndpoint((connection) => connection === 1)
    await using nginx = await serve([http("/s", "https")], [b.port, a.port], "")
    expect(await twice(nginx, "/s")).toEqual([false, false])
    expect([a.connections, b.connections]).toEqual([1, 2])
  })

  test("are not kept with proxy_ssl_session_reuse off", async () => {
    await using a = await startEndpoint()
    await using nginx = await serve([http("/s", "https", "proxy_ssl_session_reuse off;")], [a.port], "")
    expect(await twice(nginx, "/s")).toEqual([false, false])
  })

  test("of more destinations than are kept are forgotten, and freed", async () => {
    await using a = await startEndpoint()
    await using nginx = await serve([http("/s", "https", named)], [a.port], "")
    const names = Array.from({ length: 1100 }, (_, n) => `/s?name=n${n}`)
    for (const name of names) await seen(nginx, name)
    expect(await twice(nginx, "/s?name=n1099", "/s?name=n0")).toEqual([true, false])
    await nginx.reload()
    await until("the worker to end", () => nginx.errorLog().includes("exited with code 0"))
    expect(nginx.errorLog()).not.toMatch(/\[(alert|crit|error)\]|exited on signal/)
  })
})

describe("a handshake", () => {
  const infos = (nginx: Nginx) => traces(nginx).filter((line) => line.startsWith("info"))

  async function withTwo(
    place: Place,
    isBroken: (connection: number) => boolean,
    check: (nginx: Nginx, first: Endpoint, second: Endpoint) => Promise<void>,
  ) {
    await using first = await startEndpoint(isBroken)
    await using second = await startEndpoint()
    await using nginx = await serve([place], [first.port, second.port], "keepalive=4")
    await check(nginx, first, second)
  }

  test("that the endpoint breaks off is retried elsewhere, and the filter hears of it", () =>
    withTwo(
      http("/s", "https"),
      () => true,
      async (nginx, first, second) => {
        expect(await seen(nginx, "/s")).toMatchObject({ connection: 1, tls: "" })
        expect([first.connections, second.connections]).toEqual([1, 1])
        await until("both attempts to be told", () => infos(nginx).length === 2)
        expect(infos(nginx).map((line) => line.split(" ")[2])).toEqual(["1", "0"])
      },
    ))

  test.each([
    ["a name that the certificate does not have", verified.replace("endpoint.test", "other.test")],
    [
      "a certificate that nobody vouches for",
      "proxy_ssl_verify on; proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;",
    ],
  ])("is refused for %s: on every endpoint, and each time anew", (_, more) =>
    withTwo(
      http("/s", "https", more),
      () => false,
      async (nginx, first, second) => {
        for (let i = 1; i <= 2; i++) {
          expect((await nginx.get("/s")).status).toBe(502)
          expect([first.connections, second.connections]).toEqual([i, 2 * i])
        }
        expect(nginx.errorLog()).toMatch(/upstream SSL certificate (does not match|verify error)/)
      },
    ))

  test("is the location's own when the host chooses because the filter is down", async () => {
    await using endpoint = await startEndpoint()
    await using nginx = await startHost(({ socket }) => ({
      http: `upstream chosen { server 127.0.0.1:1; wasm_upstream_select keepalive=4 fallback=backends/list; }
        server { listen unix:${socket}; location / { proxy_wasm rotate role=control; return 404; } }`,
      server: `location / { proxy_wasm probe '${LEAN} | select: trap'; ${named} proxy_pass https://chosen; }`,
    }))
    expect((await nginx.control("POST", "/", record([endpoint.port]))).status).toBe(201)
    expect(await seen(nginx, "/?name=a.test")).toMatchObject({ protocol: "h1", tls: "a.test" })
  })
})
