// A real, stock nginx in a folder of its own, for tests. Comes up on free loopback ports with a configuration that the
// test writes, and is gone, with its folder, after `stop()` or at the end of an `await using` block.
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { Agent } from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bound } from "./bound.ts"
import { type Answer, ask, IdleClosed, type Question } from "./http.ts"
import { balancerFile, modulesDir, nginxBinary } from "./paths.ts"
import { freePorts } from "./ports.ts"
import { childrenOf, end, isRunning, settle, signal, workersOf } from "./processes.ts"
import { measuredStart } from "./starts.ts"
import { patienceMs, until } from "./until.ts"

/** What a configuration may refer to. */
export interface Site {
  /** This nginx's folder; removed when it stops. */
  readonly dir: string
  /** The port to serve on; `ports[0]`. */
  readonly port: number
  /** As many free ports as asked for. */
  readonly ports: readonly number[]
  /** Path of a unix socket for a control server, which `control()` talks to. */
  readonly socket: string
  /** Folder with ngx_http_wasm_module.so and ngx_http_ingress_module.so. */
  readonly modules: string
  /** The release balancer.wasm. */
  readonly balancer: string
}

/**
 * The text of nginx.conf: a string is all of it; an object has the text of the main context (`load_module`, `wasm { }`)
 * and of `http { }`, and everything else (pid, logs, temporary folders, events) is put around it.
 */
export type Conf = string | { readonly main?: string; readonly http: string; readonly workers?: number }
export type WriteConf = (site: Site) => Conf

export interface NginxOptions {
  /** How many free ports to find; default 1. */
  readonly ports?: number
  /** Another binary than the stock one in out/nginx. */
  readonly binary?: string
  /** Runs nginx under another program, e.g. `["valgrind", "--tool=callgrind"]`. */
  readonly under?: readonly string[]
  /** Environment beside that of the test. */
  readonly environment?: Readonly<Record<string, string>>
}

export class Nginx implements AsyncDisposable {
  readonly site: Site
  readonly #child: ChildProcess
  readonly #agent = new Agent({ keepAlive: true })

  constructor(site: Site, child: ChildProcess) {
    this.site = site
    this.#child = child
  }

  get dir(): string {
    return this.site.dir
  }
  get port(): number {
    return this.site.port
  }
  /** Pid of the master process. */
  get pid(): number {
    return this.#child.pid ?? 0
  }
  /** Pids of the workers that accept connections. */
  workers(): number[] {
    return workersOf(this.pid)
  }
  /** Everything nginx wrote to its error log (and to stderr) so far, with all that it has to say of what it has answered. */
  errorLog(): string {
    settle(childrenOf(this.pid))
    return readFileSync(join(this.dir, "error.log"), "utf8")
  }

  /** One request to `port` on a connection of its own. */
  get(path = "/", question: Question = {}): Promise<Answer> {
    return ask({ port: this.port }, { path, ...question })
  }

  /** One request to the control server on `site.socket`, over a connection that is kept, or a new one where a worker that ends has closed it. */
  async control(method: string, path: string, body?: string | Uint8Array | object): Promise<Answer> {
    const text = typeof body === "object" && !(body instanceof Uint8Array) ? JSON.stringify(body) : body
    const question = { method, path, host: "control", ...(text === undefined ? {} : { body: text }) }
    try {
      return await ask({ socketPath: this.site.socket, agent: this.#agent }, question)
    } catch (error) {
      if (error instanceof IdleClosed) return ask({ socketPath: this.site.socket }, question)
      throw error
    }
  }

  /**
   * Reloads, with another configuration when one is given; returns when only new workers accept connections.
   * Throws with nginx's own words when it refuses; the old workers then go on.
   */
  async reload(conf?: WriteConf): Promise<void> {
    if (conf !== undefined) writeFileSync(confFile(this.site), textOf(conf, this.site))
    const old = new Set(this.workers())
    const logged = this.errorLog().length
    signal(this.pid, "SIGHUP")
    await until("nginx to reload", () => {
      const refusal = /\[emerg\].*/.exec(this.errorLog().slice(logged))
      if (refusal !== null) throw new Error(`nginx did not reload: ${refusal[0]}`)
      const now = this.workers()
      return now.length === workerCount(this.site) && now.every((pid) => !old.has(pid))
    })
  }

  /** Ends nginx (QUIT, after 5 s KILL) and removes its folder. May be called twice. */
  async stop(): Promise<void> {
    this.#agent.destroy()
    if (isRunning(this.pid)) await end(this.pid, "SIGQUIT")
    rmSync(this.dir, { recursive: true, force: true })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}

/** Starts nginx and waits until `site.port` or the control socket takes connections; throws with its error log when it does not come up. */
export function startNginx(conf: WriteConf, options: NginxOptions = {}): Promise<Nginx> {
  return measuredStart("nginx", () => started(conf, options))
}

async function started(conf: WriteConf, options: NginxOptions): Promise<Nginx> {
  const site = await prepare(conf, options)
  const command = [...(options.under ?? []), options.binary ?? nginxBinary, ...argumentsOf(site)]
  const env = { ...process.env, ...options.environment }
  const child = spawn("setpriv", bound("TERM", ...command), { stdio: "ignore", env })
  const nginx = new Nginx(site, child)
  child.once("error", () => {})
  try {
    // Valgrind takes minutes on a busy machine to let a filter be compiled.
    const maxMs = options.under === undefined ? patienceMs : 5 * patienceMs
    await until("nginx to listen", () => comesUp(child, site), maxMs)
    await until(
      "nginx's workers",
      () => options.under !== undefined || nginx.workers().length === workerCount(site),
    )
    return nginx
  } catch (error) {
    const log = nginx.errorLog()
    await nginx.stop()
    throw new Error(`${error instanceof Error ? error.message : error}\n${log}`)
  }
}

/** What `nginx -t` says about a configuration: `ok`, and its messages. */
export async function checkConf(
  conf: WriteConf,
  options: NginxOptions = {},
): Promise<{ ok: boolean; output: string }> {
  const site = await prepare(conf, options)
  const { promise, resolve } = Promise.withResolvers<{ ok: boolean; output: string }>()
  execFile(options.binary ?? nginxBinary, ["-t", ...argumentsOf(site)], (error, stdout, stderr) => {
    const output = stdout + stderr + readFileSync(join(site.dir, "error.log"), "utf8")
    rmSync(site.dir, { recursive: true, force: true })
    resolve({ ok: error === null, output })
  })
  return promise
}

async function prepare(conf: WriteConf, options: NginxOptions): Promise<Site> {
  const dir = mkdtempSync(join(tmpdir(), "wick-nginx-"))
  const ports = await freePorts(options.ports ?? 1)
  const socket = join(dir, "control.sock")
  const site = { dir, port: ports[0] ?? 0, ports, socket, modules: modulesDir, balancer: balancerFile }
  await mkdir(join(dir, "temp"))
  writeFileSync(join(dir, "error.log"), "")
  writeFileSync(confFile(site), textOf(conf, site))
  return site
}

/** How many workers the configuration asks for (a number, not `auto`). */
function workerCount(site: Site): number {
  return Number(/^\s*worker_processes\s+(\d+)/m.exec(readFileSync(confFile(site), "utf8"))?.[1] ?? 1)
}

const confFile = (site: Site) => join(site.dir, "nginx.conf")
const argumentsOf = (site: Site) => [
  "-p",
  site.dir,
  "-c",
  confFile(site),
  "-e",
  join(site.dir, "error.log"),
  "-g",
  "daemon off;",
]

/** True when it listens; throws when it has ended instead. */
async function comesUp(child: ChildProcess, site: Site): Promise<boolean> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
    const said = readFileSync(join(site.dir, "error.log"), "utf8")
      .match(/\[emerg\].*/g)
      ?.at(-1)
    const ending = `it ended with ${child.exitCode ?? child.signalCode}`
    throw new Error(`nginx did not start: ${said ?? ending}`)
  }
  return (await accepts({ port: site.port, host: "127.0.0.1" })) || (await accepts({ path: site.socket }))
}

function accepts(place: { port: number; host: string } | { path: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(place)
    socket.once("connect", () => resolve(true))
    socket.once("error", () => resolve(false))
    socket.on("close", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })
}

function textOf(write: WriteConf, site: Site): string {
  const conf = write(site)
  return typeof conf === "string" ? conf : around(site, conf)
}

function around(site: Site, conf: Exclude<Conf, string>): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${site.dir}/temp/${name};`)
    .join(" ")
  // As root, workers would otherwise become www-data and could not read the test's folder.
  const user = process.getuid?.() === 0 ? "user root;" : ""
  return `${user}
worker_processes ${conf.workers ?? 1};
pid ${site.dir}/nginx.pid;
error_log ${site.dir}/error.log info;
${conf.main ?? ""}
events { worker_connections 4096; }
http {
access_log off;
${temporary}
${conf.http}
}
`
}
