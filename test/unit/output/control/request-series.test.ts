import { expect, test } from "vitest"
import { RequestSeries } from "../../../../controller/output/control/request-series.ts"
import { SharedMap } from "../../../../controller/support/incremental/shared-map.ts"

const line = (ingress: string) =>
  `nginx_ingress_controller_requests{path="/",namespace="demo",ingress="${ingress}"} 1\n`

/** A control server with these pages; `removed` is what was deleted. */
function fake(...pages: readonly string[]) {
  const removed: string[] = []
  const state = { isAway: false }
  const client = {
    page: async (path: string) => {
      const [, from = "0"] = path.split("?")
      const next = Number(from) + 1
      return {
        status: 200,
        chunks: [Buffer.from(pages[Number(from)] ?? "")],
        ...(next < pages.length && { next: String(next) }),
      }
    },
    deleteAnew: async (path: string) => {
      if (state.isAway) throw new Error("away")
      removed.push(path)
      return { status: 200, body: "removed" }
    },
  }
  return { client, removed, state }
}

const named = (...names: readonly string[]) =>
  names.map((name) => ({ kind: "Ingress", meta: { namespace: "demo", name } }))

const httpRoute = (name: string) => ({ kind: "HTTPRoute", meta: { namespace: "demo", name } })

test("pages follow each other until there is no next one", async () => {
  const series = new RequestSeries(fake("a", "b", "c").client)
  const pages: string[] = []
  for await (const page of series.pages("text")) pages.push(page.toString())
  expect(pages).toEqual(["a", "b", "c"])
})

test("pages of protobuf are asked for as such", async () => {
  const asked: string[] = []
  const page = async (path: string) => {
    asked.push(path)
    return { status: 200, chunks: [Buffer.from("a")], ...(asked.length < 2 && { next: "7" }) }
  }
  const series = new RequestSeries({ ...fake("").client, page })
  for await (const one of series.pages("protobuf")) expect(one.toString()).toBe("a")
  expect(asked).toEqual(["/metrics?protobuf", "/metrics?protobuf&7"])
})

test("a page that was under way while nginx changed hands is asked once more, no oftener", async () => {
  const { client } = fake("a", "b")
  let failures = 0
  const page = async (path: string) => {
    if (path.includes("?") && failures++ % 2 === 0) throw new Error("socket hang up")
    return client.page(path)
  }
  const read = async (from: { page: typeof page }) => {
    const pages: string[] = []
    for await (const one of new RequestSeries({ ...client, ...from }).pages("text"))
      pages.push(one.toString())
    return pages
  }
  expect(await read({ page })).toEqual(["a", "b"])
  const away = async (path: string) => (path.includes("?") ? Promise.reject(new Error("away")) : page(path))
  await expect(read({ page: away })).rejects.toThrow("away")
})

test("an nginx without metrics has no pages", async () => {
  const client = { ...fake("a").client, page: async () => ({ status: 404, chunks: [Buffer.from("no")] }) }
  for await (const page of new RequestSeries(client).pages("text")) expect.fail(page.toString())
})

test("what is gone is removed, once, also what an nginx brings along that was found running", async () => {
  const { client, removed } = fake(line("old") + line("_folded").replace("demo", "_folded"), line("stays"))
  const series = new RequestSeries(client)
  await series.keep(named("stays", "goes"))
  expect(removed).toEqual(["/metrics?demo/old"])
  const later = named("stays")
  await series.keep(later)
  await series.keep(later)
  expect(removed).toEqual(["/metrics?demo/old", "/metrics?demo/goes"])
})

test("a route of the Gateway API keeps its series as long as it is there, whatever an Ingress of its name does", async () => {
  const { client, removed } = fake(line("web") + line("httproute/web"))
  const series = new RequestSeries(client)
  await series.keep([], new Map([["demo/web", httpRoute("web")]]))
  expect(removed).toEqual(["/metrics?demo/web"])
  await series.keep(named("web"), new Map())
  expect(removed).toEqual(["/metrics?demo/web", "/metrics?demo/httproute/web"])
})

test("a route that goes among many looks is removed, however long nobody has looked", async () => {
  const { client, removed } = fake("")
  const series = new RequestSeries(client)
  const routes = new SharedMap<ReturnType<typeof httpRoute>>()
  for (const name of ["a", "b", "c"]) routes.put(`demo/${name}`, httpRoute(name))
  await series.keep([], routes.view())
  routes.put("demo/a", undefined)
  await series.keep([], routes.view())
  expect(removed).toEqual(["/metrics?demo/httproute/a"])
  routes.put("demo/b", undefined)
  for (let views = 0; views < 50; views += 1) {
    routes.put("demo/c", httpRoute("c"))
    routes.view()
  }
  await series.keep([], routes.view())
  expect(removed).toEqual(["/metrics?demo/httproute/a", "/metrics?demo/httproute/b"])
})

test("while nginx is away nothing is forgotten", async () => {
  const { client, removed, state } = fake("")
  const series = new RequestSeries(client)
  await series.keep(named("a", "b"))
  state.isAway = true
  const later = named("a")
  await series.keep(later)
  state.isAway = false
  await series.keep(later)
  expect(removed).toEqual(["/metrics?demo/b"])
})
