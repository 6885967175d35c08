// Snippets of Ingresses as clients see them, and what changes of them cost: nothing but a post.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { triesAll } from "../../support/runs.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one", "two"])
})
afterAll(() => site[Symbol.asyncDispose]())

const app = (
  says: Readonly<Record<string, string>>,
  rules: string | readonly string[] = "foo.test/ → app:80",
) => ingress("demo/app", rules, says)

const put = (...objects: readonly Json[]) =>
  site.put(...site.service("app", "one"), ...site.service("other", "two"), ...objects)

const statuses = async (...paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => (await site.get(path)).status))

describe("a configuration-snippet", () => {
  test("answers, refuses and sets headers", async () => {
    const text = 'more_set_headers "X-A: $request_method"; if ($arg_stop) { return 418; } deny 192.0.2.1;'
    await put(app({ "configuration-snippet": text }))
    expect(await statuses("/", "/?stop=1")).toEqual([200, 418])
    expect((await site.get("/")).headers["x-a"]).toBe("GET")
    await put(app({ "configuration-snippet": "deny all;" }))
    expect(await statuses("/")).toEqual([403])
  })

  test("says with which status the limits of annotations refuse", async () => {
    const limited = { "limit-rpm": "1", "limit-burst-multiplier": "1" }
    await put(app({ ...limited, "configuration-snippet": "limit_req_status 429;" }))
    expect([await statuses("/"), await statuses("/"), await statuses("/")].flat()).toEqual([200, 200, 429])
  })

  test("leads errors to named locations of its host", async () => {
    await put(
      app({
        "configuration-snippet":
          "error_page 418 = @page; error_page 419 @nowhere; if ($arg_nowhere) { return 419; } return 418;",
        "server-snippet": 'location @page { return 200 "$request_method $uri $args"; }',
      }),
    )
    expect((await site.get("/a?b=c")).body).toBe("GET /a b=c")
    expect(await statuses("/?nowhere=1", "/@page")).toEqual([500, 200])
  })

  test("that may guard and is not understood closes", async () => {
    await put(app({ "configuration-snippet": "access_by_lua_block { ngx.exit(403) }" }))
    expect(await statuses("/")).toEqual([503])
  })

  test("has location blocks in its path, and not beside it", async () => {
    const text = "location /in/x { return 418; } location ~ y$ { return 419; }"
    await put(app({ "configuration-snippet": text }, ["foo.test/in → app:80", "foo.test/out → app:80"]))
    expect(await statuses("/in", "/in/x", "/in/y", "/out", "/out/y")).toEqual([200, 418, 419, 200, 419])
  })
})

describe("a server-snippet", () => {
  test("answers before the paths, and has paths of its own", async () => {
    const text = [
      "if ($arg_gone) { return 410; }",
      "location ~* \\.php$ { deny all; }",
      "location = /text { default_type text/plain; return 200 hello; }",
      "location /to/ { proxy_pass http://other.demo.svc.cluster.local:80/; }",
    ].join("\n")
    await put(app({ "server-snippet": text }))
    // The first location block that leads to a Service takes a reload, and no other one does.
    await until("the block to be served", async () => (await site.get("/to/x")).body === "two")
    expect(await statuses("/", "/?gone=1", "/a.PHP", "/text", "/to/x")).toEqual([200, 410, 403, 200, 200])
    expect((await site.get("/text")).body).toBe("hello")
    expect([(await site.get("/")).body, (await site.get("/to/x")).body]).toEqual(["one", "two"])
  })

  test("of another namespace than the host's own has no effect there", async () => {
    await put(
      ingress("demo/app", "foo.test/ → app:80", {}, 1),
      ingress("evil/app", "foo.test/evil → app:80", { "server-snippet": "return 403;" }, 2),
    )
    expect(await statuses("/", "/evil")).toEqual([200, 503])
  })
})

const changes = triesAll ? 1000 : 50

test(`${changes} changes of snippets that are data are as many posts, and no reload`, async () => {
  await put(
    app({ "configuration-snippet": "return 200 0;", "server-snippet": "location = /s { return 200; }" }),
  )
  const reloads = await site.wick.metric("nginx_ingress_controller_success")
  for (let round = 1; round <= changes; round += 1) {
    const rest = round % 2 === 0 ? "add_header X-Even yes always;" : "set $odd yes;"
    await put(
      app({
        "configuration-snippet": `return 200 ${round}; ${rest}`,
        "server-snippet": `location = /s { return ${300 + (round % 90)}; } add_header X-Round ${round} always;`,
      }),
    )
    expect([(await site.get("/")).body, (await site.get("/s")).status]).toEqual([
      String(round),
      300 + (round % 90),
    ])
  }
  expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(reloads)
})
