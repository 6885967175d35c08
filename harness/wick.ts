// wick itself, run as its users run it: a process on free ports, with a directory of manifests or an API server.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bound } from "./bound.ts"
import { bringCompiled, keepCompiled } from "./compiled.ts"
import { type Answer, ask, type Question } from "./http.ts"
import { nodeBinary, root } from "./paths.ts"
import { freeListeners, type Listeners, listenerFlags } from "./ports.ts"
import { end, isRunning, signal, titleOf, workersOf } from "./processes.ts"
import { measuredStart } from "./starts.ts"
import { patienceMs, until } from "./until.ts"

export interface WickOptions {
  /** Files of the manifests directory: name → text. */
  readonly manifests?: Readonly<Record<string, string>>
  /** Reads from the API server of this kubeconfig instead; "": of the one that the environment names, as in a Pod. */
  readonly kubeconfig?: string
  /** More flags. */
  readonly flags?: readonly string[]
  /** Whether it has started, by its log, where it is not to become healthy. */
  readonly isStarted?: (log: string) => boolean
  /** How long it may take to get healthy; default two minutes. */
  readonly timeoutMs?: number
  /** Port to serve on; default a free one. */
  readonly port?: number
  /** More environment variables of the controller. */
  readonly env?: Readonly<Record<string, string>>
  /** What Node is told before flags of the controller: its own, and the entry; default the entry of the checkout. */
  readonly program?: readonly string[]
  /** In a process group of its own, out of reach of a Ctrl-C in the terminal; default false. */
  readonly detached?: boolean
}

export class Wick implements AsyncDisposable {
  readonly port: number
  readonly httpsPort: number
  readonly defaultServerPort: number
  readonly healthPort: number
  readonly #dir = mkdtempSync(join(tmpdir(), "wick-test-"))
  readonly #flags: readonly string[]
  readonly #timeoutMs: number
  readonly #program: readonly string[]
  readonly #detached: boolean
  readonly #env: Readonly<Record<string, string>>
  readonly #isStarted: WickOptions["isStarted"]
  #child: ChildProcess | undefined
  #log = ""

  constructor(free: Listeners, options: WickOptions) {
    const listeners = { ...free, http: options.port ?? free.http }
    this.port = listeners.http
    this.httpsPort = listeners.https
    this.defaultServerPort = listeners.defaultServer
    this.healthPort = listeners.healthz
    this.#timeoutMs = options.timeoutMs ?? 2 * patienceMs
    this.#program = options.program ?? [join(root, "controller/main.ts")]
    this.#detached = options.detached ?? false
    this.#env = options.env ?? {}
    this.#isStarted = options.isStarted
    // Workers that run as another user pass through it to their temporary files.
    chmodSync(this.#dir, 0o711)
    mkdirSync(this.manifestsDir)
    for (const [file, text] of Object.entries(options.manifests ?? {})) this.write(file, text)
    const own = {
      ...(options.kubeconfig === undefined
        ? { manifests: this.manifestsDir }
        : { kubeconfig: options.kubeconfig }),
      "runtime-dir": this.runtimeDir,
      "post-shutdown-grace-period": 0,
      "enable-metrics": true,
    }
    this.#flags = [
      ...listenerFlags(listeners),
      ...Object.entries(own).map(([name, value]) => `--${name}=${value}`),
      ...(options.flags ?? []),
    ]
  }

  get manifestsDir(): string {
    return join(this.#dir, "manifests")
  }
  get runtimeDir(): string {
    return join(this.#dir, "run")
  }
  /** Pid of the controller. */
  get pid(): number {
    return this.#child?.pid ?? 0
  }
  /** Pid of nginx's master, which survives the controller; `undefined` when none was started or it has ended. */
  get nginxPid(): number | undefined {
    try {
      const pid = Number(readFileSync(join(this.runtimeDir, "nginx.pid"), "utf8"))
      return titleOf(pid).includes(this.runtimeDir) ? pid : undefined
    } catch {
      return undefined
    }
  }
  /** Pids of nginx's workers that accept connections. */
  workers(): number[] {
    return this.nginxPid === undefined ? [] : workersOf(this.nginxPid)
  }
  /** The configuration on disk: the one in force, or about to be. */
  conf(): string {
    return readFileSync(join(this.runtimeDir, "nginx.conf"), "utf8")
  }
  /** What the controller wrote to stderr, over all its starts. */
  log(): string {
    return this.#log
  }

  /** Replaces a file of the manifests directory at once, as a careful editor does. */
  write(file: string, text: string): void {
    const path = join(this.manifestsDir, file)
    writeFileSync(`${path}.part`, text)
    renameSync(`${path}.part`, path)
  }
  remove(file: string): void {
    rmSync(join(this.manifestsDir, file))
  }

  /** Starts the controller (again) and waits until it is healthy. */
  async start(): Promise<this> {
    bringCompiled(this.runtimeDir)
    const child = spawn("setpriv", bound("TERM", nodeBinary, ...this.#program, ...this.#flags), {
      stdio: ["ignore", "ignore", "pipe"],
      detached: this.#detached,
      env: { ...process.env, ...this.#env },
    })
    this.#child = child
    running.add(this)
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#log += text
    })
    const isHealthy = () => this.#isHealthy(child)
    const healthy = () => until("wick to become healthy", isHealthy, this.#timeoutMs)
    await measuredStart("wick", healthy).catch(async (error: Error) => {
      await this.stop()
      throw new Error(`${error.message}${this.#complaint()}\n${this.#log}`)
    })
    keepCompiled(this.runtimeDir)
    return this
  }

  /** One request to the traffic port. */
  get(path = "/", question: Question = {}): Promise<Answer> {
    return ask({ port: this.port }, { path, ...question })
  }
  /** One request to the control socket. */
  control(method: string, path: string, body?: string): Promise<Answer> {
    const socketPath = join(this.runtimeDir, "control/control.sock")
    return ask({ socketPath }, { method, path, ...(body === undefined ? {} : { body }) })
  }

  /** Sum of a metric over its labels, or over those that have this one (`cause="cut"`); 0 when it has not been counted yet. */
  async metric(name: string, label = ""): Promise<number> {
    const { body } = await ask({ port: this.healthPort }, { path: "/metrics" })
    const lines = body
      .split("\n")
      .filter((line) => new RegExp(`^${name}(\\{.*\\})? `).test(line) && line.includes(label))
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0)
  }

  /** Kills the controller with -9; nginx stays. */
  async kill(): Promise<void> {
    signal(this.pid, "SIGKILL")
    await until("the controller to die", () => !isRunning(this.pid))
  }

  /** SIGTERM, then whatever is needed; returns the controller's exit code. Removes the folder. */
  async stop(): Promise<number | null> {
    const child = this.#child
    const hasEnded = child === undefined || child.exitCode !== null || child.signalCode !== null
    const exited = hasEnded ? undefined : once(child, "exit")
    if (isRunning(this.pid)) await end(this.pid, "SIGTERM", patienceMs)
    await exited
    const nginx = this.nginxPid
    if (nginx !== undefined) await end(nginx, "SIGQUIT")
    running.delete(this)
    rmSync(this.#dir, { recursive: true, force: true })
    return child?.exitCode ?? null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  /** The sentence with which a controller ends that cannot start, to stand in the first line of a failure. */
  #complaint(): string {
    const sentence = /^wick: (.*)/gm.exec(this.#log)?.[1]
    return sentence === undefined ? "" : `: ${sentence}`
  }

  async #isHealthy(child: ChildProcess): Promise<boolean> {
    if (child.exitCode !== null)
      throw new Error(`wick ended with ${child.exitCode} instead of becoming healthy`)
    if (this.#isStarted !== undefined) return this.#isStarted(this.#log)
    const answer = await ask({ port: this.healthPort }, { path: "/healthz", timeoutMs: 5000 }).catch(
      () => undefined,
    )
    return answer?.status === 200
  }
}

/** Starts wick on free ports and waits for its /healthz. */
export async function startWick(options: WickOptions = {}): Promise<Wick> {
  return new Wick(await freeListeners(), options).start()
}

const running = new Set<Wick>()
process.on("exit", () => {
  for (const wick of running) {
    const nginx = wick.nginxPid
    if (wick.pid > 0 && isRunning(wick.pid)) signal(wick.pid, "SIGKILL")
    if (nginx !== undefined) signal(nginx, "SIGTERM")
  }
})
