// A real API server asks wick about Ingresses: what is stored and what is not, whatever happens to certificates and to the way between them.
import { X509Certificate } from "node:crypto"
import { request } from "node:https"
import { connect } from "node:tls"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { pathOf } from "../../harness/cluster/client.ts"
import { startWickIn } from "../../harness/cluster/wick.ts"
import { hasCorpus, readCorpus } from "../../harness/corpus.ts"
import { ingress, ingressClass, type Json } from "../../harness/manifests.ts"
import { signal } from "../../harness/processes.ts"
import { until } from "../../harness/until.ts"
import type { Wick } from "../../harness/wick.ts"
import { attempt as apply, Webhook } from "./support/webhook.ts"

const label = "checked"
const denied = 'admission webhook "validate.nginx.ingress.kubernetes.io" denied the request: '

let server: ApiServer
let webhook: Webhook
let wick: Wick
let shop: string

beforeAll(async () => {
  server = await startApiServer()
  webhook = await Webhook.prepare(server)
  shop = await server.namespace("shop", { [label]: "yes" })
  await server.admin.apply(ingressClass)
  // From before anybody was asked: two Ingresses with the same path.
  await server.admin.apply(of("first", "old.test/ → web:80"), of("second", "old.test/ → web:80"))
  wick = await startWickIn(server, { flags: webhook.flags })
  await webhook.announce(label)
})
afterAll(async () => {
  await wick?.stop()
  webhook?.[Symbol.dispose]()
  await server?.stop()
})

function of(name: string, rules: string | readonly string[], annotations: Record<string, string> = {}): Json {
  return ingress(`${shop}/${name}`, rules, annotations)
}

const attempt = (object: Json, query: Record<string, string> = {}) => apply(server, object, query)

const stored = (name: string) => server.admin.get("Ingress", `${shop}/${name}`)

/** Caches of the API server know a configuration a moment after it was written. */
beforeAll(async () => {
  await until("the API server to ask", async () =>
    (await attempt(of("probe", "probe.test/[a] → web:80"), { dryRun: "All" })).includes(denied),
  )
})

describe("a new Ingress", () => {
  test("with nothing wrong is stored", async () => {
    expect(await attempt(of("good", "good.test/ → web:80"))).toBe("")
    expect(await stored("good")).toBeDefined()
  })

  test("that takes another one's path is refused in one sentence, with 400 and BadRequest", async () => {
    expect(await attempt(of("good", "good.test/ → web:80"))).toBe("")
    await until(
      "wick to know the first",
      async () => (await attempt(of("taker", "good.test/ → other:80"), { dryRun: "All" })) !== "",
    )
    const said = await attempt(of("taker", "good.test/ → other:80"))
    expect(said).toContain(
      `400 ${denied}spec.rules[0].http.paths[0].path: host "good.test" and path "/" is already defined in ingress ${shop}/good: write another host or path, or make this one a canary`,
    )
    expect(await stored("taker")).toBeUndefined()
  })

  test("that is refused on a dry run would be refused, and one that is let in is not stored", async () => {
    const bad = of("dry", "dry.test/ → web:80", { "proxy-body-size": "abc" })
    expect(await attempt(bad, { dryRun: "All" })).toContain(
      `${denied}metadata.annotations["nginx.ingress.kubernetes.io/proxy-body-size"]: Cannot use "abc"`,
    )
    expect(await attempt(of("dry", "dry.test/ → web:80"), { dryRun: "All" })).toBe("")
    expect(await stored("dry")).toBeUndefined()
  })

  test("of another class is somebody else's", async () => {
    const { spec, ...rest } = of("foreign", "good.test/ → web:80", { "proxy-body-size": "abc" })
    const classless = { ...rest, spec: { ...(spec as Json), ingressClassName: "other" } }
    expect(await attempt(classless)).toBe("")
  })

  test("in a namespace that nobody asks about is stored", async () => {
    const elsewhere = await server.namespace("unchecked")
    const object = ingress(`${elsewhere}/bad`, "good.test/ → web:80", { "proxy-body-size": "abc" })
    expect(await attempt(object)).toBe("")
    await server.admin.delete("Ingress", `${elsewhere}/bad`)
  })
})

describe("an update", () => {
  test("of a path that was somebody else's before anybody asked is let in, and so is its end", async () => {
    const name = `${shop}/second`
    await server.admin.patch("Ingress", name, {
      metadata: { labels: { team: "a" }, finalizers: ["test/hold"] },
    })
    await server.admin.delete("Ingress", name)
    await server.admin.patch("Ingress", name, { metadata: { finalizers: null } })
    await until("it to be gone", async () => (await stored("second")) === undefined)
  })

  test("that makes something wrong is refused, and what was there stays", async () => {
    const annotations = { "nginx.ingress.kubernetes.io/proxy-read-timeout": "5s" }
    const change = server.admin.patch("Ingress", `${shop}/first`, { metadata: { annotations } })
    await expect(change).rejects.toThrow("write whole seconds without a unit, as in 5")
    expect((await stored("first"))?.metadata.annotations ?? {}).toEqual({})
  })
})

test("warnings come with an Ingress that is let in", async () => {
  const path = `${pathOf("Ingress", `${shop}/`)}?dryRun=All`
  const object = of("warned", "warned.test/ → web:80", { "proxy-body-sise": "8m" })
  const { headers } = await raw(server.adminLogin, "POST", path, JSON.stringify(object))
  expect(headers.warning).toContain('did you mean \\"proxy-body-size\\"')
})

test("metrics count what was asked", async () => {
  await until(
    "a check to be counted",
    async () => (await wick.metric("nginx_ingress_controller_check_success")) > 0,
  )
  expect(await wick.metric("nginx_ingress_controller_check_errors")).toBeGreaterThan(0)
  expect(await wick.metric("nginx_ingress_controller_admission_tested_ingresses")).toBeGreaterThan(0)
})

test("certificates are renewed while Ingresses are applied, and none is refused for that", async () => {
  let isOver = false
  const failures: string[] = []
  let asked = 0
  const load = Promise.all(
    Array.from({ length: 4 }, async (_, lane) => {
      for (; !isOver; asked += 1) {
        const said = await attempt(of(`load-${lane}`, `load-${lane}.test/ → web:80`), { dryRun: "All" })
        if (said !== "") failures.push(said)
      }
    }),
  )
  const serial = await shownSerial()
  for (let round = 0; round < 3; round += 1) {
    await webhook.create(`renewed-${round}.test`)
    const before = await shownSerial()
    await webhook.mount()
    await until("the new certificate to be shown", async () => (await shownSerial()) !== before)
    await webhook.patch()
  }
  await until("many to have been asked", () => asked > 20)
  isOver = true
  await load
  expect(failures).toEqual([])
  expect(await shownSerial()).not.toBe(serial)
})

test("another replica answers as well, whoever leads", async () => {
  const other = await Webhook.prepare(server)
  await using second = await startWickIn(server, { pod: "wick/wick-1", flags: other.flags })
  await other.announce(label)
  await until("the second to be asked", async () => {
    await attempt(of("probe", "probe.test/ → web:80"), { dryRun: "All" })
    return second.log().includes("Ingress accepted")
  })
  await webhook.announce(label)
  other[Symbol.dispose]()
})

test.runIf(hasCorpus)("what people have published is let in, or refused with a reason", async () => {
  const reasons = new Map<string, number>()
  const others: string[] = []
  for (const { ingress: sample } of readCorpus()) {
    const { status: _, ...object } = sample as Json & { status?: unknown }
    const metadata = {
      namespace: shop,
      name: sample.metadata.name,
      annotations: sample.metadata.annotations,
    }
    const said = await attempt({ ...object, metadata }, { dryRun: "All" })
    const kind = kindOf(said)
    if (kind === "other") others.push(said)
    reasons.set(kind, (reasons.get(kind) ?? 0) + 1)
  }
  expect(others).toEqual([])
  // Most of the others have snippets, or words in the place of values.
  expect(reasons.get("let in")).toBeGreaterThan(400)
})

/** By what an Ingress was refused. */
function kindOf(said: string): string {
  if (said === "") return "let in"
  if (/: 422 /.test(said)) return "the API server's own"
  const [, text = ""] = said.split(denied)
  if (text === "") return "other"
  const first = text.split("\n")[0] ?? ""
  if (first.includes("cannot be used with pathType")) return "path types"
  if (first.includes("annotations-risk-level")) return "risk"
  if (first.includes("already defined")) return "taken"
  if (first.startsWith("metadata.annotations")) return "annotations"
  return first.startsWith("spec.") ? "spec" : "other"
}

test("a replica that ends answers until its grace period is over, and asks to be left", async () => {
  const own = await Webhook.prepare(server)
  const flags = [...own.flags, "--shutdown-grace-period=600"]
  const ending = await startWickIn(server, { pod: "wick/wick-2", flags })
  const ask = () => raw(loginOf(own), "POST", "/", "{}")
  expect((await ask()).status).toBe(400)
  signal(ending.pid, "SIGTERM")
  await until("it to send clients away", async () => (await ask()).headers.connection === "close")
  expect((await ask()).status).toBe(400)
  await ending.kill()
  await ending.stop()
  own[Symbol.dispose]()
})

test("when nobody answers, the failurePolicy decides", async () => {
  await wick.stop()
  expect(await attempt(of("late", "late.test/ → web:80"))).toContain("failed calling webhook")
  expect(await stored("late")).toBeUndefined()
  await webhook.patch("Ignore")
  await until(
    "the API server to ignore it",
    async () => (await attempt(of("late", "late.test/ → web:80"))) === "",
  )
  expect(await stored("late")).toBeDefined()
})

function loginOf({ port }: Webhook) {
  return { port, rejectUnauthorized: false }
}

/** Serial number of the certificate that is shown now. */
function shownSerial(): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect({ host: "127.0.0.1", port: webhook.port, rejectUnauthorized: false })
  socket.on("error", reject)
  socket.on("secureConnect", () => {
    resolve(new X509Certificate(socket.getPeerCertificate().raw).serialNumber)
    socket.destroy()
  })
  return promise
}

interface Raw {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** One request over a connection of its own. */
function raw(options: object, method: string, path: string, body: string): Promise<Raw> {
  const { promise, resolve, reject } = Promise.withResolvers<Raw>()
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
  const asking = request({ host: "127.0.0.1", ...options, method, path, headers, agent: false })
  asking.on("error", reject)
  asking.on("response", (response) => {
    response.resume()
    response.on("end", () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers as Raw["headers"] }),
    )
  })
  asking.end(body)
  return promise
}
