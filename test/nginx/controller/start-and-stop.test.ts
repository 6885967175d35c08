// How the process begins and ends.
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { Agent } from "node:http"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { type Answer, ask } from "../../../harness/http.ts"
import { ingress, ingressClass, manifest, serviceOn } from "../../../harness/manifests.ts"
import { nginxBinary, nodeBinary, root } from "../../../harness/paths.ts"
import { freeListeners, freePorts, listenerFlags } from "../../../harness/ports.ts"
import { isRunning, signal } from "../../../harness/processes.ts"
import { patienceMs, until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

function startShop(backends: Backends, flags: readonly string[] = []): Promise<Wick> {
  const services = serviceOn("shop/web", [backends[0]?.port ?? 0])
  const objects = manifest(ingressClass, ...services, ingress("shop/web", "shop.test/ → web:80"))
  return startWick({ manifests: { "all.yaml": objects }, flags })
}

const host = "shop.test"

describe("two instances", () => {
  test("serve side by side, each its own", async () => {
    await using backends = await startBackends("one", "two")
    await using first = await startShop(backends)
    await using second = await startShop(backends)
    const services = serviceOn("shop/web", [backends[1]?.port ?? 0])
    second.write("all.yaml", manifest(ingressClass, ...services, ingress("shop/web", "shop.test/ → web:80")))
    await until("the second's own backend", async () => (await second.get("/", { host })).body === "two")
    expect((await first.get("/", { host })).body).toBe("one")
    await second.stop()
    expect((await first.get("/", { host })).body).toBe("one")
  })
})

describe("SIGTERM", () => {
  test("fails health, lets requests finish, ends nginx and then with 0", async () => {
    await using backends = await startBackends("one")
    await using wick = await startShop(backends, ["--shutdown-grace-period=10"])
    await backends[0]?.fault("hold")
    const slow = wick.get("/", { host })
    await until("the request to be under way", () => (backends[0]?.requests ?? 0) > 0)
    const { pid } = wick
    signal(pid, "SIGTERM")
    const health = () => ask({ port: wick.healthPort }, { path: "/healthz" })
    await until("health to fail", async () => (await health()).status === 500)
    // Until the grace period is over, who does not know yet is served.
    expect((await wick.get("/healthz")).status).toBe(200)
    await until("nginx to take no more requests", () => wick.workers().length === 0)
    await backends[0]?.fault(undefined)
    expect((await slow).body).toBe("one")
    await until("the controller to end", () => !isRunning(pid))
    expect(wick.nginxPid).toBeUndefined()
    expect(await wick.stop()).toBe(0)
  })

  test("411: health fails at once, and traffic is served until the grace period is over", async () => {
    await using backends = await startBackends("one")
    await using wick = await startShop(backends, ["--shutdown-grace-period=90"])
    signal(wick.pid, "SIGTERM")
    const health = () => ask({ port: wick.healthPort }, { path: "/healthz" })
    await until("health to fail", async () => (await health()).status === 500)
    for (let times = 0; times < 20; times += 1) expect((await wick.get("/", { host })).body).toBe("one")
    expect((await health()).status).toBe(500)
    signal(wick.pid, "SIGTERM")
    expect(await wick.stop()).toBe(0)
  })

  test("412: without open connections the end comes soon, whatever workers may take for theirs", async () => {
    await using backends = await startBackends("one")
    const settings = ["--shutdown-grace-period=0", "--post-shutdown-grace-period=1"]
    await using wick = await startShop(backends, settings)
    expect((await wick.get("/", { host })).body).toBe("one")
    expect(wick.conf()).toMatch(/worker_shutdown_timeout 240(s|000ms);/)
    // Half as long as workers may take, and it is killed.
    expect(await wick.stop()).toBe(0)
  })

  test("has an end like that of wick wait-shutdown, which returns when nginx has ended", async () => {
    await using backends = await startBackends("one")
    await using wick = await startShop(backends)
    await backends[0]?.fault(1000)
    const slow = wick.get("/", { host })
    await until("the request to be under way", () => (backends[0]?.requests ?? 0) > 0)
    const { pid } = wick
    expect(await waitShutdown(wick)).toEqual({ code: 0, said: "" })
    expect([isRunning(pid), wick.nginxPid]).toEqual([false, undefined])
    expect((await slow).body).toBe("one")
    const again = await waitShutdown(wick)
    expect([again.code, again.said]).toEqual([1, expect.stringContaining("Cannot find a controller")])
  })

  test("has clients leave, and the next controller keeps them if this one is killed meanwhile", async () => {
    await using backends = await startBackends("one")
    await using wick = await startShop(backends, ["--shutdown-grace-period=600"])
    const connection = async () => (await keptAnswer(wick)).headers.connection
    expect(await connection()).toBe("keep-alive")
    signal(wick.pid, "SIGTERM")
    await until("clients to be asked", async () => (await connection()) === "close")
    await wick.kill()
    await wick.start()
    expect(await connection()).toBe("keep-alive")
    signal(wick.pid, "SIGTERM")
    await until("the first of two to be noticed", () => wick.log().match(/Stopping/g)?.length === 2)
  })

  test("sent twice ends at once", async () => {
    await using backends = await startBackends("one")
    await using wick = await startShop(backends, ["--shutdown-grace-period=600"])
    await backends[0]?.fault("hang")
    const hanging = wick.get("/", { host }).catch((error: Error) => error)
    await until("the request to be under way", () => (backends[0]?.requests ?? 0) > 0)
    const { pid } = wick
    signal(pid, "SIGTERM")
    await until("the first to be noticed", () => wick.log().includes("Stopping"))
    signal(pid, "SIGTERM")
    await until("the controller to end", () => !isRunning(pid))
    expect(wick.nginxPid).toBeUndefined()
    expect(await hanging).toBeInstanceOf(Error)
  })
})

describe("a start that cannot succeed ends with 1 and one sentence", () => {
  test.each([
    ["an unknown flag", ["--no-such-flag"], /^wick: Unknown flag --no-such-flag/],
    ["no objects", [], /^wick: Cannot start without objects/],
    [
      "no such nginx",
      ["--nginx=/no/such"],
      /^wick: Cannot find nginx at "\/no\/such": name another with --nginx$/,
    ],
    ["no such module", ["--module=/no"], /^wick: Cannot find module at "\/no\/ngx_http_wasm_module.so"/],
    ["no such filter", ["--balancer=/no.wasm"], /^wick: Cannot find balancer at "\/no.wasm"/],
    [
      "a filter that is none",
      [`--balancer=${import.meta.filename}`],
      /^wick: Cannot use the new nginx.conf: /,
    ],
    [
      "a file as runtime directory",
      ["--runtime-dir=/dev/null"],
      /^wick: Cannot use runtime directory "\/dev\/null"/,
    ],
    ["a directory too deep", [`--runtime-dir=/tmp/${"a".repeat(100)}`], /^wick: .* would be too long/],
    ["no such manifests", ["--manifests=/no/such"], /^wick: .*\/no\/such/],
  ])("%s", async (name, flags, sentence) => {
    const { code, complaint } = await startInVain(name === "no objects" ? ["--manifests="] : flags)
    expect(complaint).toMatch(sentence)
    expect(code).toBe(1)
  })

  test.each([
    "--http-port",
    "--https-port",
    "--default-server-port",
    "--status-port",
    "--healthz-port",
  ])("%s is in use", async (flag) => {
    await using taken = await listener()
    const { code, complaint } = await startInVain([`${flag}=${taken.port}`])
    expect(complaint).toMatch(
      new RegExp(`^wick: .*port ${taken.port}.* in use, choose another with ${flag}$`),
    )
    expect(code).toBe(1)
  })

  test("nginx does not start: with its own words", async () => {
    using nginx = serving("rm $4/nginx.pid; mkdir $4/nginx.pid")
    const { code, complaint } = await startInVain([`--nginx=${nginx.path}`])
    expect(complaint).toMatch(
      /^wick: Cannot start nginx: open\(\) ".*\/nginx.pid" failed \(21: Is a directory\)$/,
    )
    expect(code).toBe(1)
  })

  test("another controller works in the runtime directory", async () => {
    await using backends = await startBackends("one")
    await using wick = await startShop(backends)
    const { code, complaint } = await startInVain([`--runtime-dir=${wick.runtimeDir}`])
    expect(complaint).toMatch(/^wick: Cannot use runtime directory ".*": process \d+ works with it/)
    expect(code).toBe(1)
    expect((await wick.get("/", { host })).body).toBe("one")
  })
})

test("a port that somebody else takes just before nginx does is told of in nginx's own words, and served once it is free", async () => {
  const [port = 0] = await freePorts(1)
  const server = `require("node:net").createServer().listen(${port}, "0.0.0.0", () => console.log(process.pid))`
  using nginx = serving(`${nodeBinary} -e '${server}' >$0.pid & until [ -s $0.pid ]; do sleep 0.05; done`)
  const reason = `bind() to 0.0.0.0:${port} failed (98: Address already in use)`
  const isStarted = (log: string) =>
    log.includes(`Cannot reload nginx: it goes on with the old configuration: ${reason}`)
  await using wick = await startWick({ flags: [`--nginx=${nginx.path}`], port, isStarted })
  nginx.kill()
  await until("nginx to serve", async () => (await wick.get().catch(() => undefined))?.status === 404)
})

/** Starts wick on free ports with `flags` behind the usual ones and waits for its end. */
async function startInVain(flags: readonly string[]): Promise<{ code: number; complaint: string }> {
  const dir = mkdtempSync(join(tmpdir(), "wick-vain-"))
  const usual = [`--manifests=${dir}`, `--runtime-dir=${dir}/run`]
  const ports = listenerFlags(await freeListeners())
  const args = [join(root, "controller/main.ts"), ...usual, ...ports, ...flags]
  try {
    return await new Promise((resolve) => {
      execFile(nodeBinary, args, { timeout: 2 * patienceMs }, (error, _, stderr) => {
        const lines = stderr.split("\n").filter((line) => line.startsWith("wick: "))
        resolve({ code: typeof error?.code === "number" ? error.code : -1, complaint: lines.join("\n") })
      })
    })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** nginx, but when it is to serve and not only to check a configuration, this command comes first. What it starts in `$0.pid` ends as well. */
function serving(command: string) {
  const dir = mkdtempSync(join(tmpdir(), "wick-serving-"))
  const path = join(dir, "nginx")
  const script = `#!/bin/sh\ncase "$1" in -c) ${command};; esac\nexec ${nginxBinary} "$@"\n`
  writeFileSync(path, script, { mode: 0o755 })
  const kill = () => {
    const pid = existsSync(`${path}.pid`) ? readFileSync(`${path}.pid`, "utf8") : ""
    if (pid !== "") signal(Number(pid), "SIGKILL")
  }
  const dispose = () => {
    kill()
    rmSync(dir, { recursive: true })
  }
  return { path, kill, [Symbol.dispose]: dispose }
}

async function listener() {
  const [port = 0] = await freePorts(1)
  const server = createServer().listen(port, "0.0.0.0")
  await new Promise((resolve) => server.once("listening", resolve))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { port, [Symbol.asyncDispose]: close }
}

/** From a client that would keep the connection. */
async function keptAnswer(wick: Wick): Promise<Answer> {
  const agent = new Agent({ keepAlive: true })
  try {
    return await ask({ port: wick.port, agent }, { host })
  } finally {
    agent.destroy()
  }
}

/** Runs the command as a preStop hook does. */
function waitShutdown(wick: Wick): Promise<{ code: number; said: string }> {
  const args = [join(root, "controller/main.ts"), "wait-shutdown", "--runtime-dir", wick.runtimeDir]
  return new Promise((resolve) =>
    execFile(nodeBinary, args, (error, _, said) => resolve({ code: error ? Number(error.code) : 0, said })),
  )
}
