// The page's JSON of a wick that runs: by the socket of its runtime directory, by a port, and by `wick ui`.
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { ingress, ingressClass, manifest, service, settings, slice } from "../../../harness/manifests.ts"
import { nodeBinary, root } from "../../../harness/paths.ts"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

const main = join(root, "controller/main.ts")

let wick: Wick
let uiPort: number
beforeAll(async () => {
  const [port = 0] = await freePorts(1)
  uiPort = port
  const objects = [
    ingressClass,
    service("shop/cart"),
    slice("shop/cart", ["10.0.0.1", "10.0.0.2"], 8080),
    ingress("shop/cart", "shop.test/cart → cart:80", { "proxy-read-timeout": "soon" }),
  ]
  wick = await startWick({
    manifests: { "all.yaml": manifest(...objects) },
    flags: [`--ui-port=${port}`, "--configmap=wick/settings"],
  })
})
afterAll(() => wick.stop())

const socketPath = () => join(wick.runtimeDir, "control/ui.sock")
const api = async (path: string) => (await ask({ socketPath: socketPath() }, { path: `/api/${path}` })).json()

describe("the socket of the runtime directory", () => {
  test("is there without any flag, for this account only", () => {
    expect(statSync(socketPath()).mode & 0o777).toBe(0o600)
    expect(statSync(join(wick.runtimeDir, "control")).mode & 0o777).toBe(0o700)
  })

  test("says what is in force, what is wrong, and what nginx says", async () => {
    expect(await api("overview")).toMatchObject({
      counts: { ingresses: 1, endpoints: 3 },
      problems: { error: 1 },
      reloads: 1,
      zones: expect.arrayContaining([
        {
          name: "routes",
          usedBytes: expect.any(Number),
          bytes: expect.any(Number),
          most: expect.objectContaining({ namespace: "shop", bytes: expect.any(Number) }),
        },
      ]),
      filter: { faults: 0 },
      versions: {
        nginx: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        filter: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    })
    expect(await api("routes?q=shop.test/cart")).toMatchObject({
      total: 1,
      items: [{ endpoints: 2, problems: 1 }],
    })
    const [sample] = await until("a sample", async () => {
      const { samples } = (await api("samples")) as { samples: unknown[] }
      return samples.length > 0 && samples
    })
    expect(sample).toMatchObject({ requests: expect.any(Number), active: expect.any(Number) })
  })

  test("explains as the command does", async () => {
    expect(await api("explain?url=http://shop.test/cart/7")).toMatchObject({
      headline: "http://shop.test/cart/7 is served by Ingress shop/cart",
      outcome: "proxied",
      backend: "shop-cart-80",
      facts: expect.arrayContaining([["route", "/cart (prefix, for /cart/7)"]]),
      otherHosts: [{ host: "_", why: "shop.test has routes of its own" }],
    })
    expect(await api("explain?url=none.test")).toMatchObject({ outcome: "answered", status: 404 })
  })

  test("keeps why nginx was reloaded", async () => {
    wick.write("settings.yaml", manifest(settings("wick/settings", { "keep-alive": "12" })))
    const reloads = await until("the reload", async () => {
      const { items } = (await api("reloads")) as { items: readonly { kind: string; reasons: string[] }[] }
      return items.length === 2 && items
    })
    expect(reloads).toMatchObject([
      {
        kind: "reload",
        reasons: ["http.clients.keepAliveSeconds"],
        ms: expect.any(Number),
        hash: expect.stringMatching(/^[0-9a-f]+$/),
      },
      { kind: "start", reasons: [] },
    ])
  })
})

test("a port of this machine is for names of this machine", async () => {
  expect((await ask({ port: uiPort }, { path: "/api/routes" })).status).toBe(200)
  expect((await ask({ port: uiPort }, { path: "/api/routes", host: "evil.test" })).status).toBe(421)
})

test("an Ingress cannot lead to it", async () => {
  const own = [
    service("shop/own", uiPort),
    slice("shop/own", ["127.0.0.1"], uiPort),
    ingress("shop/own", `own.test/ → own:${uiPort}`, { "upstream-vhost": "localhost" }),
  ]
  wick.write("own.yaml", manifest(...own))
  await until("its route", async () => ((await api("routes?q=own.test")) as { total: number }).total > 0)
  expect((await wick.get("/api/overview", { host: "own.test" })).status).toBe(503)
})

describe("wick ui", () => {
  const children: ChildProcess[] = []
  afterAll(() => {
    for (const child of children) child.kill("SIGKILL")
  })

  async function start(...flags: readonly string[]) {
    const child = spawn(nodeBinary, [main, "ui", "--runtime-dir", wick.runtimeDir, ...flags])
    children.push(child)
    let out = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text
    })
    const url = await until("its address", () => /http:\/\/127\.0\.0\.1:(\d+)\//.exec(out) ?? undefined)
    return { child, out, port: Number(url[1]) }
  }

  test("serves the page on a free port of this machine until Ctrl-C", async () => {
    const { child, out, port } = await start()
    expect(out).toContain(`shows what the controller of ${wick.runtimeDir} has in force, until Ctrl-C`)
    const page = await ask({ port }, { path: "/" })
    expect([page.status, page.headers["content-security-policy"]]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ])
    const again = { path: "/", headers: { "if-none-match": String(page.headers.etag) } }
    expect((await ask({ port }, again)).status).toBe(304)
    expect((await ask({ port }, { path: "/api/overview" })).json()).toMatchObject({
      reloads: expect.any(Number),
    })
    expect((await ask({ port }, { path: "/", host: "evil.test" })).status).toBe(421)
    expect((await ask({ port }, { path: "/api/routes", method: "POST" })).status).toBe(405)
    child.kill("SIGINT")
    expect(await once(child, "exit")).toEqual([null, "SIGINT"])
  })

  test("takes a port", async () => {
    const [wanted = 0] = await freePorts(1)
    const { child, port } = await start("--port", String(wanted))
    expect(port).toBe(wanted)
    const { code, stderr } = await failed("ui", "--runtime-dir", wick.runtimeDir, "--port", String(wanted))
    expect([code, stderr]).toEqual([
      1,
      `wick: Cannot listen on port ${wanted} of 127.0.0.1: it is in use, choose another\n`,
    ])
    child.kill("SIGINT")
    await once(child, "exit")
  })

  test("says when there is no controller, and what a port is", async () => {
    expect(await failed("ui", `--runtime-dir=${wick.manifestsDir}`)).toMatchObject({
      code: 1,
      stderr: `wick: Cannot find a controller in "${wick.manifestsDir}" (none runs there): name the directory of a running one with --runtime-dir\n`,
    })
    expect((await failed("ui", "--port=x")).stderr).toContain("write a whole number from 1 to 65535")
  })
})

describe("an address that others reach", () => {
  const folder = mkdtempSync(join(tmpdir(), "wick-ui-"))
  const token = join(folder, "token")
  afterAll(() => rmSync(folder, { recursive: true }))
  const flags = [
    "--manifests",
    folder,
    "--runtime-dir",
    join(folder, "run"),
    "--ui-port=1",
    "--ui-address=0.0.0.0",
  ]

  test("needs a token: the start is refused with one sentence", async () => {
    expect(await failed(...flags)).toMatchObject({
      code: 1,
      stderr:
        "wick: Flag --ui-address=0.0.0.0 lets others ask for the page: give --ui-token-file, or a loopback address\n",
    })
    expect(existsSync(join(folder, "run"))).toBe(false)
  })

  test("is served to whoever has it", async () => {
    const [port = 0] = await freePorts(1)
    writeFileSync(token, "0123456789abcdef\n")
    const more = [`--ui-port=${port}`, "--ui-address=0.0.0.0", `--ui-token-file=${token}`]
    await using other = await startWick({ flags: more })
    expect((await ask({ port }, { path: "/api/routes" })).status).toBe(401)
    const headers = { authorization: "Bearer 0123456789abcdef" }
    expect((await ask({ port }, { path: "/api/routes", host: "wick.test", headers })).status).toBe(200)
    expect(readdirSync(join(other.runtimeDir, "control"))).toContain("ui.sock")
    expect(other.log()).not.toContain("0123456789abcdef")
  })
})

async function failed(...args: readonly string[]): Promise<{ code: number; stderr: string }> {
  const run = promisify(execFile)(nodeBinary, [main, ...args])
  return run.then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: { code: number; stderr: string }) => error,
  )
}
