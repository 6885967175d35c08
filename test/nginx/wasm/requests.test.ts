import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Backend } from "../../../harness/backends.ts"
import type { Nginx } from "../../../harness/nginx.ts"
import { until } from "../../../harness/until.ts"
import { location, startHost, traces } from "./support/host.ts"

let backend: Backend

beforeAll(async () => {
  backend = await new Backend("a").start()
})
afterAll(() => backend.stop())

const serve = (server: string, http = "") => startHost(() => ({ server, http }))
const proxy = () => `proxy_pass http://127.0.0.1:${backend.port};`

describe("order of calls", () => {
  test("a request with a body and an answer from upstream", async () => {
    const steps = ["create", "headers", "body", "response", "done", "log", "delete"]
    await using nginx = await serve(
      `location / { proxy_wasm probe '${steps.map((step) => `${step}: trace`).join(" | ")}'; ${proxy()} }`,
    )
    await nginx.get("/", { method: "POST", body: "hello" })
    await until("the request to be over", () => traces(nginx).length >= 7)
    const seen = traces(nginx).map((line) => line.split(" "))
    expect(seen.map(([step]) => step)).toEqual(steps)
    const context = seen[0]?.[1]
    expect(seen.every(([, id]) => id === context)).toBe(true)
    expect(seen[0]?.[2]).toBe("1") // the root
    expect(seen[1]?.[2]).toBe("0") // a body is to come
    expect(seen[2]?.[2]).toBe("5") // its length
  })

  test("filters of a chain run in the order of the directives, in every step", async () => {
    const script = (name: string) =>
      `headers: text ${name}; say | response: text ${name}; say | log: text ${name}; say`
    await using nginx = await serve(
      `location / { proxy_wasm probe '${script("first")}'; proxy_wasm probe '${script("second")}'; return 200; }`,
    )
    await nginx.get("/")
    await until("the request to be over", () => traces(nginx).length >= 6)
    expect(traces(nginx)).toEqual([1, 2, 3].flatMap(() => ["report first", "report second"]))
  })

  test("a level with a filter of its own replaces the inherited chain, others inherit it", async () => {
    await using nginx = await serve(
      `proxy_wasm probe 'headers: text outer; respond 200';
       location /inherits { return 404; }
       location /own { proxy_wasm probe 'headers: text own; respond 200'; return 404; }`,
    )
    expect((await nginx.get("/inherits")).body).toBe("outer")
    expect((await nginx.get("/own")).body).toBe("own")
  })

  test("a filter that answered ends the chain", async () => {
    await using nginx = await serve(
      `location / { proxy_wasm probe 'headers: text a; respond 200'; proxy_wasm probe 'headers: text b; respond 201'; return 404; }`,
    )
    expect((await nginx.get("/")).status).toBe(200)
  })

  test("callbacks that the filter did not ask for are not called", async () => {
    const script =
      "configure: callbacks response_headers | create: trace | headers: trace | response: trace | log: trace"
    await using nginx = await serve(`location / { proxy_wasm probe '${script}'; return 200; }`)
    await nginx.get("/")
    await nginx.get("/")
    expect(traces(nginx).map((line) => line.split(" ")[0])).toEqual(["response", "response"])
  })
})

describe("bodies", () => {
  const echo =
    "headers: pause | body: length 0; buffer 0 0 5; buffer 0 3 4; buffer 0 1000000000 1; respond 200"

  test.each([
    ["in memory", "hello world", 1],
    ["in a temporary file", "hello world".padEnd(300_000, "."), 1],
  ])("%s", async (_, body) => {
    await using nginx = await serve(`${location("/", echo)} client_body_buffer_size 8k;`)
    const answer = await nginx.get("/", { method: "POST", body })
    expect(answer.body).toBe(`${body.length} 0:hello 0:lo w 0:`)
  })

  test("in chunks", async () => {
    await using nginx = await serve(location("/", echo))
    const answer = await nginx.get("/", {
      method: "POST",
      body: "hello world",
      headers: { "transfer-encoding": "chunked" },
    })
    expect(answer.body).toBe("11 0:hello 0:lo w 0:")
  })

  test("larger than the limit: 413, and the filter does not see them", async () => {
    await using nginx = await serve(`${location("/", `${echo} | log: trace`)} client_max_body_size 1k;`)
    expect((await nginx.get("/", { method: "POST", body: "x".repeat(2000) })).status).toBe(413)
    const chunked = { method: "POST", body: "x".repeat(2000), headers: { "transfer-encoding": "chunked" } }
    expect((await nginx.get("/", chunked)).status).toBe(413)
  })

  test("CONTINUE shows the body before the content phase, and it is passed on", async () => {
    await using nginx = await serve(`location / { proxy_wasm probe 'body: buffer 0; say'; ${proxy()} }`)
    const answer = await nginx.get("/", { method: "POST", body: "hello" })
    expect(answer.body.trim()).toBe("a")
    expect(backend.lastHeaders["content-length"]).toBe("5")
    expect(traces(nginx)).toEqual(["report 0:hello"])
  })

  test("PAUSE without a body to come changes nothing", async () => {
    await using nginx = await serve(`location / { proxy_wasm probe 'headers: pause'; return 200 content; }`)
    expect((await nginx.get("/")).body).toBe("content")
  })

  test("a local response leaves the connection usable, read or not", async () => {
    await using nginx = await serve(
      location("/unread", "headers: respond 201") + location("/read", "headers: pause | body: respond 202"),
    )
    for (const [path, status] of [
      ["/unread", 201],
      ["/read", 202],
      ["/unread", 201],
    ] as const) {
      const answer = await nginx.get(path, { method: "POST", body: "x".repeat(100_000) })
      expect(answer.status).toBe(status)
    }
  })
})

describe("header maps", () => {
  async function passedOn(script: string, headers: Record<string, string>) {
    await using nginx = await serve(`location / { proxy_wasm probe 'headers: ${script}'; ${proxy()} }`)
    await nginx.get("/", { headers })
    return backend.lastHeaders
  }

  test("of the request: read by name and as a whole, with pseudo headers", async () => {
    const read =
      "get 0 x-One; get 0 none; get 0 :method; get 0 :path; get 0 :authority; get 0 :scheme; get 0 :status"
    await using nginx = await serve(
      location("/", `headers: ${read}; respond 200`) + location("/all", "headers: pairs 0; respond 200"),
    )
    const headers = { "X-ONE": "1", host: "a.test" }
    expect((await nginx.get("/?q=%20", { headers })).body).toBe("0:1 1 0:GET 0:/?q=%20 0:a.test 0:http 1")
    const all = (await nginx.get("/all", { headers })).body
    for (const pair of [
      ":method=GET",
      ":path=/all",
      ":authority=a.test",
      ":scheme=http",
      "X-ONE=1",
      "host=a.test",
    ]) {
      expect(all).toContain(`${pair},`)
    }
  })

  test("of the request: added, replaced and removed ones are what the upstream gets", async () => {
    const change =
      "add 0 x-new 1; replace 0 x-old two; replace 0 x-absent 3; remove 0 x-gone; remove 0 cookie; add 0 x-forwarded-for 1.2.3.4"
    const got = await passedOn(change, { "x-old": "one", "x-gone": "1", "x-kept": "k", cookie: "a=b" })
    expect(got).toMatchObject({
      "x-new": "1",
      "x-old": "two",
      "x-absent": "3",
      "x-kept": "k",
      "x-forwarded-for": "1.2.3.4",
    })
    expect(got).not.toHaveProperty("x-gone")
    expect(got).not.toHaveProperty("cookie")
  })

  test("of the request: removing many and adding many more keeps the list whole", async () => {
    const names = Array.from({ length: 60 }, (_, i) => `x-h${i}`)
    const script = [
      ...names.map((name) => `remove 0 ${name}`),
      ...names.map((name, i) => `add 0 ${name} again${i}`),
      ...names.filter((_, i) => i % 2 === 0).map((name) => `remove 0 ${name}`),
    ].join("; ")
    const got = await passedOn(script, Object.fromEntries(names.map((name) => [name, "first"])))
    expect(names.map((name) => got[name])).toEqual(
      names.map((_, i) => (i % 2 === 0 ? undefined : `again${i}`)),
    )
  })

  test("of the request: all at once", async () => {
    const got = await passedOn("setpairs 0 host=b.test x-only=1 :authority=c.test", {
      "x-old": "1",
      cookie: "c=d",
    })
    expect(got["x-only"]).toBe("1")
    expect(got["x-old"]).toBeUndefined()
    expect(got.cookie).toBeUndefined()
  })

  test("of the response", async () => {
    const script =
      "response: get 2 :status; get 2 content-type; remove 2 x-secret; replace 2 content-type text/css; add 2 x-new 1; replace 2 :status 203; say"
    await using nginx = await serve(
      `location / { proxy_wasm probe '${script}'; ${proxy()} } default_type text/plain;`,
    )
    const answer = await nginx.get("/")
    expect(answer.status).toBe(203)
    expect(answer.headers).toMatchObject({ "content-type": "text/css", "x-new": "1" })
    expect(traces(nginx)[0]).toMatch(/^report 0:200 /)
  })

  test("names and values that could split a message are refused", async () => {
    await using nginx = await serve(
      location("/", "headers: inject 0; add 0 x+y 1; add 0 : 1; respond 200") +
        location("/respond", "headers: respond 200 x+y=1; text refused; respond 200"),
    )
    expect((await nginx.get("/")).body).toBe("2 2 2")
    expect((await nginx.get("/respond")).body).toContain("refused")
  })

  test("cannot be changed in the wrong step", async () => {
    const script = "headers: add 2 x 1 | response: add 0 x 1; say"
    await using nginx = await serve(`location / { proxy_wasm probe '${script}'; return 200; }`)
    await nginx.get("/")
    expect(traces(nginx)).toEqual(["report 2 2"])
  })
})

describe("a local response", () => {
  test("instead of the upstream's, from response headers", async () => {
    const script = "response: text mine; respond 418 x-mine=1"
    await using nginx = await serve(`location / { proxy_wasm probe '${script}'; ${proxy()} }`)
    const answer = await nginx.get("/")
    expect([answer.status, answer.body, answer.headers["x-mine"]]).toEqual([418, "mine", "1"])
    expect((await nginx.get("/", { method: "HEAD" })).status).toBe(418)
  })

  test("passes the other filters of nginx", async () => {
    await using nginx = await serve(
      `location / { add_header x-added yes; gzip on; gzip_types text/plain; gzip_min_length 1; proxy_wasm probe 'headers: text ${"a".repeat(200)}; respond 200 content-type=text/plain'; return 404; }`,
    )
    const answer = await nginx.get("/", { headers: { "accept-encoding": "gzip" } })
    expect(answer.headers).toMatchObject({ "x-added": "yes", "content-encoding": "gzip" })
  })

  test("with a status that is none is refused", async () => {
    await using nginx = await serve(location("/", "headers: respond 99; respond 600; respond 200"))
    expect((await nginx.get("/")).body).toBe("2 2")
  })
})

describe("detours of nginx", () => {
  test("subrequests have contexts of their own", async () => {
    await using nginx = await serve(
      `location / { auth_request /auth; proxy_wasm probe 'headers: text main; say'; return 200; }
       location /auth { proxy_wasm probe 'headers: text sub; say; respond 204'; return 404; }
       location /outer { auth_request /auth; ${proxy()} }`,
    )
    expect((await nginx.get("/outer")).status).toBe(200)
    expect(traces(nginx)).toEqual(["report sub"])
  })

  test("an internal redirect ends the contexts of the location before", async () => {
    const script = "headers: trace | delete: trace"
    await using nginx = await serve(
      `location / { proxy_wasm probe '${script}'; error_page 404 = @other; return 404; }
       location @other { proxy_wasm probe '${script} '; return 200 other; }`,
    )
    expect((await nginx.get("/")).body).toBe("other")
    await until("both contexts to end", () => traces(nginx).length >= 4)
    const steps = traces(nginx).map((line) => line.split(" ")[0])
    expect(steps).toEqual(["headers", "headers", "delete", "delete"])
  })

  test("a rewrite that runs the phases again does not call a filter twice", async () => {
    await using nginx = await serve(
      `proxy_wasm probe 'headers: trace'; location /a { rewrite ^ /b last; } location /b { return 200; }`,
    )
    expect((await nginx.get("/a")).status).toBe(200)
    expect(traces(nginx)).toHaveLength(1)
  })
})

test("pipelined and kept connections see each request for itself", async () => {
  await using nginx: Nginx = await serve(location("/", "headers: prop request.path; respond 200"))
  const paths = Array.from({ length: 20 }, (_, i) => `/${i}`)
  const bodies = await Promise.all(paths.map(async (path) => (await nginx.get(path)).body))
  expect(bodies).toEqual(paths.map((path) => `0:${path}`))
})
