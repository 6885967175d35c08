// A tenant who fills its share of the zones changes nothing for another, and what protects its own paths stays closed: on a real nginx.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import {
  ingress,
  ingressClass,
  type Json,
  manifest,
  secret,
  serviceOn,
  settings,
} from "../../../harness/manifests.ts"
import { basic, hashes, password } from "../../../harness/passwords.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

let backends: Backends
let wick: Wick

const port = (name: string) => backends.find((backend) => backend.name === name)?.port ?? 0
const write = (file: string, objects: readonly Json[]) =>
  wick.write(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }))
const get = async (host: string, headers: Readonly<Record<string, string>> = {}) =>
  wick.get("/", { host, headers })

/** More than half of a mebibyte of networks among which no client of ours is. */
const listed = (name: string, networks: number): Json => {
  const list = Array.from({ length: networks }, (_, n) => `2001:${name}:${(2 * n).toString(16)}::/48`).join()
  return ingress(`greedy/${name}`, `list-${name}.test/ → app:80`, { "whitelist-source-range": list })
}
const names = ["a", "b", "c"]
const aliases = ingress("greedy/many", "many.test/ → app:80", {
  "server-alias": Array.from({ length: 12_000 }, (_, n) => `a-${n}.many.test`).join(),
})

beforeAll(async () => {
  backends = await startBackends("old", "new")
  wick = await startWick({
    manifests: {
      "class.yaml": manifest(ingressClass),
      "settings.yaml": manifest(
        settings("shop/settings", {
          "worker-processes": "2",
          "zone-sizes": "routes: 1m, backends: 1m, certificates: 1m, passthroughs: 1m",
          "max-zone-size": "1m",
        }),
      ),
    },
    flags: ["--configmap=shop/settings", "--sync-rate-limit=100"],
  })
  write("quiet.json", [
    ...serviceOn("quiet/app", [port("old")]),
    ingress("quiet/app", "quiet.test/ → app:80"),
  ])
  write("greedy.json", [
    ...serviceOn("greedy/app", [port("old")]),
    ingress("greedy/app", "greedy.test/ → app:80"),
  ])
  await until("both", async () =>
    (await Promise.all([get("quiet.test"), get("greedy.test")])).every(({ body }) => body === "old"),
  )
})
afterAll(async () => {
  await wick.stop()
  await backends.stop()
})

const problems = (code: string) => wick.metric("wick_problems", `code="${code}"`)
const used = (namespace: string) =>
  wick.metric("wick_zone_namespace_share_ratio", `zone="routes",namespace="${namespace}"`)

test("one who wants more than his share has what fits, and nobody else hears of it", async () => {
  for (const name of names) write(`${name}.json`, [listed(name, 16_000)])
  await until("a Problem", async () => (await problems("over-share")) === 1)
  expect(await used("greedy")).toBeGreaterThan(2)
  expect(await used("quiet")).toBeLessThan(0.1)
  expect(await problems("no-room")).toBe(0)
  expect((await get("greedy.test")).body).toBe("old")
  expect((await get("quiet.test")).body).toBe("old")
})

test("what does not fit is closed: nobody gets in whom a list keeps out", async () => {
  const statuses = await Promise.all(names.map(async (name) => (await get(`list-${name}.test`)).status))
  expect(statuses.toSorted()).toEqual([403, 503, 503])
})

test("a host with more names than fit leaves those of other Ingresses of the namespace alone", async () => {
  write("many.json", [aliases])
  await until("more to be wanted", async () => (await used("greedy")) > 4)
  await until("most of them to be left out", async () => (await wick.metric("wick_closed_for_room")) > 2)
  expect((await get("greedy.test")).body).toBe("old")
  const statuses = await Promise.all(names.map(async (name) => (await get(`list-${name}.test`)).status))
  expect(statuses.toSorted()[0]).toBe(403)
  expect(statuses).not.toContain(200)
  expect(await problems("no-room")).toBe(0)
})

test("another tenant's host gets a password, another Service and more hosts", async () => {
  const guarded = { "auth-type": "basic", "auth-secret": "users" }
  write("quiet.json", [
    ...serviceOn("quiet/app", [port("new")]),
    secret("quiet/users", { auth: `ada:${hashes.bcrypt}` }),
    ingress("quiet/app", "quiet.test/ → app:80", guarded),
    ...Array.from({ length: 50 }, (_, n) => ingress(`quiet/more-${n}`, `more-${n}.test/ → app:80`)),
  ])
  await until("a password to be asked for", async () => (await get("quiet.test")).status === 401)
  expect((await get("quiet.test", basic("ada", password))).body).toBe("new")
  expect((await get("more-49.test")).body).toBe("new")
  expect(await problems("no-room")).toBe(0)
})

test("with less to fit, all of it is served again", async () => {
  write("b.json", [])
  write("c.json", [])
  write("many.json", [])
  await until("no Problem", async () => (await problems("over-share")) === 0)
  expect((await get("list-a.test")).status).toBe(403)
  expect(await wick.metric("wick_closed_for_room")).toBe(0)
})

test("snippets count: what of them does not fit is closed, and another tenant's come through", async () => {
  const steps = Array.from(
    { length: 16 },
    (_, n) => `if ($arg_a = ${n}) { return 200 "${"x".repeat(4000)}"; }`,
  )
  const large = (n: number) =>
    ingress(`greedy/large-${n}`, `large-${n}.test/ → app:80`, { "configuration-snippet": steps.join("\n") })
  write(
    "b.json",
    Array.from({ length: 12 }, (_, n) => large(n)),
  )
  await until("a Problem", async () => (await problems("over-share")) === 1)
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => (await get(`large-${n}.test`)).status),
  )
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  write("more.json", [
    ingress("quiet/text", "text.test/ → app:80", {
      "configuration-snippet": `return 200 "${"y".repeat(4000)}";`,
    }),
  ])
  await until("another tenant's snippet", async () => (await get("text.test")).body.startsWith("yyy"))
  expect((await get("quiet.test", basic("ada", password))).body).toBe("new")
  expect(await problems("no-room")).toBe(0)
})
