// wick is replaced by another build of itself while it serves: other modules, another filter, in the place of those that nginx has in memory.
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { startLoad } from "../../../harness/load.ts"
import { ingress, ingressClass, manifest, serviceOn, settings } from "../../../harness/manifests.ts"
import { balancerFile, modulesDir } from "../../../harness/paths.ts"
import { isRunning, signal } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { letPass } from "../../support/clock.ts"

const host = "shop.test"
const moduleFiles = ["ngx_http_wasm_module.so", "ngx_http_ingress_module.so"]

const installed = mkdtempSync(join(tmpdir(), "wick-installed-"))
let builds = 0
let backends: Backends
let wick: Wick

/** Puts a file in the place of another one at once, as package managers do. */
function install(name: string, content: Uint8Array): void {
  const path = join(installed, name)
  writeFileSync(`${path}.part`, content)
  renameSync(`${path}.part`, path)
}

/** Another build: the same code with other bytes behind it, which a loader skips, and a custom section in the filter. */
function installBuild(): void {
  builds += 1
  const note = Buffer.from(`build ${builds}`)
  for (const file of moduleFiles) install(file, Buffer.concat([readFileSync(join(modulesDir, file)), note]))
  const section = Buffer.concat([Buffer.from([note.length]), note])
  const filter = [readFileSync(balancerFile), Buffer.from([0, section.length]), section]
  install("balancer.wasm", Buffer.concat(filter))
}

const write = (keys: Readonly<Record<string, string>>) => {
  const services = serviceOn("shop/web", [backends[0]?.port ?? 0])
  const route = ingress("shop/web", `${host}/ → web:80`)
  return manifest(ingressClass, ...services, route, settings("shop/settings", keys))
}

beforeAll(async () => {
  backends = await startBackends("one")
  installBuild()
  const flags = [
    `--module=${installed}`,
    `--balancer=${join(installed, "balancer.wasm")}`,
    "--configmap=shop/settings",
  ]
  wick = await startWick({ manifests: { "all.yaml": write({}) }, flags })
})
afterAll(async () => {
  await wick.stop()
  await backends.stop()
  rmSync(installed, { recursive: true })
})
beforeEach(() => backends[0]?.fault(undefined))

const conf = async () => (await wick.control("GET", "/conf")).body.trim().split(" ")

/** Whether each worker that accepts connections has in memory what is installed now. */
const runsInstalled = () =>
  wick.workers().every((pid) =>
    moduleFiles.every((file) => {
      const inodes = readFileSync(`/proc/${pid}/maps`, "utf8")
        .split("\n")
        .filter((line) => line.endsWith(file))
        .map((line) => Number(line.trim().split(/\s+/)[4]))
      return inodes.length > 0 && inodes.every((inode) => inode === statSync(join(installed, file)).ino)
    }),
  )

async function upgrade(): Promise<void> {
  await wick.kill()
  installBuild()
  await wick.start()
}

const loads = () =>
  [true, false].map((keepAlive) =>
    startLoad({ port: wick.port, connections: 2, keepAlive, pauseMs: 1, question: () => ({ host }) }),
  )

async function expectNothingLost(running: ReturnType<typeof loads>): Promise<void> {
  for (const load of running) {
    const { lost, statuses } = await load.stop()
    expect({ lost, statuses: [...statuses.keys()] }).toEqual({ lost: [], statuses: [200] })
  }
}

test.each([["true"], ["false"]])("no request is lost, with reuse-port: %s", async (reusePort) => {
  // Whoever changes `reuse-port` loses what waits at the sockets that are closed, with any nginx: that comes first, and has its end.
  const before = wick.workers()
  wick.write("all.yaml", write({ "reuse-port": reusePort, "keep-alive": reusePort === "true" ? "73" : "74" }))
  await until("the workers before to be gone", () => before.every((pid) => !isRunning(pid)))
  for (let round = 0; round < 2; round += 1) {
    const [old, [, oldBuild]] = [wick.nginxPid ?? 0, await conf()]
    const running = loads()
    await upgrade()
    await until("requests after the upgrade", () => running.every(({ result }) => result.requests > 50))
    await expectNothingLost(running)
    expect(wick.nginxPid).not.toBe(old)
    expect((await conf())[1]).not.toBe(oldBuild)
    expect(runsInstalled()).toBe(true)
    await until("the old nginx to end", () => !isRunning(old))
  }
  expect(readdirSync(join(wick.runtimeDir, "control")).sort()).toEqual([
    "control.sock",
    "http.sock",
    "https.sock",
    "ui.sock",
  ])
})

test("requests that the old nginx has begun end there", async () => {
  await backends[0]?.fault(1500)
  const slow = wick.get("/", { host })
  await until("the request to be under way", () => (backends[0]?.requests ?? 0) > 0)
  await upgrade()
  expect((await slow).body).toBe("one")
})

test("the new nginx is driven as any other: reloads, deaths and the end", async () => {
  wick.write("all.yaml", write({ "keep-alive": "60" }))
  const [before] = await conf()
  await until("a reload", async () => (await conf())[0] !== before)
  const master = wick.nginxPid ?? 0
  const orphans = wick.workers()
  signal(master, "SIGKILL")
  await until("another nginx", () => wick.nginxPid !== undefined && wick.nginxPid !== master)
  // Connections that wait at their sockets are reset when they close them.
  await until("the orphans to end", () => !orphans.some(isRunning))
  await until(
    "it to serve",
    async () => (await wick.get("/", { host }).catch(() => undefined))?.status === 200,
  )
  const [others, current] = [wick.nginxPid, wick.workers()]
  await upgrade()
  expect(wick.nginxPid).not.toBe(others)
  await until("the workers of before to end", () => !current.some(isRunning))
})

test("a build that cannot run leaves the old one in place", async () => {
  const old = wick.nginxPid
  const running = loads()
  await wick.kill()
  const [broken = ""] = moduleFiles
  installBuild()
  install(broken, Buffer.from("no module"))
  const starting = wick.start().catch(() => {})
  await until("the refusal", () => /Cannot use the new nginx.conf: dlopen/.test(wick.log()))
  expect(wick.nginxPid).toBe(old)
  copyFileSync(join(modulesDir, broken), join(installed, broken))
  await starting
  expect(runsInstalled()).toBe(true)
  await expectNothingLost(running)
})

test("files that are replaced under a running controller change nothing before it is restarted", async () => {
  const [before, workers] = [await conf(), wick.workers()]
  installBuild()
  wick.write("all.yaml", write({ "keep-alive": "50" }))
  await until("the refusal", () => wick.log().includes('"code":"files-replaced"'))
  wick.write("more.yaml", manifest(ingress("shop/more", "more.test/ → web:80")))
  await until("the new host", async () => (await wick.get("/", { host: "more.test" })).status === 200)
  expect([await conf(), wick.workers()]).toEqual([before, workers])
  await wick.kill()
  await wick.start()
  expect((await conf())[0]).not.toBe(before[0])
  expect(runsInstalled()).toBe(true)
})

test("a controller that is killed in the middle leaves nothing that its successor cannot finish", async () => {
  for (const delayMs of [300, 700, 1100]) {
    await wick.kill()
    installBuild()
    const running = loads()
    const first = wick.start()
    await letPass(delayMs, "it may be anywhere in its start")
    await wick.kill()
    await Promise.all([wick.start(), first])
    await expectNothingLost(running)
    expect(runsInstalled()).toBe(true)
  }
})
