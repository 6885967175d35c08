// A container of wick's image as the kubelet asks a runtime for one: the built root file system, read-only, in namespaces of its own, as user 101
// without any privilege but the one for low ports. It shares the network of the test, in which addresses of pods are this machine's.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "../../support/paths.ts"
import { childrenOf, signal, titleOf } from "../../support/processes.ts"
import { patienceMs, until } from "../../support/until.ts"
import { runtimeDefault } from "./seccomp.ts"

export interface ContainerOptions {
  /** behind the image's entrypoint; default its command */
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** read-only: path inside → folder or file outside */
  readonly mounts?: Readonly<Record<string, string>>
  /** folder for /tmp, which outlives the container as an emptyDir does; default one of its own */
  readonly tmp?: string
  readonly variant?: "slim" | "full"
  /** of its control group; default none. Source: OCI runtime specification, `linux.resources` */
  readonly resources?: object
  /** default that of ports below 1024 */
  readonly capabilities?: readonly string[]
}

/** What a program in the container came to. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const runtimeRoot = mkdtempSync(join(tmpdir(), "wick-runc-"))
const netBind = ["CAP_NET_BIND_SERVICE"]
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
    writeFileSync(join(this.#dir, "config.json"), JSON.stringify(specOf(this.#dir, tmp, options)))
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

/** What an image runs. Source: OCI image specification, `config`. */
interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly WorkingDir: string
}

function configOf(variant: string): ImageConfig {
  return JSON.parse(readFileSync(join(root, `out/image/${variant}.json`), "utf8")).config
}

/** Source: OCI runtime specification; the values are what containerd makes of a Pod with the chart's securityContext. */
function specOf(dir: string, tmp: string, options: ContainerOptions): object {
  const { variant = "slim", mounts = {}, resources = {} } = options
  const capabilities = options.capabilities ?? netBind
  const image = configOf(variant)
  const args = options.args ?? image.Cmd
  const [uid, gid] = image.User.split(":").map(Number)
  const env = Object.entries(options.env ?? {}).map(([name, value]) => `${name}=${value}`)
  const bind = (destination: string, source: string, mode: string) => ({
    destination,
    source,
    type: "bind",
    options: ["rbind", mode, "nosuid", "nodev"],
  })
  return {
    ociVersion: "1.0.2",
    process: {
      user: { uid, gid },
      args: [...image.Entrypoint, ...args],
      env: [...image.Env, ...env],
      cwd: image.WorkingDir,
      capabilities: { bounding: capabilities, effective: capabilities, permitted: capabilities },
      noNewPrivileges: true,
    },
    root: { path: realpathSync(join(root, "out/image", variant)), readonly: true },
    hostname: "wick-0",
    mounts: [
      { destination: "/proc", type: "proc", source: "proc", options: ["nosuid", "noexec", "nodev"] },
      { destination: "/dev", type: "tmpfs", source: "tmpfs", options: ["nosuid", "strictatime", "mode=755"] },
      {
        destination: "/dev/shm",
        type: "tmpfs",
        source: "shm",
        options: ["nosuid", "noexec", "nodev", "mode=1777"],
      },
      { destination: "/sys", type: "sysfs", source: "sysfs", options: ["nosuid", "noexec", "nodev", "ro"] },
      {
        destination: "/sys/fs/cgroup",
        type: "cgroup",
        source: "cgroup",
        options: ["nosuid", "noexec", "nodev", "relatime", "ro"],
      },
      bind("/etc/hosts", join(dir, "hosts"), "ro"),
      bind("/etc/resolv.conf", join(dir, "resolv.conf"), "ro"),
      bind("/tmp", tmp, "rw"),
      ...Object.entries(mounts).map(([inside, outside]) => bind(inside, outside, "ro")),
    ],
    linux: {
      namespaces: ["pid", "ipc", "uts", "mount", "cgroup"].map((type) => ({ type })),
      resources,
      seccomp: runtimeDefault(capabilities),
      maskedPaths: ["/proc/kcore", "/proc/keys", "/proc/timer_list", "/sys/firmware"],
      readonlyPaths: ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
    },
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
