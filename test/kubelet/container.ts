// A container: a process with mounts and process ids of its own, in the network of its Pod.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { bound } from "../../harness/bound.ts"
import { childrenOf, signal } from "../../harness/processes.ts"
import { until } from "../../harness/until.ts"

/** What an image is here: programs of this machine, by the names that they have in the image, "" for the one that it runs by itself; or wick's own, as it was built. */
export type Image = Programs | "built"
type Programs = Readonly<Record<string, readonly string[]>>

export interface ContainerOptions {
  readonly image: Programs
  /** as in the image */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** of the Pod: has `hosts`, `account/`, and takes `log` */
  readonly dir: string
  /** read-only: path inside → folder outside */
  readonly mounts: Readonly<Record<string, string>>
  readonly hostname: string
  /** of a process in the Pod's network */
  readonly sandbox: number
}

/** One that runs, or did. */
export interface RunningContainer {
  /** Resolves when it has ended, by itself or not. */
  readonly ended: Promise<void>
  /** Of its first process, in the machine's numbers; `undefined` when it has none, or none yet. */
  readonly pid: number | undefined
  readonly hasEnded: boolean
  /** All that it wrote, and what ran in its place before. */
  log(): string
  /** Runs another program in it. @returns its exit code, or the signal that ended it */
  exec(command: readonly string[]): Promise<number | string>
  /** To its first process, as the runtime sends it. */
  signal(name: NodeJS.Signals): void
}

export class Container implements RunningContainer {
  readonly ended: Promise<void>
  readonly #options: ContainerOptions
  readonly #child: ChildProcess

  constructor(options: ContainerOptions) {
    this.#options = options
    const { dir, sandbox, env, hostname, mounts } = options
    const volumes = Object.entries(mounts).flatMap(([inside, outside]) => [outside, inside])
    const log = openSync(join(dir, "log"), "a")
    const command = bound(
      "KILL",
      ...["nsenter", "--target", String(sandbox), "--net"],
      ...["unshare", "--mount", "--uts", "--pid", "--fork", "--kill-child=KILL", "--mount-proc"],
      ...["sh", "-ec", prepare, "container", dir, hostname, String(volumes.length / 2), ...volumes],
      ...this.#translated(options.command),
    )
    this.#child = spawn("setpriv", command, { stdio: ["ignore", log, log], env: { ...basicEnv, ...env } })
    closeSync(log)
    this.ended = once(this.#child, "exit").then(() => {})
  }

  log(): string {
    return readFileSync(join(this.#options.dir, "log"), "utf8")
  }

  get pid(): number | undefined {
    return this.hasEnded ? undefined : childrenOf(this.#child.pid ?? 0)[0]
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async exec(command: readonly string[]): Promise<number | string> {
    const pid = await until("a container to run", () => this.pid)
    const inside = ["--target", String(pid), "--mount", "--uts", "--net", "--pid", "--root", "--wd"]
    const env = { ...basicEnv, ...this.#options.env }
    const child = spawn("nsenter", [...inside, "--", ...this.#translated(command)], { stdio: "ignore", env })
    const [code, by] = (await once(child, "exit")) as [number | null, string | null]
    return code ?? by ?? ""
  }

  signal(name: NodeJS.Signals): void {
    if (this.pid !== undefined) signal(this.pid, name)
  }

  #translated([program = "", ...args]: readonly string[]): string[] {
    return [...(this.#options.image[program] ?? [program]), ...args]
  }
}

/**
 * What a runtime mounts; /var/run is /run. Words: the folder, the host's name, how many volumes, each as outside and inside, the command.
 * Folders that volumes are mounted on are made in a layer above this machine's.
 */
const prepare = `
  dir=$1 name=$2 volumes=$3 layers=
  shift 3
  while [ "$volumes" -gt 0 ]; do
    top=/$(echo "$2" | cut -d / -f 2)
    case "$layers " in *" $top "*) ;; *)
      layers="$layers $top"
      mkdir -p "$dir/upper$top" "$dir/work$top"
      mount -t overlay overlay -o "lowerdir=$top,upperdir=$dir/upper$top,workdir=$dir/work$top" "$top"
    esac
    mkdir -p "$2"
    mount --bind -o ro "$1" "$2"
    shift 2
    volumes=$((volumes - 1))
  done
  mount --bind "$dir/hosts" /etc/hosts
  mount -t tmpfs tmpfs /run
  mkdir -p /run/lock /run/secrets/kubernetes.io/serviceaccount
  mount --bind "$dir/account" /run/secrets/kubernetes.io/serviceaccount
  hostname "$name"
  exec "$@"
`

const basicEnv = { PATH: process.env.PATH ?? "", HOME: "/root" }
