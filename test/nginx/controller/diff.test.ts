// `wick diff` between real ones: two of wick that differ in known ways, and nginx as somebody would configure it by hand in the place of ingress-nginx.
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { DiffReport, Group } from "../../../cli/diff/report/report.ts"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { hasCorpus, readCorpus, servicesOf } from "../../../harness/corpus.ts"
import {
  ingress,
  ingressClass,
  type Json,
  listOf,
  secret,
  serviceOn,
  settings,
  withTls,
} from "../../../harness/manifests.ts"
import { startNginx } from "../../../harness/nginx.ts"
import { type Identity, rootAuthority } from "../../../harness/pki.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { runSubCommand } from "../../support/sub-command.ts"

let backends: Backends
let certificates: readonly Identity[]
beforeAll(async () => {
  backends = await startBackends("quick", "slow")
  await backends[1]?.fault(2500)
  const authority = await rootAuthority()
  const names = ["*.shop.test", "shop.test"]
  certificates = await Promise.all([1, 2].map(() => authority.issue({ cn: "shop.test", names })))
})
afterAll(() => backends.stop())

/** What is another one on the new side. */
interface Version {
  readonly certificate: number
  readonly redirectCode: string
  readonly cors: Readonly<Record<string, string>>
  readonly lists: Readonly<Record<string, string>>
  readonly backend: number
}

const before: Version = { certificate: 0, redirectCode: "301", cors: {}, lists: {}, backend: 0 }

function objectsOf({ certificate, redirectCode, cors, lists, backend }: Version): Json[] {
  const [quick = 0, chosen = 0] = [backends[0]?.port, backends[backend]?.port]
  const tls = (object: Json) => withTls(object, "*.shop.test,shop.test=cert")
  return [
    ingressClass,
    secret("shop/cert", certificates[certificate]?.tlsData() ?? {}),
    ...serviceOn("shop/app", [quick]),
    ...serviceOn("shop/time", [chosen]),
    tls(
      ingress("shop/moved", "moved.shop.test/ → app:80", {
        "permanent-redirect": "https://new.test/",
        "permanent-redirect-code": redirectCode,
      }),
    ),
    tls(
      ingress("shop/api", "api.shop.test/v[0-9]+/(.*) ~→ app:80", {
        "enable-cors": "true",
        "rewrite-target": "/$1",
        ...cors,
      }),
    ),
    tls(ingress("shop/lists", "lists.shop.test/in → app:80", lists)),
    ingress("shop/time", "time.test/ =→ time:80"),
  ]
}

async function startSide(objects: readonly Json[], more: readonly string[] = []): Promise<Wick> {
  return startWick({
    manifests: { "all.json": listOf(objects) },
    flags: ["--default-ssl-certificate=shop/cert", "--resolv-conf=/dev/null", ...more],
  })
}

async function diff(old: string, now: string, ...args: readonly string[]) {
  const all = [old, now, ...args, "--json", "--insecure", "--rate=200"]
  const { failure, said, exitCode } = await runSubCommand("diff", ...all)
  expect(failure).toBeUndefined()
  return { ...(JSON.parse(said) as DiffReport), exitCode }
}

function urlsOf({ port, httpsPort }: Wick): string {
  return `http://127.0.0.1:${port},https://127.0.0.1:${httpsPort}`
}

function aspectsOf(groups: readonly Group[], ingressName: string): string[] {
  return groups
    .filter(
      ({ ingresses, difference }) => ingresses.includes(ingressName) && difference.aspect !== "certificate",
    )
    .map(({ difference: { aspect, was, now } }) => `${aspect}: ${was} → ${now}`)
    .sort()
}

describe("two of wick", () => {
  let old: Wick
  beforeAll(async () => {
    old = await startSide(objectsOf(before))
  })
  afterAll(() => old.stop())

  test("that serve the same answer alike", async () => {
    await using now = await startSide(objectsOf(before))
    const { summary, groups, exitCode } = await diff(urlsOf(old), urlsOf(now), old.manifestsDir)
    expect(groups).toEqual([])
    expect(summary).toMatchObject({ different: 0, unstable: 0, unanswered: 0, notAsked: 0 })
    expect(summary.same).toBe(summary.asked)
    expect(summary.asked).toBeGreaterThan(30)
    expect(exitCode).toBe(0)
  })

  test("that differ: each difference is found, at its Ingress and nowhere else", async () => {
    await using now = await startSide(
      objectsOf({
        certificate: 1,
        redirectCode: "308",
        cors: { "cors-max-age": "600" },
        lists: { "whitelist-source-range": "10.0.0.0/8", "limit-rps": "many" },
        backend: 1,
      }),
    )
    const args = [now.manifestsDir, `--runtime-dir=${now.runtimeDir}`]
    const { summary, groups, exitCode } = await diff(urlsOf(old), urlsOf(now), ...args)
    expect(aspectsOf(groups, "shop/moved")).toEqual(["status: 301 → 308"])
    expect(aspectsOf(groups, "shop/api")).toEqual(["header access-control-max-age: 1728000 → 600"])
    // How quick the quick one is depends on what else the machine does.
    expect(aspectsOf(groups, "shop/time").join("\n")).toMatch(/^time: .* → 1000 ms and more$/m)
    const handshakes = groups.filter(({ difference: { aspect } }) => aspect === "certificate")
    expect(handshakes).toMatchObject([{ hosts: summary.hosts, causes: [] }])
    const refused = groups.filter(({ isRefused }) => isRefused)
    expect(refused.every(({ ingresses }) => ingresses.join() === "shop/lists")).toBe(true)
    expect(refused.flatMap(({ causes }) => causes.map(({ rule }) => rule))).toContain("limit-refused")
    expect(refused[0]?.example.explanation).toMatch(/lists\.shop\.test\/\S* is .* by Ingress shop\/lists$/)
    expect(exitCode).toBe(3)
  })

  test("requests of a log find what differs as well", async () => {
    await using now = await startSide(objectsOf({ ...before, redirectCode: "302" }))
    now.write(
      "access.log",
      '127.0.0.1 - - [21/Nov/2026:19:16:56 +0000] "GET /old?a=1 HTTP/1.1" 301 162 "-" "curl" 92 0.0 [shop-app-80] [] - - - - 5f2b\n',
    )
    const log = `--access-log=${now.manifestsDir}/access.log`
    const { summary, groups } = await diff(urlsOf(old), urlsOf(now), log, "--host=moved.shop.test")
    expect(summary.asked).toBe(1)
    expect(groups.map(({ difference }) => difference)).toEqual([{ aspect: "status", was: "301", now: "302" }])
  })
})

test("nginx configured by hand, and wick", async () => {
  const [quick] = backends
  await using old = await startNginx(({ port }) => ({
    http: `
        map $http_x_request_id $id { default $http_x_request_id; "" $request_id; }
        server { listen 127.0.0.1:${port} default_server; return 404; }
        server {
          listen 127.0.0.1:${port};
          server_name a.test;
          location /old { return 308 https://new.test$request_uri; }
          location = /cart { proxy_set_header X-Request-ID $id; proxy_pass http://127.0.0.1:${quick?.port}; }
          location / { return 404; }
        }`,
  }))
  await using now = await startWick({
    manifests: {
      "all.json": listOf([
        ingressClass,
        ...serviceOn("a/app", [quick?.port ?? 0]),
        ingress("a/cart", "a.test/cart =→ app:80", {}, 1),
        ingress("a/old", "a.test/old → app:80", { "permanent-redirect": "https://new.test" }, 2),
      ]),
    },
  })
  const report = await diff(`http://127.0.0.1:${old.port}`, urlsOf(now), now.manifestsDir)
  expect(aspectsOf(report.groups, "a/cart")).not.toContain("status: 200 → 404")
  expect(
    report.groups
      .filter(({ difference: { aspect } }) => aspect === "status")
      .map(({ ingresses, difference }) => [ingresses, difference.was, difference.now]),
  ).toEqual(
    expect.arrayContaining([
      [["a/old"], "308", "301"],
      [["a/old"], "308", "404"],
    ]),
  )
  expect(report.leftOut).toContainEqual({
    why: expect.stringContaining("no address"),
    count: expect.any(Number),
  })
})

test.each([
  ["ingress-nginx's own format, which names no host", {}],
  [
    "JSON",
    {
      "log-format-escape-json": "true",
      "log-format-upstream":
        '{"vhost":"$host","method":"$request_method","request_uri":"$request_uri","scheme":"$scheme"}',
    },
  ],
])("the access log of a real one: %s", async (_, keys) => {
  const [quick] = backends
  const folder = mkdtempSync(join(tmpdir(), "wick-diff-log-"))
  chmodSync(folder, 0o777)
  const log = join(folder, "access.log")
  await using wick = await startWick({
    manifests: {
      "all.json": listOf([
        ingressClass,
        settings("demo/settings", { "access-log-path": log, ...keys }),
        ...serviceOn("a/app", [quick?.port ?? 0]),
        ingress("a/app", ["a.test/ → app:80", "b.test/only → app:80"]),
      ]),
    },
    flags: ["--configmap=demo/settings"],
  })
  await wick.get("/x?a=%20b", { host: "a.test" })
  await wick.get("/only/1", { host: "b.test" })
  await until("both lines", () => readFileSync(log, "utf8").split("\n").length > 2)
  // It goes on with what is asked of the same wick below.
  const copy = `${log}.1`
  copyFileSync(log, copy)
  const at = urlsOf(wick)
  const { summary, leftOut } = await diff(at, at, wick.manifestsDir, `--access-log=${copy}`)
  expect(leftOut.filter(({ why }) => why.includes("log"))).toEqual([])
  const without = await diff(at, at, wick.manifestsDir)
  expect(summary.asked).toBe(without.summary.asked + 2)
  const alone = await diff(at, at, `--access-log=${copy}`)
  expect(alone.summary.asked).toBe(Object.keys(keys).length > 0 ? 2 : 0)
  rmSync(folder, { recursive: true })
})

describe.skipIf(!hasCorpus)("598 published Ingresses", () => {
  test("are asked of one wick twice: nothing differs", async () => {
    const ingresses = hasCorpus ? readCorpus().map(({ ingress: it }) => it) : []
    const objects = [
      ingressClass,
      secret("shop/cert", certificates[0]?.tlsData() ?? {}),
      ...ingresses,
      ...servicesOf(ingresses, backends[0]?.port ?? 0),
    ]
    await using wick = await startSide(objects)
    const at = urlsOf(wick)
    const limits = ["--max-requests=800", "--concurrency=8", "--rate=2000"]
    const { summary, groups } = await diff(at, at, wick.manifestsDir, ...limits)
    const differences = groups.map(({ difference: { aspect, was, now }, example: { request } }) =>
      [aspect, was, now, request.scheme, request.host, request.target].join(" "),
    )
    expect(differences.join("\n")).toBe("")
    expect(summary.asked).toBeGreaterThan(800)
    expect(summary.same).toBeGreaterThan(summary.asked * 0.99)
  })
})
