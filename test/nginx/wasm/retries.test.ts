import { request } from "node:http"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Backend } from "../../../harness/backends.ts"
import type { Nginx } from "../../../harness/nginx.ts"
import { until } from "../../../harness/until.ts"
import { proxied, startHost, traces } from "./support/host.ts"
import { ok, scripted } from "./support/scripted.ts"

const LEAN = "configure: callbacks upstream_select,upstream_info"
const NEXT = `${LEAN},next_upstream`

let backends: Backend[]
beforeAll(async () => {
  backends = await Promise.all(["a", "b", "c"].map((name) => new Backend(name).start()))
})
afterAll(() => Promise.all(backends.map((backend) => backend.stop())))

const at = (i: number) => `127.0.0.1 ${backends[i]?.port}`

async function serve(server: string, http = "wasm_upstream_select keepalive=8;"): Promise<Nginx> {
  return startHost(() => ({
    http: `upstream chosen { server 127.0.0.1:${backends[2]?.port}; ${http} }`,
    server: `access_log access.log outcome; ${server}`,
  }))
}

const states = (nginx: Nginx) =>
  traces(nginx)
    .filter((line) => line.startsWith("info"))
    .map((line) => line.split(" ")[2])

describe("a retry", () => {
  test("asks the filter again, which sees the tags of all earlier attempts, the latest last", async () => {
    await backends[0]?.fault("refuse")
    const script = `${LEAN} | select: attempt; say; upstream ${at(0)}; tag 7`
    await using nginx = await serve(proxied("/", script), "wasm_upstream_select max_tries=20;")
    expect((await nginx.get("/")).status).toBe(502)
    await backends[0]?.fault(undefined)
    const records = traces(nginx).map((line) => /^report (?:0 7 )?(\d+)\[(.*)\]$/.exec(line))
    expect(records.map((match) => match?.[1])).toEqual(Array.from({ length: 20 }, (_, i) => String(i)))
    // The record has room for 16 tags.
    expect(records.map((match) => match?.[2]?.split(",").filter(Boolean).length)).toEqual(
      Array.from({ length: 20 }, (_, i) => Math.min(i, 16)),
    )
  })

  test.each([
    ["in memory", 100],
    ["from a file", 300_000],
  ])("sends the body again, %s", async (_, bytes) => {
    const body = "x".repeat(bytes)
    const bodies: string[] = []
    let text = ""
    // Takes the whole request and breaks off; answers the second time.
    await using once = await scripted((socket, part) => {
      text += part
      const [, received = ""] = text.split("\r\n\r\n")
      if (received.length < bytes) return
      bodies.push(received)
      text = ""
      if (bodies.length === 1) socket.destroy()
      else socket.end(ok("taken"))
    })
    const script = `${LEAN} | select: upstream 127.0.0.1 ${once.port} | info: trace`
    await using nginx = await serve(`client_body_buffer_size 8k; ${proxied("/", script)}`)
    expect((await nginx.get("/", { method: "PUT", body })).body).toBe("taken")
    expect(bodies.map((one) => one === body)).toEqual([true, true])
    expect(states(nginx)).toEqual(["1", "0"])
  })

  test("does not follow a POST that was sent", async () => {
    await using broken = await scripted((socket) => socket.destroy())
    const script = `${NEXT} | select: attempt; say; upstream 127.0.0.1 ${broken.port} | next: trace | info: trace`
    await using nginx = await serve(proxied("/", script))
    expect((await nginx.get("/", { method: "POST", body: "x" })).status).toBe(502)
    expect(states(nginx)).toEqual(["1"])
  })

  test("follows a POST that could not be sent: the port is closed", async () => {
    await backends[0]?.fault("refuse")
    const script = `${LEAN} | select: upstream ${at(0)} | info: trace`
    await using nginx = await serve(proxied("/", script))
    expect((await nginx.get("/", { method: "POST", body: "x" })).status).toBe(502)
    await backends[0]?.fault(undefined)
    expect(states(nginx)).toEqual(["1", "1", "1"])
  })

  test("ends with proxy_next_upstream_timeout", async () => {
    await backends[0]?.fault("hang")
    const script = `${LEAN} | select: settimeouts 0 0 1000; upstream ${at(0)} | info: trace`
    await using nginx = await serve(
      proxied("/", script, "proxy_next_upstream timeout; proxy_next_upstream_timeout 1500ms;"),
      "wasm_upstream_select max_tries=9;",
    )
    expect((await nginx.get("/")).status).toBe(504)
    await backends[0]?.fault(undefined)
    // A worker that has to wait for the processor may not come to the second.
    expect([["1"], ["1", "1"]]).toContainEqual(states(nginx))
  })

  test("is not made when proxy_next_upstream is off", async () => {
    await backends[0]?.fault("refuse")
    const script = `${LEAN} | select: upstream ${at(0)} | info: trace`
    await using nginx = await serve(proxied("/", script, "proxy_next_upstream off;"))
    expect((await nginx.get("/")).status).toBe(502)
    await backends[0]?.fault(undefined)
    expect(states(nginx)).toEqual(["1"])
  })

  test("has the location's timeouts again", async () => {
    await backends[0]?.fault("refuse")
    const script = `${LEAN} | select: timeouts; settimeouts 10 0 0; say; upstream ${at(0)}`
    await using nginx = await serve(proxied("/", script, "proxy_connect_timeout 5s;"))
    await nginx.get("/")
    await backends[0]?.fault(undefined)
    expect(traces(nginx).map((line) => line.split(" ").find((word) => word.startsWith("0:5000")))).toEqual(
      Array(3).fill("0:5000,60000,60000"),
    )
  })
})

describe("kept connections", () => {
  test("are used again for the same endpoint, and the filter hears of every attempt", async () => {
    await using counted = await scripted((socket) => socket.write(ok("kept")))
    const script = `${LEAN} | select: upstream 127.0.0.1 ${counted.port} | info: trace`
    await using nginx = await serve(proxied("/", script))
    for (let i = 0; i < 5; i++) expect((await nginx.get("/")).body).toBe("kept")
    expect(counted.sockets.size).toBe(1)
    expect(states(nginx)).toEqual(["0", "0", "0", "0", "0"])
  })

  test("that the upstream closed cost no try: the request is sent on a new one", async () => {
    // Answers the first request of a connection, and closes it at the second without an answer.
    const seen = new WeakSet<Socket>()
    await using stale = await scripted((socket) => {
      if (seen.has(socket)) return void socket.destroy()
      seen.add(socket)
      socket.write(ok("fresh"))
    })
    const script = `${LEAN} | select: attempt; upstream 127.0.0.1 ${stale.port}; text x; say | info: trace`
    await using nginx = await serve(proxied("/", script), "wasm_upstream_select max_tries=1 keepalive=8;")
    for (let i = 0; i < 3; i++) {
      const answer = await nginx.get("/")
      expect([i, answer.status, answer.body]).toEqual([i, 200, "fresh"])
    }
    expect(states(nginx)).toEqual(["0", "1", "0", "1", "0"])
  })

  test("are not shared by endpoints", async () => {
    const script = (i: number) => `${LEAN} | select: upstream ${at(i)}`
    await using nginx = await serve(proxied("/a", script(0)) + proxied("/b", script(1)))
    for (let i = 0; i < 4; i++) {
      expect((await nginx.get("/a")).body.trim()).toBe("a")
      expect((await nginx.get("/b")).body.trim()).toBe("b")
    }
  })

  test("with shortened timeouts are kept all the same", async () => {
    await using counted = await scripted((socket) => socket.write(ok("kept")))
    const script = `${LEAN} | select: settimeouts 100 100 100; upstream 127.0.0.1 ${counted.port}`
    await using nginx = await serve(proxied("/", script))
    for (let i = 0; i < 5; i++) await nginx.get("/")
    expect(counted.sockets.size).toBe(1)
  })
})

describe("a status that proxy_next_upstream lists", () => {
  test.each([403, 404, 429, 500, 502, 503, 504])("%i is told as failed, and shown before", async (status) => {
    await using failing = await scripted((socket) =>
      socket.write(`HTTP/1.1 ${status} No\r\nContent-Length: 4\r\n\r\nbody`),
    )
    const script = `${NEXT} | select: upstream 127.0.0.1 ${failing.port} | next: trace | info: trace`
    await using nginx = await serve(
      proxied("/", script, `proxy_next_upstream http_${status};`) +
        proxied(
          "/accept",
          script.replace("next: trace", "next: trace; accept"),
          `proxy_next_upstream http_${status};`,
        ) +
        proxied("/other", script, "proxy_next_upstream error;"),
      "wasm_upstream_select max_tries=2 keepalive=8;",
    )
    const steps = () => traces(nginx).map((line) => line.replace(/ \d+ /, " "))
    expect((await nginx.get("/")).status).toBe(status)
    expect(steps()).toEqual([`next ${status}`, "info 1", "info 1"])
    expect((await nginx.get("/accept")).body).toBe("body")
    expect(steps().slice(3)).toEqual([`next ${status}`, "info 0"])
    expect((await nginx.get("/other")).status).toBe(status)
    expect(steps().slice(5)).toEqual(["info 0"])
  })

  test("is judged once when the head comes in pieces", async () => {
    const head = "HTTP/1.1 500 No\r\nX-A: 1\r\nContent-Length: 4\r\n\r\nbody"
    await using slow = await scripted((socket) => {
      for (let i = 0; i < head.length; i += 7) {
        setTimeout(() => socket.write(head.slice(i, i + 7)), i * 3)
      }
    })
    const script = `${NEXT} | select: upstream 127.0.0.1 ${slow.port} | next: trace; accept | info: trace`
    await using nginx = await serve(proxied("/", script, "proxy_next_upstream http_500;"))
    const answer = await nginx.get("/")
    expect([answer.status, answer.body, answer.headers["x-a"]]).toEqual([500, "body", "1"])
    expect(traces(nginx).map((line) => line.replace(/ \d+ /, " "))).toEqual(["next 500", "info 0"])
  })

  test("is nginx's to retry when the filter fails while it judges", async () => {
    await backends[0]?.fault("error")
    const script = `${NEXT} | select: upstream ${at(0)} | next: trap`
    await using nginx = await serve(proxied("/", script, "proxy_next_upstream http_500;"))
    const answer = await nginx.get("/")
    await backends[0]?.fault(undefined)
    // The instance is gone, so the upstream's own method serves the retry.
    expect([answer.status, answer.body.trim()]).toEqual([200, "c"])
  })

  test("of a cached response is not shown", async () => {
    await backends[0]?.fault("error")
    const script = `${NEXT} | select: upstream ${at(0)} | next: trace; accept`
    await using nginx = await startHost(({ dir }) => ({
      http: `proxy_cache_path ${dir}/cache keys_zone=c:1m; upstream chosen { server 0.0.0.1; wasm_upstream_select; }`,
      server: proxied(
        "/",
        script,
        "proxy_cache c; proxy_cache_valid any 1m; proxy_next_upstream http_500; add_header x-cache $upstream_cache_status always;",
      ),
    }))
    const [first, second] = [await nginx.get("/"), await nginx.get("/")]
    await backends[0]?.fault(undefined)
    expect([first.status, first.headers["x-cache"]]).toEqual([500, "MISS"])
    expect([second.status, second.headers["x-cache"], second.body]).toEqual([500, "HIT", "a"])
    expect(traces(nginx)).toHaveLength(1)
  })
})

describe("other ways to an upstream", () => {
  test("an IPv6 endpoint, with and without brackets", async () => {
    const server = createServer((socket) => socket.once("data", () => socket.end(ok("six"))))
    await new Promise<void>((resolve) => server.listen(0, "::1", resolve))
    const port = (server.address() as AddressInfo).port
    const script = (address: string) =>
      `${LEAN} | select: upstream ${address} ${port} | info: prop upstream.address; say`
    await using nginx = await serve(proxied("/bare", script("::1")) + proxied("/brackets", script("[::1]")))
    expect((await nginx.get("/bare")).body).toBe("six")
    expect((await nginx.get("/brackets")).body).toBe("six")
    expect(traces(nginx).map((line) => line.split(" ").at(-1))).toEqual(Array(2).fill(`0:[::1]:${port}`))
    await new Promise((resolve) => server.close(resolve))
  })

  test("an upgraded connection goes where the filter chose", async () => {
    await using echo = await scripted((socket, text) => {
      if (text.startsWith("GET"))
        socket.write("HTTP/1.1 101 Switching\r\nUpgrade: echo\r\nConnection: upgrade\r\n\r\n")
      else socket.end(`echo ${text}`)
    })
    const script = `${LEAN} | select: upstream 127.0.0.1 ${echo.port} | info: trace`
    await using nginx = await serve(
      `location / { proxy_wasm probe '${script}'; proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade; proxy_pass http://chosen; }`,
    )
    expect(await upgraded(nginx.port)).toBe("echo hello")
    expect(states(nginx)).toEqual(["0"])
  })

  test("FastCGI: choosing, retrying and accepting", async () => {
    const script = (next: string) =>
      `${NEXT} | select: upstream 127.0.0.1 PORT | next: trace${next} | info: trace`
    await using fpm = await scripted((socket) => socket.end(fastcgi("Status: 500 No\r\n\r\nfrom fastcgi")))
    const pass = "fastcgi_next_upstream http_500; fastcgi_pass chosen;"
    const at = (next: string) => script(next).replace("PORT", String(fpm.port))
    await using nginx = await serve(
      `location /retry { proxy_wasm probe '${at("")}'; ${pass} } location /accept { proxy_wasm probe '${at("; accept")}'; ${pass} }`,
      "wasm_upstream_select max_tries=2;",
    )
    expect((await nginx.get("/retry")).status).toBe(500)
    const steps = () => traces(nginx).map((line) => line.replace(/ \d+ /, " "))
    expect(steps()).toEqual(["next 500", "info 1", "info 1"])
    const accepted = await nginx.get("/accept")
    expect([accepted.status, accepted.body]).toEqual([500, "from fastcgi"])
    expect(steps().slice(3)).toEqual(["next 500", "info 0"])
  })

  test("a subrequest chooses for itself", async () => {
    const script = (i: number) => `${LEAN} | select: upstream ${at(i)} | info: trace`
    await using nginx = await serve(
      `location / { auth_request /auth; proxy_wasm probe '${script(0)}'; proxy_pass http://chosen; }
       location /auth { proxy_wasm probe '${script(1)}'; proxy_pass http://chosen; }`,
    )
    expect((await nginx.get("/")).body.trim()).toBe("a")
    expect(states(nginx)).toEqual(["0", "0"])
    expect(backends[1]?.requests).toBeGreaterThan(0)
  })

  test("an upstream that proxy_pass names by a variable", async () => {
    await using nginx = await serve(
      `location / { proxy_wasm probe '${LEAN} | select: upstream ${at(1)}'; set $which chosen; proxy_pass http://$which; }`,
    )
    expect((await nginx.get("/")).body.trim()).toBe("b")
  })

  test("a client that leaves ends the attempt, and the filter hears of it", async () => {
    await backends[0]?.fault("hang")
    const script = `${LEAN} | select: upstream ${at(0)}; text asked; say | info: trace`
    await using nginx = await serve(proxied("/", script))
    const client = request({ port: nginx.port }).on("error", () => {})
    client.end()
    await until("the request to arrive", () => (backends[0]?.running ?? 0) > 0)
    client.destroy()
    await until("info", () => states(nginx).length === 1)
    await backends[0]?.fault(undefined)
  })
})

/** One FastCGI response (records of type STDOUT and END_REQUEST, request 1). */
function fastcgi(text: string): Buffer {
  const record = (type: number, content: Buffer) =>
    Buffer.concat([Buffer.from([1, type, 0, 1, content.length >> 8, content.length & 255, 0, 0]), content])
  return Buffer.concat([record(6, Buffer.from(text)), record(6, Buffer.alloc(0)), record(3, Buffer.alloc(8))])
}

/** Asks for an upgrade, says hello on the open connection and returns what comes back until it is closed. */
async function upgraded(port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const asked = request({ host: "127.0.0.1", port, headers: { connection: "upgrade", upgrade: "echo" } })
  asked.on("error", reject)
  asked.on("upgrade", (_, socket) => {
    let text = ""
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString()
    })
    socket.on("end", () => resolve(text))
    socket.write("hello")
  })
  asked.end()
  return promise
}
