// A container of wick's image in the network of its Pod, as a runtime of containers runs it: runc, with the root file system that build/image.sh made.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { signal } from "../../harness/processes.ts"
import { until } from "../../harness/until.ts"
import { specOf } from "../support/oci.ts"
import type { ContainerOptions, RunningContainer } from "./container.ts"

const account = "/var/run/secrets/kubernetes.io/serviceaccount"
let count = 0

export class ImageContainer implements RunningContainer {
  readonly ended: Promise<void>
  readonly #id = `wick-pod-${process.pid}-${++count}`
  readonly #log: string
  readonly #bundle: string
  readonly #child: ChildProcess

  constructor({ dir, env, command, hostname, sandbox, mounts: volumes }: Omit<ContainerOptions, "image">) {
    this.#log = join(dir, "log")
    this.#bundle = mkdtempSync(join(dir, "bundle-"))
    writeFileSync(join(dir, "resolv.conf"), "nameserver 127.0.0.1\n")
    // An emptyDir belongs to the Pod: what a container before left is still there.
    const tmp = join(dir, "tmp")
    mkdirSync(tmp, { recursive: true })
    chmodSync(tmp, 0o777)
    const mounts = { ...volumes, [account]: join(dir, "account") }
    const network = `/proc/${sandbox}/ns/net`
    const spec = specOf({ dir, tmp, hostname, args: command, env, mounts, network })
    writeFileSync(join(this.#bundle, "config.json"), JSON.stringify(spec))
    const log = openSync(this.#log, "a")
    const words = ["run", "--bundle", this.#bundle, "--pid-file", this.#pidFile, this.#id]
    this.#child = spawn("runc", ["--root", this.#state, ...words], { stdio: ["ignore", log, log] })
    closeSync(log)
    this.ended = once(this.#child, "exit").then(() => rmSync(this.#bundle, { recursive: true, force: true }))
  }

  log(): string {
    return readFileSync(this.#log, "utf8")
  }

  get pid(): number | undefined {
    return this.hasEnded || !existsSync(this.#pidFile)
      ? undefined
      : Number(readFileSync(this.#pidFile, "utf8"))
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async exec(command: readonly string[]): Promise<number | string> {
    await until("a container to run", () => this.pid)
    const child = spawn("runc", ["--root", this.#state, "exec", this.#id, ...command], { stdio: "ignore" })
    const [code, by] = (await once(child, "exit")) as [number | null, string | null]
    return code ?? by ?? ""
  }

  signal(name: NodeJS.Signals): void {
    const { pid } = this
    if (pid !== undefined) signal(pid, name)
  }

  /** runc's, of this container alone. */
  get #state(): string {
    return join(this.#bundle, "state")
  }
  get #pidFile(): string {
    return join(this.#bundle, "pid")
  }
}
