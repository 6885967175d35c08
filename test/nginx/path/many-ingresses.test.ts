// 5,000 Ingresses: one more is a post, and nginx.conf knows none of them. The figures are printed for the reader.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { ingress, ingressClass, listOf, manifest, serviceOn } from "../../../harness/manifests.ts"
import { memoryBytesOf } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { stopwatch } from "../../support/clock.ts"

const count = 5000
const perFile = 100

let backends: Backends
let wick: Wick
let started = ""

beforeAll(async () => {
  backends = await startBackends("web")
  const took = stopwatch()
  wick = await startWick({ manifests: manifests() })
  started = took()
})
afterAll(async () => {
  await wick.stop()
  await backends.stop()
})

test(`with ${count} Ingresses another one is a post`, async () => {
  const reloads = await wick.metric("nginx_ingress_controller_success")
  const took = stopwatch()
  for (let n = count; n < count + 20; n += 1) {
    wick.write(`more-${n}.yaml`, manifest(ingressOf(n)))
    await until(hostOf(n), async () => (await wick.get("/", { host: hostOf(n) })).status === 200)
  }
  const added = took()
  expect(await wick.metric("nginx_ingress_controller_success")).toBe(reloads)

  for (let n = 0; n < count; n += 97) {
    expect((await wick.get("/", { host: hostOf(n) })).body, hostOf(n)).toBe("web")
  }
  const conf = readFileSync(join(wick.runtimeDir, "nginx.conf"), "utf8")
  expect(conf).not.toContain("host-1.test")
  expect(conf.length).toBeLessThan(32 * 1024)
  report(added, conf.length)
})

function report(added: string, confBytes: number): void {
  const memory = Math.max(...wick.workers().map(memoryBytesOf)) / 1e6
  const lines = [
    `${count} Ingresses: start to healthy ${started}`,
    `twenty more, one after the other, from file to first good answer: ${added}`,
    `largest worker ${memory.toFixed(1)} MB, nginx.conf ${confBytes} bytes`,
  ]
  process.stdout.write(`${lines.join("\n")}\n`)
}

function manifests(): Record<string, string> {
  const files = Array.from({ length: count / perFile }, (_, file) => {
    const items = Array.from({ length: perFile }, (_, n) => ingressOf(file * perFile + n))
    return [`ingresses-${file}.json`, listOf(items)]
  })
  const web = manifest(
    ingressClass,
    ...serviceOn(
      "many/web",
      backends.map(({ port }) => port),
    ),
  )
  return { ...Object.fromEntries(files), "web.yaml": web }
}

const hostOf = (n: number) => `host-${n}.test`
const ingressOf = (n: number) => ingress(`many/ingress-${n}`, `${hostOf(n)}/ → web:80`)
