// What needs a reload, what does not, and what happens to the rest when nginx does not take the new configuration.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { ingress, ingressClass, manifest, serviceOn, settings } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { ageOf } from "../../support/clock.ts"

/** Between two reloads. */
const betweenMs = 2500

let backends: Backends
let wick: Wick

beforeAll(async () => {
  backends = await startBackends("one")
  const services = serviceOn("shop/web", [backends[0]?.port ?? 0])
  const manifests = {
    "all.yaml": manifest(ingressClass, ...services, ingress("shop/web", "shop.test/ → web:80")),
  }
  const flags = ["--configmap=shop/settings", `--sync-rate-limit=${1000 / betweenMs}`]
  wick = await startWick({ manifests, flags })
})
afterAll(async () => {
  await wick.stop()
  await backends.stop()
})

const reloads = () => wick.metric("nginx_ingress_controller_success")

function answers(host: string, status: number): Promise<boolean> {
  return until(`${host} to answer ${status}`, async () => (await wick.get("/", { host })).status === status)
}

function set(data: Readonly<Record<string, string>>): void {
  wick.write("settings.yaml", manifest(settings("shop/settings", data)))
}

test("a new host, path or timeout is posted; a new location reloads once, and goes without a reload", async () => {
  const first = await reloads()
  wick.write(
    "more.yaml",
    manifest(ingress("shop/more", "more.test/ → web:80", { "proxy-read-timeout": "7" })),
  )
  await answers("more.test", 200)
  expect(await reloads()).toBe(first)
  const old = (name: string) =>
    ingress(`shop/${name}`, `${name}.test/ → web:80`, { "proxy-http-version": "1.0" })
  wick.write("old.yaml", manifest(old("old")))
  await answers("old.test", 200)
  expect(await reloads()).toBe(first + 1)
  wick.write("old.yaml", manifest(old("older")))
  await answers("older.test", 200)
  wick.remove("old.yaml")
  await answers("older.test", 404)
  expect(await reloads()).toBe(first + 1)
})

test("metrics say why nginx was reloaded, and how long changes took", async () => {
  const changes = (by: string) => wick.metric("wick_change_duration_seconds_count", `by="${by}"`)
  const [posted, reloaded] = [await changes("post"), await changes("reload")]
  wick.write("timed.yaml", manifest(ingress("shop/timed", "timed.test/ → web:80")))
  await until("a change by a post", async () => (await changes("post")) > posted)
  set({ "keep-alive": "69" })
  await until("a change by a reload", async () => (await changes("reload")) > reloaded)
  expect(await wick.metric("wick_reloads_total", 'reason="start"')).toBe(1)
  expect(await wick.metric("wick_reloads_total", 'reason="new location"')).toBe(1)
  expect(await wick.metric("wick_reloads_total", 'reason="http.clients.keepAliveSeconds"')).toBe(1)
})

test("a change without a reload overtakes a reload that has to wait", async () => {
  const before = await reloads()
  const age = await ageOf(async () => {
    set({ "keep-alive": "70" })
    await until("the first reload", async () => (await reloads()) > before)
  })
  set({ "keep-alive": "71" })
  wick.write("quick.yaml", manifest(ingress("shop/quick", "quick.test/ → web:80")))
  await answers("quick.test", 200)
  const now = await reloads()
  // On a busy machine the second one may have had its turn by now.
  if (age.atMostMs() < betweenMs) expect(now).toBe(before + 1)
  await until("the second reload", async () => (await reloads()) > before + 1)
})

describe("a key of the ConfigMap that nginx refuses", () => {
  test("keeps its value; other keys and objects take effect", async () => {
    const before = await reloads()
    set({ "log-format-upstream": "$no_such_variable", "keep-alive": "72" })
    await until("a Problem", () =>
      /Key \\"log-format-upstream\\" cannot be used, so the value before it stays in force.*no_such_variable/.test(
        wick.log(),
      ),
    )
    await until("the other key's reload", async () => (await reloads()) > before)
    wick.write("later.yaml", manifest(ingress("shop/later", "later.test/ → web:80")))
    await answers("later.test", 200)
    expect(await wick.metric("nginx_ingress_controller_config_last_reload_successful")).toBe(1)
  })

  test("is found as well after it had to wait for its turn", async () => {
    const before = await reloads()
    set({ "log-format-upstream": "$no_such_variable", "keep-alive": "73" })
    await until("a reload", async () => (await reloads()) > before)
    set({ "log-format-upstream": "$neither_this_one", "keep-alive": "74" })
    await until("a Problem", () =>
      /Key \\"log-format-upstream\\" cannot be used, so the value before it stays in force.*neither_this_one/.test(
        wick.log(),
      ),
    )
    await until("the next reload", async () => (await reloads()) > before + 1)
  })

  test("is tried again when it changes", async () => {
    const before = await reloads()
    set({ "log-format-upstream": "$remote_addr $status", "keep-alive": "72" })
    await until("the reload", async () => (await reloads()) > before)
    await until("the Problem to be settled", () => wick.log().includes("Problem settled"))
  })
})
