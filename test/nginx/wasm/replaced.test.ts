import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createServer, type RequestListener, type Server } from "node:http"
import { connect as connectHttp2 } from "node:http2"
import type { AddressInfo } from "node:net"
import { connect } from "node:net"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { keptMs } from "../../../harness/http.ts"
import { counters, startHost } from "./support/host.ts"

/** Answers in every way that a replaced response must not shine through. */
const answers: Readonly<Record<string, RequestListener>> = {
  "/compressed": (_, response) => {
    response.writeHead(200, {
      "content-encoding": "gzip",
      "content-type": "text/html",
      etag: '"e"',
      "last-modified": "Wed, 01 Jan 2020 00:00:00 GMT",
      "accept-ranges": "bytes",
      "set-cookie": ["a=1", "b=2"],
      "cache-control": "max-age=60",
    })
    response.end(gzipSync("theirs".repeat(1000)))
  },
  "/chunked": (_, response) => {
    response.write("theirs")
    response.end("theirs".repeat(100_000))
  },
  "/large": (_, response) => response.end("x".repeat(5_000_000)),
  "/empty": (_, response) => response.writeHead(204).end(),
  "/unchanged": (_, response) => response.writeHead(304, { etag: '"e"' }).end(),
  "/trickle": (_, response) => {
    response.write("one")
    setTimeout(() => response.write("two"), 30)
    setTimeout(() => response.end("three"), 60)
  },
  "/error": (_, response) => response.writeHead(500).end("theirs"),
}

let upstream: Server
beforeAll(async () => {
  upstream = createServer({ keepAliveTimeout: keptMs }, (request, response) =>
    (answers[request.url ?? ""] ?? ((_, other) => void other.writeHead(404).end()))(request, response),
  )
  upstream.listen(0, "127.0.0.1")
  await once(upstream, "listening")
})
afterAll(() => {
  upstream.closeAllConnections()
  upstream.close()
})

const MINE = "response: text mine; respond 403 x-mine=1 content-type=text/plain"

const proxied = (more = "") =>
  `location / { proxy_wasm probe '${MINE}'; ${more} proxy_pass http://127.0.0.1:${(upstream.address() as AddressInfo).port}; }`

const serve = () =>
  startHost(({ dir }) => ({
    server: `${proxied()}
      location /file { proxy_wasm probe '${MINE}'; root ${dir}; }
      location /moved { proxy_wasm probe '${MINE}'; return 301 /elsewhere; }`,
  }))

describe("a filter's answer to a response", () => {
  test.each(Object.keys(answers))("takes the place of %s as a whole", async (path) => {
    await using nginx = await serve()
    const answer = await nginx.get(path)
    expect([answer.status, answer.body]).toEqual([403, "mine"])
    expect(answer.headers).toMatchObject({
      "x-mine": "1",
      "content-type": "text/plain",
      "content-length": "4",
    })
    const theirs = [
      "content-encoding",
      "etag",
      "last-modified",
      "accept-ranges",
      "set-cookie",
      "cache-control",
    ]
    for (const name of [...theirs, "transfer-encoding"]) expect(answer.headers).not.toHaveProperty(name)
    expect((await counters(nginx)).faults).toBe(0)
    expect(nginx.errorLog()).not.toMatch(/\[(alert|crit|emerg)\]/)
  })

  test.each([
    ["unbuffered", "proxy_buffering off;"],
    [
      "from the cache",
      "proxy_cache c; proxy_cache_valid any 1m; proxy_ignore_headers Cache-Control Set-Cookie;",
    ],
    ["compressed again", "gzip on; gzip_min_length 1; gzip_types *;"],
    ["to be intercepted", "proxy_intercept_errors on; error_page 403 /never;"],
  ])("takes the place of one that is %s", async (_, more) => {
    await using nginx = await startHost(({ dir }) => ({
      http: `proxy_cache_path ${dir}/cache keys_zone=c:1m;`,
      server: proxied(more),
    }))
    for (const path of ["/large", "/large", "/trickle", "/chunked"]) {
      const answer = await nginx.get(path)
      expect([path, answer.status, answer.body]).toEqual([path, 403, "mine"])
    }
  })

  test("takes the place of files, ranges of them, and redirects", async () => {
    await using nginx = await serve()
    writeFileSync(join(nginx.dir, "file"), "theirs".repeat(1000))
    for (const headers of [
      {},
      { range: "bytes=1-2" },
      { "if-none-match": "*" },
      { "if-modified-since": "Fri, 01 Jan 2100 00:00:00 GMT" },
    ]) {
      const answer = await nginx.get("/file", { headers })
      expect([headers, answer.status, answer.body]).toEqual([headers, 403, "mine"])
      expect(answer.headers).not.toHaveProperty("content-range")
    }
    const moved = await nginx.get("/moved")
    expect([moved.status, moved.body, moved.headers.location]).toEqual([403, "mine", undefined])
  })

  test("keeps HEAD without a body, and the connection in step", async () => {
    await using nginx = await serve()
    const text = await exchange(
      nginx.port,
      "HEAD /large HTTP/1.1\r\nHost: a\r\n\r\nGET /chunked HTTP/1.1\r\nHost: a\r\n\r\nGET /trickle HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    )
    const parts = text.split("HTTP/1.1 403 Forbidden\r\n").slice(1)
    expect(parts.map((part) => part.split("\r\n\r\n")[1])).toEqual(["", "mine", "mine"])
  })

  test("reaches HTTP/1.0 and HTTP/2 clients", async () => {
    await using nginx = await startHost(
      ({ ports }) => ({
        server: proxied(),
        http: `server { listen 127.0.0.1:${ports[1]} http2; ${proxied()} }`,
      }),
      { ports: 2 },
    )
    expect(await exchange(nginx.port, "GET /chunked HTTP/1.0\r\n\r\n")).toMatch(/\r\n\r\nmine$/)
    const session = connectHttp2(`http://127.0.0.1:${nginx.site.ports[1]}`)
    for (const path of ["/large", "/compressed", "/empty"]) {
      const stream = session.request({ ":path": path })
      const [headers] = await once(stream, "response")
      stream.setEncoding("utf8")
      let body = ""
      for await (const part of stream) body += part
      expect([headers[":status"], headers["content-encoding"], body]).toEqual([403, undefined, "mine"])
    }
    session.close()
  })
})

/** Everything that comes back on one connection for this text, until the server closes it. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1")
  socket.write(text)
  let back = ""
  for await (const part of socket) back += part
  return back
}
