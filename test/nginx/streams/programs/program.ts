// Programs of Debian's packages, unpacked by build/programs.sh: servers that run as long as a test, and their clients, which end by themselves.
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process"
import { globSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "../../../../harness/paths.ts"
import { end, signal } from "../../../../harness/processes.ts"
import { until } from "../../../../harness/until.ts"

let isUnpacked = false

/** A file of the packages. @param pattern below /usr, with `*` where releases differ */
export function packaged(pattern: string): string {
  if (!isUnpacked) execFileSync(join(root, "build/programs.sh"), { stdio: ["ignore", "inherit", "inherit"] })
  isUnpacked = true
  const found = globSync(join(root, "out/programs/usr", pattern))[0]
  if (found === undefined) throw new Error(`The packages have no ${pattern}`)
  return found
}

/** For what the machine does not have installed. */
function environment(): NodeJS.ProcessEnv {
  const libraries = packaged("lib/*-linux-gnu*")
  return {
    ...process.env,
    LD_LIBRARY_PATH: libraries,
    PYTHONPATH: packaged("lib/python3/dist-packages"),
    TZ: "GMT",
  }
}

interface Started {
  /** `packaged`, or one of the machine */
  readonly program: string
  readonly args: readonly string[]
  /** words before the program, as `unshare --user` */
  readonly under?: readonly string[]
  /** whether it serves; asked again and again */
  readonly isReady: () => boolean | Promise<boolean>
}

export class Program implements AsyncDisposable {
  readonly #process: ChildProcess
  #said = ""

  private constructor({ program, args, under = [] }: Started) {
    const [first = "", ...more] = [...under, program, ...args]
    this.#process = spawn(first, more, { stdio: ["ignore", "pipe", "pipe"], env: environment() })
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#said += text
      })
    running.add(this)
  }

  static async start(started: Started): Promise<Program> {
    const program = new Program(started)
    const isReady = () => {
      if (program.#process.exitCode !== null) throw new Error(`It ended with ${program.#process.exitCode}`)
      return started.isReady()
    }
    await until(`${started.program} to serve`, isReady).catch(async (error: Error) => {
      await program[Symbol.asyncDispose]()
      throw new Error(`${error.message}\n${program.#said}`)
    })
    return program
  }

  /** What it wrote. */
  get said(): string {
    return this.#said
  }

  get pid(): number {
    return this.#process.pid ?? 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.pid !== 0) await end(this.pid, "SIGTERM")
    running.delete(this)
  }
}

const running = new Set<Program>()
process.on("exit", () => {
  for (const { pid } of running) if (pid !== 0) signal(pid, "SIGKILL")
})

/** Runs a client. @returns what it printed @throws with its complaints when it does not end with 0 */
export async function run(program: string, args: readonly string[], input?: string): Promise<string> {
  const running = promisify(execFile)(program, args, { env: environment(), maxBuffer: 64 * 1024 * 1024 })
  // One that has ended before it read anything says why by itself.
  running.child.stdin?.on("error", () => {}).end(input ?? "")
  return (await running).stdout
}

/** Whether a client succeeds. */
export function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  )
}
