// nginx's access log comes out at the controller's stdout, whatever that is.
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { manifest, settings } from "../../../harness/manifests.ts"
import { nodeBinary, root } from "../../../harness/paths.ts"
import { freeListeners, type Listeners, listenerFlags } from "../../../harness/ports.ts"
import { end, isRunning, signal, workersOf } from "../../../harness/processes.ts"
import { patienceMs, until } from "../../../harness/until.ts"

const dir = mkdtempSync(join(tmpdir(), "wick-log-"))
const started = new Set<number>()
let listeners: Listeners
let run = 0

beforeEach(async () => {
  listeners = await freeListeners()
  run += 1
  mkdirSync(join(dir, String(run)))
  configure({})
})
afterAll(async () => {
  for (const pid of started) if (isRunning(pid)) await end(pid, "SIGTERM", patienceMs)
  rmSync(dir, { recursive: true })
})

/** Requests of these tests are for nobody, so they are logged only if the ConfigMap says so. */
function configure(data: Readonly<Record<string, string>>): void {
  const keys = { "enable-access-log-for-default-backend": "true", ...data }
  writeFileSync(join(dir, String(run), "settings.yaml"), manifest(settings("shop/settings", keys)))
}

function start(stdout: "pipe" | number) {
  const flags = [`--manifests=${dir}/${run}`, `--runtime-dir=${dir}/run-${run}`, "--configmap=shop/settings"]
  const args = [
    join(root, "controller/main.ts"),
    ...flags,
    ...listenerFlags(listeners),
    "--post-shutdown-grace-period=0",
  ]
  const child = spawn(nodeBinary, args, { stdio: ["ignore", stdout, "ignore"] })
  started.add(child.pid ?? 0)
  return child
}

async function requested(path: string): Promise<boolean> {
  const answer = await ask({ port: listeners.http }, { path }).catch(() => undefined)
  return answer !== undefined
}

/** Hash of the configuration in force. */
async function conf(): Promise<string> {
  const socketPath = join(dir, `run-${run}/control/control.sock`)
  return (await ask({ socketPath }, { path: "/conf" })).body
}

test("a socket: lines arrive, also after the controller was killed and another one has reloaded nginx", async () => {
  const first = start("pipe")
  let log = ""
  first.stdout?.setEncoding("utf8").on("data", (text: string) => {
    log += text
  })
  await until("nginx to serve", () => requested("/one"))
  await until("the line", () => log.includes("GET /one"))
  signal(first.pid ?? 0, "SIGKILL")
  await until("the controller to die", () => !isRunning(first.pid ?? 0))
  await requested("/two")
  await until("the next line", () => log.includes("GET /two"))
  // Another log format is another configuration: nginx opens its log anew.
  configure({ "log-format-upstream": "new $request_uri" })
  const second = start("pipe")
  await until(
    "a line in the new format",
    async () => (await requested("/three")) && log.includes("new /three"),
  )
  await end(second.pid ?? 0, "SIGTERM", patienceMs)
})

test("a socket that nobody reads any more: nginx goes on, and reloads", async () => {
  const child = start("pipe")
  await until("nginx to serve", () => requested("/one"))
  child.stdout?.destroy()
  const before = await conf()
  for (let request = 0; request < 50; request += 1) await requested("/lost")
  configure({ "keep-alive": "0" })
  await until("the reload", async () => (await conf()) !== before)
})

test("a socket: nginx comes back when it has died with all of its workers, and who read its log with them", async () => {
  start("pipe")
  await until("nginx to serve", () => requested("/one"))
  const master = Number(readFileSync(join(dir, `run-${run}/nginx.pid`), "utf8"))
  for (const pid of [master, ...workersOf(master)]) signal(pid, "SIGKILL")
  await until("its end", () => !isRunning(master))
  await until("another nginx to serve", () => requested("/two"))
})

test("a file: lines arrive", async () => {
  const file = join(dir, "access.log")
  start(openSync(file, "a"))
  await until("nginx to serve", () => requested("/one"))
  await until("the line", () => readFileSync(file, "utf8").includes("GET /one"))
})
