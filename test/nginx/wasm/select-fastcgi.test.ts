import { expect, test } from "vitest"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { type FastCgiRequest, FastCgiServer } from "../../support/fastcgi.ts"
import { startHost, traces } from "./support/host.ts"
import { record } from "./support/record.ts"

const LEAN = "configure: callbacks upstream_select,upstream_info"

const start = (answer: (request: FastCgiRequest) => string) => new FastCgiServer(answer).start()
const echo = ({ params, body }: FastCgiRequest) =>
  `Content-Type: text/plain\r\n\r\n${params.get("REQUEST_METHOD")} ${params.get("SCRIPT_NAME")} ${body.length}`

/** A location for each of these directives; attempt by attempt the next port, then the last again. */
function serve(
  locations: Readonly<Record<string, string>>,
  ports: readonly number[],
  select = "keepalive=8",
) {
  const turn = `turn ${ports.map((port) => `127.0.0.1:${port}`).join(" ")}`
  const params =
    "fastcgi_param REQUEST_METHOD $request_method; fastcgi_param SCRIPT_NAME $uri; fastcgi_param CONTENT_LENGTH $content_length;"
  const text = Object.entries(locations).map(
    ([path, directives]) =>
      `location ${path} { proxy_wasm probe '${LEAN} | select: ${ports.length > 0 ? turn : "trap"} | info: trace'; ${params} ${directives} }`,
  )
  return startHost(({ socket }) => ({
    http: `
upstream chosen { server 127.0.0.1:1; wasm_upstream_select ${select}; }
server { listen unix:${socket}; location / { proxy_wasm rotate role=control; return 404; } }`,
    server: `client_body_buffer_size 8k; ${text.join("\n")}`,
  }))
}

const pass = "fastcgi_pass chosen;"
const kept = `fastcgi_keep_conn on; ${pass}`

test("a request and its body reach the endpoint that was chosen, and its answer the client", async () => {
  await using app = await start(echo)
  await using nginx = await serve({ "/": pass }, [app.port])
  for (const bytes of [0, 10, 300_000]) {
    const body = "x".repeat(bytes)
    expect((await nginx.get("/run.php", { method: "POST", body })).body).toBe(`POST /run.php ${bytes}`)
  }
  expect([app.connections, app.requests]).toEqual([3, 3])
})

test("a connection is kept if fastcgi_keep_conn says so", async () => {
  await using app = await start(echo)
  await using nginx = await serve({ "/": kept }, [app.port])
  for (let i = 0; i < 4; i++) expect((await nginx.get("/a")).body).toBe("GET /a 0")
  expect([app.connections, app.requests]).toEqual([1, 4])
})

test("a kept connection serves no other protocol", async () => {
  await using app = await start(echo)
  await using nginx = await serve({ "/": kept, "/http": "proxy_pass http://chosen;" }, [app.port])
  expect((await nginx.get("/a")).status).toBe(200)
  // Refused by an endpoint that does not know HTTP, on connections of their own.
  expect((await nginx.get("/http")).status).toBe(502)
  expect(app.isConfused).toBe(true)
  expect((await nginx.get("/a")).body).toBe("GET /a 0")
  expect(app.requests).toBe(2)
})

test("a retry sends the body again, and the filter hears of both attempts", async () => {
  const [closed = 0] = await freePorts(1)
  await using busy = await start(() => "Status: 503 No\r\n\r\nbusy")
  await using app = await start(echo)
  await using nginx = await serve(
    { "/": `fastcgi_next_upstream error http_503 non_idempotent; fastcgi_keep_conn on; ${pass}` },
    [closed, busy.port, app.port],
  )
  const body = "x".repeat(100_000)
  expect((await nginx.get("/a", { method: "POST", body })).body).toBe("POST /a 100000")
  expect([busy.requests, app.requests]).toEqual([1, 1])
  const infos = () => traces(nginx).filter((line) => line.startsWith("info"))
  await until("all attempts to be told", () => infos().length === 3)
  expect(infos().map((line) => line.split(" ")[2])).toEqual(["1", "1", "0"])
})

test("while the filter is down the host chooses", async () => {
  await using app = await start(echo)
  await using nginx = await serve({ "/": kept }, [], "keepalive=4 fallback=backends/list")
  expect((await nginx.control("POST", "/", record([app.port]))).status).toBe(201)
  for (let i = 0; i < 3; i++) expect((await nginx.get("/a")).body).toBe("GET /a 0")
  expect(app.connections).toBe(1)
})
