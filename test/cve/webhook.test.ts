// What ingress-nginx was attacked with through its webhook: by objects that no API server sends, by whoever reaches the port, and by sheer size.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, ingressClass, type Json, manifest } from "../../harness/manifests.ts"
import { childrenOf, titleOf } from "../../harness/processes.ts"
import { startWick, type Wick } from "../../harness/wick.ts"
import { attacks, mark } from "./attacks.ts"
import { Webhook } from "./webhook.ts"

let webhook: Webhook
let wick: Wick

beforeAll(async () => {
  webhook = await Webhook.prepare()
  wick = await startWick({ manifests: { "class.yaml": manifest(ingressClass) }, flags: webhook.flags })
})
afterAll(async () => {
  await wick.stop()
  rmSync(webhook.dir, { recursive: true })
})

const filesOf = () => readdirSync(wick.runtimeDir, { recursive: true, encoding: "utf8" }).sort()
const nginxIsTested = () => childrenOf(wick.pid).some((pid) => / -t( |$)/.test(titleOf(pid)))
const good: Json = ingress("cve/good", "good.test/ → web:80")

/** What the kernel has counted for the controller, in mebibytes. */
function mostMemory(): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${wick.pid}/status`, "utf8")) ?? []
  return Number(kibibytes) / 1024
}

test("CVE-2025-1974: whoever asks, nginx is not run on what was sent, no file is written, and the configuration stays", async () => {
  const before = { files: filesOf(), conf: wick.conf() }
  let wasTested = false
  const looking = setInterval(() => {
    wasTested ||= nginxIsTested()
  }, 1)
  const objects = attacks.flatMap(({ objects }) => objects("/tmp/evil.so").slice(0, 1))
  for (let round = 0; round < 20; round += 1) await Promise.all(objects.map((object) => webhook.ask(object)))
  clearInterval(looking)
  expect(wasTested).toBe(false)
  expect({ files: filesOf(), conf: wick.conf() }).toEqual(before)
})

test("CVE-2025-24513: an identity that no API server gives is refused, and names no file", async () => {
  const uid = `../../../../tmp/${mark}`
  const secured = ingress("cve/uid", "uid.test/ → web:80", { "auth-type": "basic", "auth-secret": "users" })
  const { allowed, message } = await webhook.ask(secured, uid)
  expect(allowed).toBe(false)
  expect(message).toMatch(/metadata\.uid: .*invalid UID/)
  expect(existsSync(`/tmp/${mark}`)).toBe(false)
  expect(filesOf().filter((file) => file.includes(mark))).toEqual([])
})

test("CVE-2026-24514: bodies of any size are refused at a bound, and cost none beyond it", async () => {
  await webhook.ask(good)
  const before = mostMemory()
  const huge = JSON.stringify({ padding: "x".repeat(16 * 2 ** 20) })
  const statuses = await Promise.all(Array.from({ length: 12 }, () => statusOf(huge)))
  expect(statuses.filter((status) => ![413, 503, "closed"].includes(status))).toEqual([])
  expect(mostMemory() - before).toBeLessThan(200)
  expect(await webhook.ask(good)).toMatchObject({ status: 200, allowed: true })
})

/** Or "closed": whoever goes on sending after an answer may not get to read it. */
const statusOf = (body: string): Promise<number | "closed"> =>
  webhook.send(body).then(
    ({ status }) => status,
    () => "closed" as const,
  )
