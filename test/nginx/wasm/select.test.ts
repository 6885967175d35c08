import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Backend } from "../../../harness/backends.ts"
import type { Nginx, NginxOptions } from "../../../harness/nginx.ts"
import { until } from "../../../harness/until.ts"
import { proxied, startHost, traces } from "./support/host.ts"
import { scripted } from "./support/scripted.ts"

const LEAN = "configure: callbacks upstream_select,upstream_info"

let backends: Backend[]
let nginx: Nginx

beforeAll(async () => {
  backends = await Promise.all(["a", "b", "c"].map((name) => new Backend(name).start()))
})
afterAll(() => Promise.all(backends.map((backend) => backend.stop())))

const at = (i: number) => `127.0.0.1 ${backends[i]?.port}`
const named = (name: string) => backends.find((backend) => backend.name === name)

async function serve(server: string, select = "", options: NginxOptions = {}): Promise<Nginx> {
  nginx = await startHost(
    () => ({
      http: `upstream chosen { server 127.0.0.1:${backends[2]?.port}; wasm_upstream_select keepalive=8 ${select}; }`,
      server: `access_log access.log outcome; ${server}`,
    }),
    options,
  )
  return nginx
}

describe("a filter chooses the peer", () => {
  test("with a context or, lean, without", async () => {
    await using nginx = await serve(
      proxied("/lean", `${LEAN} | select: upstream ${at(0)}`) + proxied("/full", `select: upstream ${at(1)}`),
    )
    expect((await nginx.get("/lean")).body.trim()).toBe("a")
    expect((await nginx.get("/full")).body.trim()).toBe("b")
  })

  test("none chosen: the upstream's own method serves", async () => {
    await using nginx = await serve(proxied("/", `${LEAN} | select: text nothing`))
    expect((await nginx.get("/")).body.trim()).toBe("c")
    expect(nginx.errorLog()).toContain(
      'no upstream selected in "on_upstream_select", calling original get_peer',
    )
  })

  test("a location without filters is the upstream's own method's", async () => {
    await using nginx = await serve("location / { proxy_pass http://chosen; }")
    expect((await nginx.get("/")).body.trim()).toBe("c")
  })

  test("the first filter of a chain wins, a second choice is refused", async () => {
    const first = `${LEAN} | select: upstream ${at(0)}`
    const second = `${LEAN} | select: upstream ${at(1)}; say`
    await using nginx = await serve(
      `location / { proxy_wasm probe '${first}'; proxy_wasm probe '${second}'; proxy_pass http://chosen; }`,
    )
    expect((await nginx.get("/")).body.trim()).toBe("a")
    expect(traces(nginx)).toContain("report 0 2")
    expect(nginx.errorLog()).toContain("already set, overwriting not allowed")
  })

  test("a host name, a port out of range, foreign TLS and SNI are bad arguments", async () => {
    const select =
      "upstream example.com 80; upstream 127.0.0.1 65536; upstream 127.0.0.1 80 1; upstream 127.0.0.1 80 0 a.test; upstream 1.2.3 80"
    await using nginx = await serve(proxied("/", `${LEAN} | select: ${select}; upstream [127.0.0.1] 1; say`))
    expect((await nginx.get("/")).body.trim()).toBe("c")
    expect(traces(nginx)).toContain("report 2 2 2 2 2 2")
  })
})

describe("attempts", () => {
  test("number and earlier tags are in the record, outcomes are told with the tag", async () => {
    await named("a")?.fault("refuse")
    const script = `${LEAN} | select: attempt; say; upstream ${at(0)}; tag 41 | info: attempt; tag 0; trace; say`
    await using nginx = await serve(proxied("/", script), "max_tries=2")
    expect((await nginx.get("/")).status).toBe(502)
    await named("a")?.fault(undefined)
    const seen = traces(nginx)
    expect(seen.filter((line) => line.startsWith("report"))).toEqual([
      "report 0[]",
      "report 0 41 0[] 41",
      "report 1[41]",
      "report 0 41 1[41] 41",
    ])
    expect(seen.filter((line) => line.startsWith("info")).map((line) => line.split(" ")[2])).toEqual([
      "1",
      "1",
    ])
  })

  test("the upstream's key is in the record, unless there is none or it is too long", async () => {
    const script = `${LEAN} | select: key; say; upstream ${at(0)}`
    await using nginx = await serve(proxied("/", script), "key=$arg_k")
    for (const query of ["?k=shop-80", "", `?k=${"x".repeat(17)}`, "?k=b"]) await nginx.get(`/${query}`)
    expect(traces(nginx).map((line) => line.split(" ").at(-1))).toEqual(["shop-80", "none", "none", "b"])
    await using without = await serve(proxied("/", script))
    await without.get("/?k=shop-80")
    expect(traces(without)).toEqual(["report none"])
  })

  test("there are at most max_tries of them, and nginx's own limit holds too", async () => {
    await named("a")?.fault("refuse")
    const script = `${LEAN} | select: upstream ${at(0)}; text x; say`
    const count = async (select: string, more: string) => {
      await using nginx = await serve(proxied("/", script, more), select)
      expect((await nginx.get("/")).status).toBe(502)
      return traces(nginx).length
    }
    expect(await count("", "")).toBe(3)
    expect(await count("max_tries=5", "")).toBe(5)
    expect(await count("max_tries=5", "proxy_next_upstream_tries 2;")).toBe(2)
    await named("a")?.fault(undefined)
  })

  test("a good answer is told as 0", async () => {
    await using nginx = await serve(proxied("/", `${LEAN} | select: upstream ${at(0)} | info: trace`))
    await nginx.get("/")
    expect(traces(nginx).map((line) => line.split(" ")[2])).toEqual(["0"])
  })

  test("an answer that counts as failed is told as 1, even when it was the last try", async () => {
    await named("a")?.fault("error")
    const script = `${LEAN} | select: upstream ${at(0)} | info: trace`
    await using nginx = await serve(proxied("/", script, "proxy_next_upstream http_500;"), "max_tries=1")
    expect((await nginx.get("/")).status).toBe(500)
    await named("a")?.fault(undefined)
    expect(traces(nginx).map((line) => line.split(" ")[2])).toEqual(["1"])
  })

  test("properties tell address, status and times of the attempt that ended, and are absent before", async () => {
    const script = `${LEAN} | select: prop upstream.address; upstream ${at(0)} | info: prop upstream.address; prop upstream.status; prop upstream.header_time; say`
    await using nginx = await serve(proxied("/", script))
    await nginx.get("/")
    expect(traces(nginx)[0]).toMatch(new RegExp(`^report 1 0 0:127.0.0.1:${backends[0]?.port} 0:200 0:\\d+$`))
  })
})

describe("a variable that the filter sets in select", () => {
  test("is in force for the rest of the request, and in the access log", async () => {
    await using closing = await scripted((socket) => void socket.destroy())
    const name = "ngx.proxy_alternative_upstream_name"
    const script = `${LEAN} | select: attempt; prop ${name}; setprop ${name} @x-canary; say; turn 127.0.0.1:${closing.port} ${at(0).replace(" ", ":")} | info: prop ${name}; say`
    await using nginx = await startHost((site) => ({
      main: `load_module ${site.modules}/ngx_http_ingress_module.so;`,
      http: `upstream chosen { server 127.0.0.1:1; wasm_upstream_select; }
        log_format canary '[$proxy_alternative_upstream_name]';`,
      server: `access_log access.log canary; ${proxied("/", script, "add_header x-to $proxy_alternative_upstream_name;")}`,
    }))
    const answer = await nginx.get("/", { headers: { "x-canary": "shop-canary-80" } })
    expect(answer.headers["x-to"]).toBe("shop-canary-80")
    const set = "0:shop-canary-80"
    const reports = ["0[] 0: 0", `0 ${set}`, `1[4294967295] ${set} 0`, `0 ${set}`]
    expect(traces(nginx)).toEqual(reports.map((report) => `report ${report}`))
    await nginx.get("/", { headers: { "x-canary": "x".repeat(7900) } })
    await nginx.get("/", { headers: { "x-canary": "" } })
    const lines = () => readFileSync(join(nginx.dir, "access.log"), "utf8").split("\n")
    await expect.poll(lines).toEqual(["[shop-canary-80]", `[${"x".repeat(7900)}]`, "[]", ""])
  })
})

describe("a response that nginx would retry", () => {
  const NEXT = "configure: callbacks upstream_select,upstream_info,next_upstream"
  const retry = "proxy_next_upstream http_500;"

  test("is accepted by the filter: it reaches the client and counts as good", async () => {
    await named("a")?.fault("error")
    const script = `${NEXT} | select: upstream ${at(0)} | next: trace; accept | info: trace`
    await using nginx = await serve(proxied("/", script, retry))
    const answer = await nginx.get("/")
    await named("a")?.fault(undefined)
    expect([answer.status, answer.body.trim()]).toEqual([500, "a"])
    expect(traces(nginx).map((line) => line.replace(/ \d+ /, " "))).toEqual(["next 500", "info 0"])
  })

  test("is not accepted: nginx retries", async () => {
    await named("a")?.fault("error")
    const script = `${NEXT} | select: upstream ${at(0)} | next: trace | info: trace`
    await using nginx = await serve(proxied("/", script, retry))
    expect((await nginx.get("/")).status).toBe(500)
    await named("a")?.fault(undefined)
    expect(traces(nginx).map((line) => line.replace(/ \d+ /, " "))).toEqual([
      "next 500",
      "info 1",
      "next 500",
      "info 1",
      "info 1",
    ])
  })

  test("is not shown when nginx would not retry: a POST, a status out of the list", async () => {
    await named("a")?.fault("error")
    const script = `${NEXT} | select: upstream ${at(0)} | next: trace`
    await using nginx = await serve(
      proxied("/", script, retry) + proxied("/other", script, "proxy_next_upstream error;"),
    )
    await nginx.get("/", { method: "POST", body: "x" })
    await nginx.get("/other")
    await named("a")?.fault(undefined)
    expect(traces(nginx)).toEqual([])
  })
})

describe("timeouts", () => {
  test("can only become shorter, for one attempt", async () => {
    const script = `${LEAN} | select: timeouts; settimeouts 70000 50 0; timeouts; upstream ${at(0)} | info: timeouts; say`
    await using nginx = await serve(
      proxied("/", script, "proxy_connect_timeout 5s; proxy_send_timeout 6s; proxy_read_timeout 7s;"),
    )
    await nginx.get("/")
    await nginx.get("/")
    const shortened = "0:5000,6000,7000 0 0:5000,6000,7000 0 0:5000,50,7000"
    expect(traces(nginx)).toEqual([`report ${shortened}`, `report ${shortened}`])
  })

  test("are not shortened beyond 1024 different ones, and the log says so once", async () => {
    const each = Array.from({ length: 1027 }, (_, n) =>
      proxied(`/${n}`, `${LEAN} | select: settimeouts ${n + 1} 0 0; upstream ${at(0)} | info: timeouts; say`),
    )
    await using nginx = await serve(each.join("\n"))
    for (const n of each.keys()) expect((await nginx.get(`/${n}`)).status).toBe(200)
    const kept = traces(nginx).filter((line) => line.endsWith("60000,60000,60000"))
    expect(kept).toHaveLength(3)
    const lines = nginx.errorLog().split("\n")
    expect(lines.filter((line) => line.includes("more than 1024 different timeouts"))).toHaveLength(1)
  })

  test("take effect", async () => {
    await named("a")?.fault("hang")
    const script = `${LEAN} | select: settimeouts 0 0 100; upstream ${at(0)}`
    await using nginx = await serve(proxied("/", script), "max_tries=1")
    expect((await nginx.get("/")).status).toBe(504)
    await named("a")?.fault(undefined)
  })
})

describe("a local response from select", () => {
  test("reaches the client with its status, headers and body, and the connection stays", async () => {
    const script = `${LEAN} | select: text no+endpoints; respond 503 x-reason=none content-type=text/plain`
    await using nginx = await serve(
      `error_page 502 503 /error; location /error { return 200 page; } ${proxied("/", script, "add_header x-added yes always;")}`,
    )
    const answer = await nginx.get("/")
    expect([answer.status, answer.body]).toEqual([503, "no endpoints"])
    expect(answer.headers).toMatchObject({
      "x-reason": "none",
      "content-type": "text/plain",
      "content-length": "12",
      "x-added": "yes",
    })
    const again = await nginx.get("/", { method: "HEAD" })
    expect([again.status, again.body, again.headers["content-length"]]).toEqual([503, "", "12"])
  })

  test("without a body", async () => {
    await using nginx = await serve(proxied("/", `${LEAN} | select: respond 404`))
    const answer = await nginx.get("/", { method: "POST", body: "x".repeat(100_000) })
    expect([answer.status, answer.body, answer.headers["content-length"]]).toEqual([404, "", "0"])
  })

  describe("that is only an error", () => {
    const failing = (path: string, more: string) => proxied(path, `${LEAN} | select: respond 503`, more)
    const served = `location @page { return 200 "page of $uri"; } location /page { return 200 "page at $uri"; }`

    test("gets the location's page for it, under its status or that of the page", async () => {
      await using nginx = await serve(
        `${served} ${failing("/keeps", "error_page 404 /no; error_page 502 503 /page;")}
         ${failing("/takes", "error_page 503 = @page;")} ${failing("/sets", "error_page 503 =418 @page;")}
         ${failing("/moves", "error_page 503 http://other.test/;")}`,
      )
      const answers: unknown[] = []
      for (const path of ["/keeps", "/takes", "/sets", "/moves"]) {
        const { status, body, headers } = await nginx.get(path, { method: "POST", body: "x" })
        answers.push([status, headers.location ?? body])
      }
      expect(answers).toEqual([
        [503, "page at /page"],
        [200, "page of /takes"],
        [418, "page of /sets"],
        [302, "http://other.test/"],
      ])
      expect(nginx.errorLog()).not.toMatch(/\[(alert|crit|error)\]/)
    })

    test("gets a page that another endpoint makes, and no page twice", async () => {
      await using nginx = await serve(
        `location @proxied { proxy_wasm probe '${LEAN} | select: upstream ${at(0)}'; proxy_pass http://chosen; }
         location @fails { proxy_wasm probe '${LEAN} | select: respond 503'; error_page 503 = @proxied; proxy_pass http://chosen; }
         ${failing("/once", "error_page 503 = @proxied;")} ${failing("/twice", "error_page 503 = @fails;")}
         ${failing("/again", "recursive_error_pages on; error_page 503 = @fails;")}`,
      )
      const once = await nginx.get("/once")
      expect([once.status, once.body.trim()]).toEqual([200, "a"])
      expect((await nginx.get("/twice")).status).toBe(503)
      expect((await nginx.get("/again")).body.trim()).toBe("a")
    })

    test("leaves a connection that waits for its next request to the location's settings", async () => {
      // What nginx frees is filled with a byte, so that whoever reads it afterwards waits for years.
      await using nginx = await serve(
        failing("/", "error_page 503 https://other.test/; keepalive_timeout 200ms;"),
        undefined,
        { environment: { MALLOC_PERTURB_: "90" } },
      )
      const socket = connect(nginx.port, "127.0.0.1")
      socket.resume().write("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
      let isClosed = false
      socket.once("end", () => {
        isClosed = true
      })
      await until("the connection to end", () => isClosed)
      socket.destroy()
    })

    test("is as it is where the location has no page for it", async () => {
      await using nginx = await serve(`${served} ${failing("/", "error_page 502 404 = @page;")}`)
      const answer = await nginx.get("/")
      expect([answer.status, answer.body]).toEqual([503, ""])
    })
  })
})
