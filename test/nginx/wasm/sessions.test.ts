// Filters choose the endpoints of sessions in `stream` as they do for requests.
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { checkConf, type Nginx } from "../../../harness/nginx.ts"
import { streamModule } from "../../../harness/stream-module.ts"
import { until } from "../../../harness/until.ts"
import { filter } from "./support/filters.ts"
import { startHost, traces } from "./support/host.ts"
import { record } from "./support/record.ts"
import { scripted } from "./support/scripted.ts"

const LEAN = "configure: callbacks upstream_select,upstream_info"
const TELL = "info: text told; attempt; ending; trace; say"
/** Nobody listens there. */
const REFUSED = "127.0.0.1:1"

type Scripted = Awaited<ReturnType<typeof scripted>>
let endpoints: Scripted[]

beforeAll(async () => {
  endpoints = await Promise.all(["a", "b", "c"].map((name) => scripted((socket) => socket.end(name))))
})
afterAll(async () => {
  for (const endpoint of endpoints) await endpoint[Symbol.asyncDispose]()
})

const port = (at: number) => endpoints[at]?.port ?? 0
const place = (at: number) => `127.0.0.1:${port(at)}`

interface Serving {
  /** Parameters of `wasm_upstream_select`. */
  readonly select?: string
  /** Directives beside those of the upstream. */
  readonly stream?: string
}

/** A server of sessions, on the second port, whose filter has this script; none: it has no filter. */
function serve(script: string | undefined, { select = "", stream = "" }: Serving = {}): Promise<Nginx> {
  return startHost(
    ({ dir, ports, socket }) => ({
      http: `server { listen unix:${socket}; location / { proxy_wasm rotate role=control; return 404; } }`,
      server: "",
      stream: `
log_format ended '$status $upstream_addr';
access_log ${dir}/stream.log ended;
map $remote_addr $backend { default list; }
upstream chosen { server ${place(2)}; wasm_upstream_select ${select}; }
${stream}
server {
  listen 127.0.0.1:${ports[1]};
  ${script === undefined ? "" : `proxy_wasm probe '${script}';`}
  proxy_pass chosen;
}`,
    }),
    { ports: 2 },
  )
}

/** What a client of a session gets, until it is closed. */
async function session({ site }: Nginx, text = "hello"): Promise<string> {
  const socket = connect({ port: site.ports[1] ?? 0, host: "127.0.0.1" })
  // What was sent and is not read ends a connection with a reset.
  socket.on("error", () => {})
  const chunks: Buffer[] = []
  socket.on("data", (chunk) => chunks.push(chunk)).write(text)
  await new Promise((resolve) => socket.once("close", resolve))
  return Buffer.concat(chunks).toString()
}

const log = ({ dir }: Nginx) => readFileSync(join(dir, "stream.log"), "utf8").trim().split("\n")
const logged = (nginx: Nginx, line: string) => until(`"${line}" in the log`, () => log(nginx).includes(line))

test("a filter chooses the endpoint, with a context or without", async () => {
  for (const [at, callbacks] of [LEAN, "configure: trace"].entries()) {
    await using nginx = await serve(`${callbacks} | select: upstream 127.0.0.1 ${port(at)} | delete: trace`)
    expect(await session(nginx)).toBe("ab"[at])
    await logged(nginx, `200 ${place(at)}`)
    expect(traces(nginx).filter((line) => line.startsWith("delete")).length).toBe(at)
  }
})

test("what a session's endpoint and client are can be read, and what only requests have cannot", async () => {
  const reads =
    "prop source.address; prop ngx.protocol; prop ngx.http_host; prop request.path; expand $remote_addr-$protocol; expand $request_uri; get 0 host; cookie a; setprop ngx.no_such x; setprop ngx.remote_addr x; setprop source.address x"
  await using nginx = await serve(`${LEAN} | select: upstream 127.0.0.1 ${port(0)}; ${reads}; say`)
  expect(await session(nginx)).toBe("a")
  expect(traces(nginx)).toEqual(["report 0 0:127.0.0.1 0:TCP 1 1 0:127.0.0.1-TCP 2 2 2 1 2 2"])
})

test("the key of the upstream is in the record", async () => {
  await using nginx = await serve(`${LEAN} | select: key; upstream 127.0.0.1 ${port(0)}; say`, {
    select: "key=$backend",
  })
  expect(await session(nginx)).toBe("a")
  expect(traces(nginx)).toEqual(["report list 0"])
})

describe("attempts", () => {
  test("a refused connection is tried elsewhere, and the filter hears how each ended", async () => {
    await using nginx = await serve(`${LEAN} | select: turn ${REFUSED} ${place(1)}; tag 7 | ${TELL}`)
    expect(await session(nginx)).toBe("b")
    await logged(nginx, `200 ${REFUSED}, ${place(1)}`)
    const told = traces(nginx)
    expect(told.filter((line) => line.startsWith("info")).map((line) => line.split(" ")[2])).toEqual([
      "1",
      "0",
    ])
    expect(told.join("\n")).toMatch(/told 0\[\] 1,0,/)
    expect(told.join("\n")).toMatch(/told 1\[7?\] 0,0,/)
  })

  test("there are no more than max_tries", async () => {
    await using nginx = await serve(`${LEAN} | select: turn ${REFUSED} ${REFUSED} ${place(1)}`, {
      select: "max_tries=2",
    })
    expect(await session(nginx)).toBe("")
    await logged(nginx, `502 ${REFUSED}, ${REFUSED}`)
  })

  test("what was sent is not sent again: an endpoint that closes ends the session", async () => {
    await using closing = await scripted((socket) => socket.destroy())
    await using nginx = await serve(`${LEAN} | select: turn 127.0.0.1:${closing.port} ${place(1)} | ${TELL}`)
    expect(await session(nginx)).toBe("")
    await until("the attempt to end", () => traces(nginx).some((line) => line.includes("told")))
    expect(traces(nginx).filter((line) => line.startsWith("info")).length).toBe(1)
    expect(traces(nginx).join("\n")).toMatch(/told 0\[\] 4,0,/)
  })

  test("an attempt that connected ends with its session", async () => {
    await using quiet = await scripted(() => {})
    await using nginx = await serve(`${LEAN} | select: upstream 127.0.0.1 ${quiet.port} | ${TELL}`)
    const socket = connect({ port: nginx.site.ports[1] ?? 0, host: "127.0.0.1" })
    socket.write("hello")
    await until("the endpoint to have it", () => quiet.received.length > 0)
    expect(traces(nginx)).toEqual([])
    socket.destroy()
    await until("the attempt to end", () => traces(nginx).some((line) => line.includes("told")))
  })
})

describe("a session is closed at once", () => {
  test.each(["text nothing", "respond 503"])("where the filter says `%s`", async (select) => {
    await using nginx = await serve(`${LEAN} | select: ${select}`)
    expect(await session(nginx)).toBe("")
    await logged(nginx, "502 no endpoint")
  })
})

test("while the filter cannot, the backend's record is gone round", async () => {
  await using nginx = await serve(`${LEAN} | select: trap`, { select: "fallback=backends/$backend" })
  expect((await nginx.control("POST", "/", record([port(0), port(1)]))).status).toBe(201)
  const served = new Set<string>()
  for (let i = 0; i < 6; i++) served.add(await session(nginx))
  expect([...served].sort()).toEqual(["a", "b"])
})

test("without a filter the upstream's own servers serve", async () => {
  await using nginx = await serve(undefined)
  expect(await session(nginx)).toBe("c")
})

describe("nginx -t refuses", () => {
  const own = "upstream u { server 127.0.0.1:1; wasm_upstream_select; }"
  const cases: [string, string, string][] = [
    ["a filter that is not there", "proxy_wasm other;", 'no "other" module defined'],
    [
      "connections that are kept",
      own.replace("select;", "select keepalive=4;"),
      'invalid parameter "keepalive=4"',
    ],
    ["a second method", own.replace("wasm", "random; wasm"), "must be the only one"],
    ["the directive twice", own.replace("; }", "; wasm_upstream_select; }"), "is duplicate"],
  ]
  test.each(cases)("%s", async (_, stream, message) => {
    const probe = await filter("probe")
    const { output } = await checkConf(({ modules }) => ({
      main: `
load_module ${modules}/ngx_http_wasm_module.so;
load_module ${streamModule};
wasm { module probe ${probe}; }
stream { ${stream} }`,
      http: "",
    }))
    expect(output).toContain(message)
  })
})
