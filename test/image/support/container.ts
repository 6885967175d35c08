// A container of wick's image as the kubelet asks a runtime for one: the built root file system, read-only, in namespaces of its own, as user 101
// without any privilege but the one for low ports. It shares the network of the test, in which addresses of pods are this machine's.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { childrenOf, signal, titleOf } from "../../../harness/processes.ts"
import { patienceMs, until } from "../../../harness/until.ts"
import { type Bundle, specOf } from "../../support/oci.ts"

export interface ContainerOptions extends Omit<Bundle, "dir" | "tmp" | "hostname"> {
  /** folder for /tmp, which outlives the container as an emptyDir does; default one of its own */
  readonly tmp?: string
}

/** What a program in the container came to. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const runtimeRoot = mkdtempSync(join(tmpdir(), "wick-runc-"))
let count = 0

export class Container implements AsyncDisposable {
  readonly #id = `wick-${process.pid}-${++count}`
  readonly #dir = mkdtempSync(join(tmpdir(), "wick-container-"))
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  #out = ""
  #err = ""

  constructor(options: ContainerOptions) {
    chmodSync(this.#dir, 0o755)
    writeFileSync(join(this.#dir, "hosts"), "127.0.0.1 localhost\n")
    writeFileSync(join(this.#dir, "resolv.conf"), "nameserver 127.0.0.1\n")
    const tmp = options.tmp ?? join(this.#dir, "tmp")
    mkdirSync(tmp, { recursive: true })
    chmodSync(tmp, 0o777)
    writeFileSync(
      join(this.#dir, "config.json"),
      JSON.stringify(specOf({ ...options, dir: this.#dir, tmp, hostname: "wick-0" })),
    )
    const bundle = ["--bundle", this.#dir, "--pid-file", this.#pidFile]
    const args = ["--root", runtimeRoot, "run", ...bundle, this.#id]
    this.#child = spawn("runc", args, { stdio: ["ignore", "pipe", "pipe"] })
    this.#exited = once(this.#child, "exit")
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#out += text
    })
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#err += text
    })
    running.add(this)
  }

  /** What it wrote to stdout: nginx's access log. */
  get out(): string {
    return this.#out
  }
  /** What it wrote to stderr. */
  get err(): string {
    return this.#err
  }
  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Runs a program in it, as hooks and `kubectl exec` do. */
  async exec(...command: readonly string[]): Promise<Ended> {
    const child = spawn("runc", ["--root", runtimeRoot, "exec", this.#id, ...command])
    let out = ""
    let err = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text
    })
    await once(child, "close")
    return { code: child.exitCode, out, err }
  }

  /** Its processes as this machine counts them, PID 1 first. */
  pids(): number[] {
    return familyOf(this.#first)
  }
  /** Those whose title matches. */
  pidsOf(title: RegExp): number[] {
    return this.pids().filter((pid) => title.test(titleOf(pid)))
  }

  /** To PID 1. */
  signal(name: NodeJS.Signals): void {
    signal(this.#first, name)
  }

  /** @returns the exit code, as the kubelet sees it */
  async ended(timeoutMs = patienceMs): Promise<number | null> {
    await until("the container to end", () => this.hasEnded, timeoutMs)
    await this.#exited
    return this.#child.exitCode
  }

  /** As the kubelet ends a Pod without a hook. */
  async stop(graceMs = patienceMs): Promise<number | null> {
    if (!this.hasEnded && existsSync(this.#pidFile)) this.signal("SIGTERM")
    await this.ended(graceMs).catch(() => this.killNow())
    await this.#exited
    running.delete(this)
    rmSync(this.#dir, { recursive: true, force: true })
    return this.#child.exitCode
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  killNow(): void {
    if (!this.hasEnded && existsSync(this.#pidFile)) this.signal("SIGKILL")
  }

  get #pidFile(): string {
    return join(this.#dir, "pid")
  }
  /** PID 1 as this machine counts it. @throws Error when nothing was started */
  get #first(): number {
    return Number(readFileSync(this.#pidFile, "utf8"))
  }
}

function familyOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(familyOf)]
}

const running = new Set<Container>()
process.on("exit", () => {
  for (const container of running) container.killNow()
  rmSync(runtimeRoot, { recursive: true, force: true })
})
