// Every string of a user that could mean something to nginx's configuration or to a shell ends as data or as a Problem. Each
// one carries a marker, and nginx.conf has that in words of a few directives only, if at all.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Annotation, annotations } from "../../../controller/core/annotations/table.ts"
import { ownPrefix } from "../../../controller/core/options/conflicts.ts"
import { noObjects } from "../../../controller/core/options/key.ts"
import { keys } from "../../../controller/core/options/key-table.ts"
import { type Directive, parseNginxSyntax } from "../../../controller/core/snippets/syntax.ts"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import {
  ingress,
  ingressClass,
  type Json,
  listOf,
  manifest,
  service,
  serviceOn,
  settings,
  slice,
} from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { hostile } from "../../support/hostile.ts"

// With hyphens, as the random names of temporary directories, which stand in nginx.conf too, have none.
const marker = "z-q-x"

/** What comes after the marker. A lone surrogate is no UTF-8, so no file can hold it. */
const endings = hostile.filter((text) => text.isWellFormed())

let backends: Backends
beforeAll(async () => {
  backends = await startBackends("web")
})
afterAll(() => backends.stop())

/** Beside a host that is as it should be. */
function startBeside(objects: readonly Json[]): Promise<Wick> {
  const web = serviceOn(
    "hostile/web",
    backends.map(({ port }) => port),
  )
  return startWick({
    manifests: {
      "good.yaml": manifest(ingressClass, ...web, ingress("hostile/good", "good.test/ → web:80")),
      "hostile.json": listOf(objects),
    },
    flags: ["--configmap=hostile/settings", "--sync-rate-limit=100"],
  })
}

type Key = (typeof keys)[number]

const readConf = (wick: Wick) => readFileSync(join(wick.runtimeDir, "nginx.conf"), "utf8")

/** Directives that are told what a user wrote, as one word. */
const told = new Set(["fastcgi_index", "grpc_ssl_ciphers", "proxy_ssl_ciphers"])

/** Directives that hold the marker and should not. */
function marked(directives: readonly Directive[]): string[] {
  return directives.flatMap(({ name, words, block = [] }) => {
    const isMarked = [name, ...(told.has(name) ? [] : words)].some((word) => word.includes(marker))
    return [...(isMarked ? [`${name} ${words.join(" ")}`] : []), ...marked(block)]
  })
}

/** Annotations whose text goes on as it is, and what they need. */
const balancing = [
  ["upstream-hash-by", {}],
  ["session-cookie-name", { affinity: "cookie" }],
  ["session-cookie-path", { affinity: "cookie" }],
  ["session-cookie-domain", { affinity: "cookie" }],
  ["canary-by-header", { canary: "true" }],
  ["canary-by-header-pattern", { canary: "true", "canary-by-header": "X-Canary" }],
] as const satisfies readonly (readonly [string, Readonly<Record<string, string>>])[]

/** The string in each place where a user can put one. Names stay apart so that none hides another. */
function hostileObjects(ending: string, n: number): Json[] {
  const text = `${marker}${ending}`
  const good = (name: string) => ingress(`hostile/${name}-${n}`, `${name}-${n}.test/ → web:80`)
  const spec = (host: string, path: string, service: string) => ({
    ingressClassName: "nginx",
    rules: [
      {
        host,
        http: {
          paths: [
            { path, pathType: "Prefix", backend: { service: { name: service, port: { number: 80 } } } },
          ],
        },
      },
    ],
  })
  const meta = (name: string, annotations: object = {}) => ({ namespace: "hostile", name, annotations })
  const prefix = "nginx.ingress.kubernetes.io"
  const annotated = ({ name, isOwn, example, exampleWith }: Annotation) => {
    const key = isOwn ? `${ownPrefix}/${name}` : name
    const own = { ...exampleWith?.annotations, [key]: `${example}${text}` }
    return ingress(`hostile/all-${name}-${n}`, `all-${name}-${n}.test/ → web:80`, own)
  }
  // What balances and diverts goes on into the filter, and from there to nginx's own parsers and into headers. Each has a Service of
  // its own, as one Service has one set of settings.
  const balanced = ([key, needs]: (typeof balancing)[number]) => {
    const name = `${key}-${n}`
    const own = { ...needs, [key]: text }
    const host = `${name}.test/`
    const port = backends[0]?.port ?? 0
    return [
      ...serviceOn(`hostile/${name}`, [port]),
      ingress(`hostile/${name}`, `${host} → ${name}:80`, own),
      ...("canary" in needs ? [ingress(`hostile/main-${name}`, `${host} → web:80`)] : []),
    ]
  }
  return [
    { ...good("host"), spec: spec(`${text}.test`, "/", "web") },
    { ...good("path"), spec: spec(`path-${n}.test`, `/${text}`, "web") },
    { ...good("service"), spec: spec(`service-${n}.test`, "/", text) },
    { ...good("name"), metadata: meta(text), spec: spec(`name-${n}.test`, "/", "web") },
    { ...good("key"), metadata: meta(`key-${n}`, { [`${prefix}/${text}`]: "5" }) },
    { ...good("class"), spec: { ...spec(`class-${n}.test`, "/", "web"), ingressClassName: text } },
    service(`hostile/${text}`),
    slice(`hostile/${text}`, ["127.0.0.1"], 80),
    { ...slice(`hostile/odd-${n}`, [text], 80), ports: [{ name: text, port: 80, protocol: text }] },
    ...annotations.map(annotated),
    ...balancing.flatMap(balanced),
  ]
}

describe("strings that mean something to nginx", () => {
  let wick: Wick
  beforeAll(async () => {
    wick = await startBeside(endings.flatMap(hostileObjects))
  })
  afterAll(() => wick.stop())

  test("are not in nginx.conf", () => {
    expect(readConf(wick)).toContain("wasm_upstream_select")
    expect(marked(parseNginxSyntax(readConf(wick)))).toEqual([])
  })

  test("hurt no other Ingress", async () => {
    expect(await wick.get("/", { host: "good.test" })).toMatchObject({ status: 200, body: "web" })
  })

  test.each(balancing)("as %s keep no request from its Service, and end no header", async (key) => {
    for (const n of endings.keys()) {
      const { status, headers } = await wick.get("/", {
        host: `${key}-${n}.test`,
        headers: { "X-Canary": "x" },
      })
      expect([status, JSON.stringify(endings[n])]).toEqual([200, JSON.stringify(endings[n])])
      expect(headers["set-cookie"]?.join() ?? "").toMatch(/^[\x20-\x7e]*$/)
      expect(Object.keys(headers).join()).not.toContain(marker)
    }
  })

  test.each(
    endings.map((ending, n) => [JSON.stringify(ending).slice(0, 40), n] as const),
  )("%s in a path is served or refused with a Problem", async (_name, n) => {
    const path = `/${marker}${endings[n]}`
    const isServed = async () => {
      const encoded = encodeURIComponent(path).replaceAll("%2F", "/")
      // Longer than nginx takes a request line: such a path can be no route that anybody reaches.
      if (encoded.length > 8000) return false
      return (await wick.get(encoded, { host: `path-${n}.test` })).status === 200
    }
    const isRefused = () => new RegExp(`path-${n}\\b`).test(wick.log())
    await until("either", async () => (await isServed()) || isRefused())
  })

  test("still let changes through", async () => {
    wick.write("late.yaml", manifest(ingress("hostile/late", "late.test/ → web:80")))
    await until("late.test", async () => (await wick.get("/", { host: "late.test" })).status === 200)
    wick.write(
      "late.yaml",
      manifest(ingress("hostile/late", "late.test/ → web:80", { "proxy-http-version": "1.0" })),
    )
    await until(
      "a reload with all of them present",
      async () => (await wick.metric("nginx_ingress_controller_success")) >= 2,
    )
    expect(await wick.metric("nginx_ingress_controller_errors")).toBe(0)
    expect(marked(parseNginxSyntax(readConf(wick)))).toEqual([])
  })
})

// Each is another pass over everything there is: so that is little.
describe("strings that mean something to nginx, in the ConfigMap", () => {
  let wick: Wick
  beforeAll(async () => {
    wick = await startBeside([])
  })
  afterAll(() => wick.stop())

  const open = keys.filter(({ whenRefused }) => whenRefused === undefined)
  const protecting = keys.filter((key) => !open.includes(key))
  // Paths with lists of addresses are no paths of theirs.
  const closesAll = ({ name, whenRefused }: Key) =>
    name !== "proxy-real-ip-cidr" && whenRefused?.state.includes("get 503")
  const leavesOutAll = ({ name }: Key) => name === "admission-hosts"
  const write = (data: Readonly<Record<string, string>>) =>
    wick.write("settings.yaml", manifest(settings("hostile/settings", data)))
  // A pattern may have quotes: so the first text that this key refuses, or what only its objects can.
  const refused = ({ name, example, parse }: Key) => {
    const texts = endings.map((ending) => `${example}${marker}${ending}`)
    return { [name]: texts.find((text) => parse(text, noObjects).kind === "refused") ?? texts[0] ?? "" }
  }
  const goodBecomes = (status: number) =>
    until(
      `good.test to answer ${status}`,
      async () => (await wick.get("/", { host: "good.test" })).status === status,
    )

  test.each(
    protecting
      .filter((key) => !closesAll(key) && !leavesOutAll(key))
      .map((key) => [key.name, key, key.whenRefused?.state ?? ""] as const),
  )("in %s, which lets nothing in, keep no request from its Service", async (name, key, state) => {
    write(refused(key))
    await until("a Problem", () =>
      wick
        .log()
        .split("\n")
        .some((line) => line.includes(name) && line.includes(state)),
    )
    expect(await wick.get("/", { host: "good.test" })).toMatchObject({ status: 200, body: "web" })
    parseNginxSyntax(readConf(wick))
  })

  // What such a key is for is there, and lets requests through: whoever is kept out then is so for the key's own text.
  const needed = ({ name, exampleWith }: Key) => {
    const beside = Object.entries(exampleWith?.keys ?? {}).filter(([key]) => key !== name)
    const letsAllIn = `http://127.0.0.1:${backends[0]?.port}/`
    return Object.fromEntries(
      beside.map(([key, value]) => [key, key === "global-auth-url" ? letsAllIn : value]),
    )
  }

  test.each(
    protecting.filter(closesAll).map((key) => [key.name, key] as const),
  )("in %s, which says who is kept out, keep everybody out", async (_name, key) => {
    const others = needed(key)
    write(others)
    await goodBecomes(200)
    write({ ...others, ...refused(key) })
    await goodBecomes(503)
    parseNginxSyntax(readConf(wick))
  })

  // Unreadable text may keep requests out, so that as long as it is there nobody may be let in.
  const isSnippet = ({ name }: Key) => name.endsWith("-snippet")

  test.each(
    open.filter(isSnippet).map((key) => [key.name, key] as const),
  )("in %s leave a configuration that nginx takes, and nothing when they are gone", async (name, key) => {
    write(refused(key))
    await until("a Problem", () =>
      wick
        .log()
        .split("\n")
        .some((line) => line.includes(`"kind":"ConfigMap"`) && line.includes(name)),
    )
    expect(marked(parseNginxSyntax(readConf(wick)))).toEqual([])
    write({})
    await goodBecomes(200)
  })

  test("in admission-hosts, which says who may have a host, leave all hosts out", async () => {
    write({ "admission-hosts": `shop: shop.test${marker}${endings[0]}` })
    await goodBecomes(404)
    parseNginxSyntax(readConf(wick))
  })

  test.each([
    0, 1, 2, 3,
  ])("in all other keys of the ConfigMap let changes through as well (%i)", async (round) => {
    // Annotations that Ingresses must have are taken as they are written, and none has one of that name.
    const others = open.filter((key) => key.name !== "admission-required-annotations" && !isSnippet(key))
    const data = others.map(({ name, example }, n) => {
      const ending = endings[(n * 7 + round * 13) % endings.length] ?? ""
      return [name, `${example}${marker}${ending}`] as const
    })
    const host = `round-${round}.test`
    wick.write(
      "settings.yaml",
      manifest(
        settings("hostile/settings", Object.fromEntries(data)),
        ingress("hostile/round", `${host}/ → web:80`),
      ),
    )
    await until(host, async () => (await wick.get("/", { host })).status === 200)
    expect(await wick.get("/", { host: "good.test" })).toMatchObject({ status: 200, body: "web" })
    parseNginxSyntax(readConf(wick))
  })
})
