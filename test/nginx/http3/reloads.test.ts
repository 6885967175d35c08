// Connections of HTTP/3 while workers are replaced: by a reload, and by another nginx that takes the sockets over. In stock nginx workers take each
// other's datagrams then (nginx/nginx#425): requests under way stand still, and handshakes are lost.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { Http3Clients, type Http3Connection } from "../../../harness/http3.ts"
import { ingress, ingressClass, manifest, serviceOn, settings } from "../../../harness/manifests.ts"
import { balancerFile, modulesDir } from "../../../harness/paths.ts"
import { isRunning } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { hasHttp3 } from "./nginx.ts"

const installed = mkdtempSync(join(tmpdir(), "wick-installed-"))
let clients: Http3Clients
let echo: Echo
let wick: Wick
let mayAnswer = false

beforeAll(async () => {
  if (!hasHttp3) return
  clients = new Http3Clients()
  echo = await new Echo().start()
  echo.answer = ({ url }) => (url === "/held" ? { until: () => mayAnswer } : {})
  install(0)
  wick = await startWick({
    manifests: {
      "all.yaml": manifest(
        ingressClass,
        ...serviceOn("demo/app", [echo.port]),
        ingress("demo/app", "foo.test/ → app:80"),
      ),
      "settings.yaml": settingsFile(0),
    },
    flags: [
      ...["--configmap=demo/settings", "--sync-rate-limit=100", `--module=${installed}`],
      `--balancer=${join(installed, "balancer.wasm")}`,
    ],
  })
})
afterAll(async () => {
  rmSync(installed, { recursive: true })
  if (!hasHttp3) return
  clients[Symbol.dispose]()
  await wick.stop()
  await echo[Symbol.asyncDispose]()
})

function install(build: number): void {
  for (const file of ["ngx_http_wasm_module.so", "ngx_http_ingress_module.so"])
    writeFileSync(
      join(installed, file),
      Buffer.concat([readFileSync(join(modulesDir, file)), Buffer.from(`build ${build}`)]),
    )
  copyFileSync(balancerFile, join(installed, "balancer.wasm"))
}

const settingsFile = (nth: number) =>
  manifest(
    settings("demo/settings", {
      ...{ "use-http3": "true", "worker-processes": "2", "variables-hash-max-size": String(2048 + nth) },
    }),
  )

let reloads = 0

async function reload(): Promise<void> {
  reloads += 1
  const old = wick.workers()
  wick.write("settings.yaml", settingsFile(reloads))
  await until("other workers", () => {
    const now = wick.workers()
    return now.length === 2 && now.every((pid) => !old.includes(pid))
  })
}

async function takeOver(): Promise<void> {
  const old = wick.nginxPid
  await wick.kill()
  install(1)
  await wick.start()
  await until("another nginx", () => wick.nginxPid !== undefined && wick.nginxPid !== old)
}

const connect = () => clients.connect({ port: wick.httpsPort })

async function statusOfNew(): Promise<number> {
  const connection = await connect()
  const { status } = await connection.ask()
  await connection.close()
  return status
}

/** Requests that wait for their backend while the workers are replaced. */
async function hold(count: number): Promise<{ readonly answers: Promise<number[]> }> {
  mayAnswer = false
  echo.asked.length = 0
  const connections: Http3Connection[] = await Promise.all(Array.from({ length: count }, connect))
  const asked = connections.map(async (connection) => {
    const body = Buffer.alloc(100_000, "held")
    const { status } = await connection.ask({ method: "POST", path: "/held", body })
    await connection.close()
    return status
  })
  await until("all requests at the backend", () => echo.asked.length === count)
  return { answers: Promise.all(asked) }
}

test.skipIf(!hasHttp3).each([
  ["a reload", reload],
  ["a reload after a reload", reload],
  ["another build", takeOver],
])("%s: requests under way are answered, and every handshake ends", async (_, replace) => {
  const old = wick.workers()
  const { answers } = await hold(20)
  await replace()
  // The workers before are there, and have the same sockets.
  const statuses = []
  for (let nth = 0; nth < 30; nth += 1) statuses.push(await statusOfNew())
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(old.some(isRunning)).toBe(true)
  mayAnswer = true
  expect(new Set(await answers)).toEqual(new Set([200]))
  await until("the workers before to end", () => !old.some(isRunning))
})

test.skipIf(!hasHttp3)(
  "idle connections are closed with a word of it, so that clients come back",
  async () => {
    const connection = await connect()
    expect((await connection.ask()).status).toBe(200)
    await reload()
    await until("the connection to end", async () => (await connection.ended()) !== undefined)
    expect((await connection.ended())?.code).toBe(0x100) // H3_NO_ERROR
    expect(await statusOfNew()).toBe(200)
  },
)
