// A list of addresses for which there is no room costs the route that names it alone, and opens nothing.
import { expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { ingress, ingressClass, manifest, serviceOn, settings } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { startWick } from "../../../harness/wick.ts"

const host = "shared.test"
const list = "whitelist-source-range"

/** Ours, and networks that cannot be merged: 21 bytes each. */
const longList = (n: number, length = 16_000) =>
  ["127.0.0.0/8", ...Array.from({ length }, (_, at) => `2001:${n}:${(2 * at).toString(16)}::/48`)].join()

const settingsFile = (max: string) =>
  manifest(
    settings("shop/settings", {
      "zone-sizes": "routes: 1m, backends: 1m, certificates: 1m, passthroughs: 1m",
      "max-zone-size": max,
      "zone-share": "100",
    }),
  )

test("a list without room closes the routes that name it, and no other of their host", async () => {
  await using backends = await startBackends("old", "new")
  const services = backends.flatMap(({ name, port }) => serviceOn(`shop/${name}`, [port]))
  const only = (addresses: string) => ({ [list]: addresses })
  const file = (name: string, to: string, annotations?: Readonly<Record<string, string>>) =>
    manifest(ingress(`shop/${name}`, `${host}/${name} → ${to}:80`, annotations))
  await using wick = await startWick({
    manifests: {
      "web.yaml": manifest(ingressClass, ...services),
      "settings.yaml": settingsFile("1m"),
      ...Object.fromEntries(
        [16_000, 16_000, 8000].map((length, n) => [
          `large-${n}.yaml`,
          file(`large-${n}`, "old", only(longList(n, length))),
        ]),
      ),
      "guarded.yaml": file("guarded", "old", only("127.0.0.0/8")),
      "late.yaml": file("late", "old"),
      "other.yaml": file("other", "old"),
    },
    flags: ["--configmap=shop/settings", "--sync-rate-limit=100"],
  })
  const answer = async (path: string) => {
    const { status, body } = await wick.get(path, { host })
    return status === 200 ? body : status
  }
  wick.write("guarded.yaml", file("guarded", "new", only(longList(8))))
  wick.write("late.yaml", file("late", "new", only(longList(9))))
  await until("the late one to be closed", async () => (await answer("/late")) === 503)
  wick.write("other.yaml", file("other", "new"))
  await until("the other Ingress", async () => (await answer("/other")) === "new")
  await until("a Problem", async () => (await wick.metric("wick_problems", 'code="no-room"')) > 0)
  // What it was might let in whom the new list keeps out.
  expect(await answer("/guarded")).toBe(503)
  expect(wick.log()).toMatch(/Cannot serve path \\"\/late\\".*requests get 503/)
  wick.write("settings.yaml", settingsFile("16m"))
  await until("room", async () => (await answer("/guarded")) === "new")
  expect(await answer("/late")).toBe("new")
  expect(await wick.metric("wick_problems", 'code="no-room"')).toBe(0)
})
