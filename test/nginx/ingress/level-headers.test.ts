// Response headers of a level (docs/wire.md, LEVEL) beside nginx with the same directives as text.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { keptMs } from "../../../harness/http.ts"
import {
  addHeader,
  expires,
  hide,
  levelOf,
  moreClear,
  moreSet,
  pass,
  type Setting,
} from "../../../harness/ingress/levels.ts"
import { scriptOf } from "../../../harness/ingress/script-records.ts"
import { BesideText } from "./support/beside-text.ts"
import { rawRequest } from "./support/raw.ts"

/** Answers with what the query says: `?status=404&x-a=1&x-a=2`. */
const backend = createServer(
  { keepAliveTimeout: keptMs },
  (request: IncomingMessage, response: ServerResponse) => {
    const query = new URL(request.url ?? "/", "http://a").searchParams
    for (const name of new Set(query.keys()))
      if (name !== "status") response.setHeader(name, query.getAll(name))
    response.writeHead(Number(query.get("status") ?? 200))
    response.end("answer")
  },
)

/** Five hours ago, so that what is to be a day older is not yet too old. */
const changed = `last-modified=${new Date(Date.now() - 5 * 3_600_000).toUTCString()}`
const lifetimes = [
  "",
  changed,
  "status=404",
  "cache-control=private",
  "expires=1d 12h",
  "expires=modified",
  "expires=@3h",
  "expires=+5&status=302",
]

/** Name → directives, and queries of requests. */
const cases: Readonly<Record<string, readonly [readonly Setting[], readonly string[]]>> = {
  "add_header adds": [
    [addHeader("X-A", "1"), addHeader("X-B", "$host$request_uri")],
    ["", "x-a=own"],
  ],
  "add_header of several of one name": [[addHeader("X-A", "1"), addHeader("x-a", "2")], ["x-a=0&x-a=00"]],
  "add_header for ten statuses": [
    [addHeader("X-A", "1"), addHeader("X-Always", "2", "always")],
    [200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 404, 500, 503].map(
      (code) => `status=${code}`,
    ),
  ],
  "add_header of more than nginx keeps room for": [
    Array.from({ length: 45 }, (_, at) => addHeader(`X-${at}`, "1")),
    ["", "status=404"],
  ],
  "add_header without a value": [
    [addHeader("X-A", ""), addHeader("X-B", "$arg_b"), addHeader("X-C", "$http_none")],
    ["", "b=1", "x-a=own"],
  ],
  "add_header of what nginx keeps one of": [
    [addHeader("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT"), addHeader("ETag", '"new"')],
    ["", 'etag="old"&last-modified=Fri, 02 Jan 2026 00:00:00 GMT'],
  ],
  "add_header takes away": [
    [addHeader("Last-Modified", ""), addHeader("ETag", "")],
    ["", 'etag="old"&last-modified=Fri, 02 Jan 2026 00:00:00 GMT'],
  ],
  "add_header of Cache-Control": [
    [addHeader("Cache-Control", "no-store"), addHeader("Cache-Control", "private")],
    ["", "cache-control=public"],
  ],
  "add_header beside what nginx says itself": [
    [addHeader("Server", "shop"), addHeader("Content-Type", "text/x"), addHeader("Location", "/x")],
    ["", "content-type=text/html"],
  ],
  "add_header of what backend and client say": [
    [
      addHeader("X-Theirs", "$upstream_http_x_a"),
      addHeader("X-Status", "$upstream_status $status"),
      addHeader("X-Sent", "$sent_http_x_a"),
      addHeader("X-Arg", "$arg_status"),
    ],
    ["", "x-a=1", "x-a=1&status=302"],
  ],
  "more_set_headers replaces": [
    [moreSet("X-A", "new"), moreSet("Server", "shop"), moreSet("Date", "today")],
    ["", "x-a=1&x-a=2"],
  ],
  "more_set_headers by status and type": [
    [
      moreSet("X-A", "1", { statuses: [404, 500] }),
      moreSet("X-B", "1", { types: ["text/html", "text/css"] }),
      moreSet("X-C", "1", { statuses: [200], types: ["text/css"] }),
      moreSet("X-D", "1", { types: ["TEXT/CSS", "text"] }),
      moreSet("X-E", "1", { types: ["text/html;"] }),
      moreSet("X-F", "1", { types: ["text/htmlx"] }),
      moreSet("X-G", "1", { types: ["text/html;charset=utf-8"] }),
    ],
    [
      "",
      "status=404",
      "status=500&content-type=text/html",
      "content-type=text/css",
      "content-type=text/css; q=1",
      "content-type=text/html; charset=utf-8",
    ],
  ],
  "more_set_headers of the type": [
    [moreSet("Content-Type", "text/plain"), moreSet("X-Type", "$sent_http_content_type")],
    ["", "content-type=text/html", "content-type=text/html; charset=utf-8"],
  ],
  "more_set_headers of type and charset": [
    [moreSet("Content-Type", 'text/plain; charset="koi8-r"')],
    ["", "content-type=text/html; charset=utf-8"],
  ],
  "more_set_headers without a value": [[moreSet("X-A", ""), moreSet("X-B", "$http_none")], ["x-a=1&x-b=1"]],
  more_clear_headers: [
    [moreClear("X-A"), moreClear("Server"), moreClear("Date"), moreClear("content-type"), moreClear("ETag")],
    ["", 'x-a=1&x-a=2&content-type=text/html&etag="x"'],
  ],
  "more_clear_headers of a beginning": [
    [moreClear("X-*"), moreClear("set-c*")],
    ["x-a=1&x-b=1&y=1&set-cookie=a&set-cookie=b"],
  ],
  "more_clear_headers by status": [[moreClear("X-A", { statuses: [404] })], ["x-a=1", "x-a=1&status=404"]],
  "they come one behind the other, and before add_header": [
    [
      addHeader("X-A", "added"),
      moreSet("X-A", "first"),
      moreClear("X-A"),
      moreSet("X-A", "second"),
      moreSet("X-B", "$sent_http_x_a"),
      addHeader("X-C", "$sent_http_x_a"),
    ],
    ["", "x-a=own"],
  ],
  "a redirect's address": [
    [moreSet("Location", "/there")],
    ["status=302&location=http://elsewhere/", "status=302", "status=200"],
  ],
  "expires for ever": [
    [expires("max")],
    ["", "cache-control=private&cache-control=no-store&expires=0", "status=404"],
  ],
  "expires never": [[expires("epoch")], ["", "cache-control=private"]],
  "expires is off": [[expires("off")], ["", "cache-control=private"]],
  "expires by a variable": [
    [expires("$arg_expires")],
    ["", "expires=max", "expires=epoch", "expires=off", "expires=nonsense"],
  ],
  "expires and Cache-Control": [
    [expires("max"), addHeader("Cache-Control", "public")],
    ["", "cache-control=private"],
  ],
  "expires from now on": [[expires("1h", "+3600")], lifetimes],
  "expires in the past": [[expires("-1h", "-3600")], lifetimes],
  "expires at once": [[expires("0", "+0")], lifetimes],
  "expires from the last change on": [[expires("modified 1d", "modified +86400")], lifetimes],
  "expires before the last change": [[expires("modified -1d", "modified -86400")], lifetimes],
  "expires at a time of the day": [[expires("@23h59m", "@86340")], lifetimes],
  "expires as a variable says": [[expires("$arg_expires")], lifetimes],
  "hidden headers": [
    [hide("X-A"), hide("Set-Cookie")],
    ["x-a=1&x-b=1&set-cookie=a&x-pad=1&x-accel-charset=x"],
  ],
  "passed headers": [[pass("Server"), pass("X-Pad")], ["server=theirs&x-pad=1&x-a=1"]],
  "hidden and passed headers": [[hide("X-A"), pass("X-A"), hide("X-B")], ["x-a=1&x-b=1"]],
}

const location = "absolute_redirect off; proxy_pass http://backends;"

let beside: BesideText
beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve))
  const { port } = backend.address() as AddressInfo
  beside = await BesideText.start({
    http: `upstream backends { server 127.0.0.1:${port}; }`,
    cases: Object.values(cases).map(([settings]) => ({ location, settings })),
  })
})
afterAll(async () => {
  await beside[Symbol.asyncDispose]()
  backend.closeAllConnections()
  backend.close()
})

test.each(Object.keys(cases).map((name, at) => [name, at] as const))("%s", async (name, at) => {
  for (const query of cases[name]?.[1] ?? []) {
    const path = `/${query === "" ? "" : `?${encodeURI(query)}`}`
    const [ours, nginxs] = await beside.ask(at, path)
    expect(ours, path).toEqual(nginxs)
    expect(ours[0]).toMatch(/^HTTP\/1.1 [1-5]/)
  }
})

test("a value that would end its header's line is not set", async () => {
  const script = scriptOf(
    [],
    [levelOf([addHeader("X-A", "$uri"), moreSet("X-B", "$uri"), addHeader("X-C", "1")])],
  )
  await beside.ingress.route("ends.test", [{ location: "case-0", script }])
  const question = "GET /%0d%0aX-D:%201 HTTP/1.1\r\nHost: ends.test\r\nConnection: close\r\n\r\n"
  const head = (await rawRequest(beside.ingress.port, question)).split("\r\n\r\n")[0]
  expect(head).toMatch(/^HTTP\/1.1 200/)
  expect(head?.match(/^X-.*$/gm)).toEqual(["X-C: 1"])
})

test("what frames the message stays nginx's", async () => {
  const names = ["Content-Length", "Transfer-Encoding", "Connection"]
  const settings = names.flatMap((name) => [addHeader(name, "7"), moreSet(name, "7"), moreClear(name)])
  await beside.ingress.route("frames.test", [
    { location: "case-0", script: scriptOf([], [levelOf(settings)]) },
  ])
  const question = "GET / HTTP/1.1\r\nHost: frames.test\r\nConnection: close\r\n\r\n"
  const head = (await rawRequest(beside.ingress.port, question)).split("\r\n\r\n")[0]
  expect(head).not.toMatch(/: 7$/m)
  expect(head).toMatch(/^Connection: close$/m)
})
