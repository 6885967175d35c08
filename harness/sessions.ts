// Many TCP sessions that stay open through a port, to servers that give back what comes.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { nodeBinary } from "./paths.ts"
import { signal } from "./processes.ts"
import { until } from "./until.ts"

/** Gives back what comes, in a process of its own: so its sockets are none of this one's. */
export class EchoProcess implements Disposable {
  readonly #process: ChildProcess
  readonly port: number

  private constructor(process: ChildProcess, port: number) {
    this.#process = process
    this.port = port
  }

  static async start(): Promise<EchoProcess> {
    const child = spawn(nodeBinary, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] })
    running.add(child)
    const [port] = await once(child.stdout.setEncoding("utf8"), "data")
    return new EchoProcess(child, Number(port))
  }

  [Symbol.dispose](): void {
    this.#process.kill("SIGKILL")
    running.delete(this.#process)
  }
}

const program = `
const server = require("node:net").createServer((socket) => socket.on("error", () => {}).pipe(socket))
server.listen({ port: 0, host: "127.0.0.1", backlog: 8192 }, () => console.log(server.address().port))
`

const running = new Set<ChildProcess>()
process.on("exit", () => {
  for (const { pid } of running) if (pid !== undefined) signal(pid, "SIGKILL")
})

/** How many are opened at once: more would have to wait for the listening socket. */
const atOnce = 200

interface Session {
  readonly socket: Socket
  received: number
}

export class Sessions implements Disposable {
  readonly #all: Session[] = []

  /** Opens so many more, each of which has been answered. */
  async open(port: number, count: number): Promise<void> {
    for (let left = count; left > 0; left -= atOnce) {
      const added = Array.from({ length: Math.min(left, atOnce) }, () => session(port))
      this.#all.push(...added)
      await echoed(added)
      if (added.some(({ received }) => received === 0))
        throw new Error(`A session at port ${port} was closed`)
    }
  }

  get alive(): readonly Session[] {
    return this.#all.filter(({ socket }) => !socket.destroyed)
  }

  /** Sends something by each, and waits until all have been answered or are closed. @returns how many are closed */
  async lost(): Promise<number> {
    await echoed(this.alive)
    return this.#all.length - this.alive.length
  }

  /** This side's ports of those that are open. */
  ports(): ReadonlySet<number> {
    return new Set(this.alive.flatMap(({ socket }) => socket.localPort ?? []))
  }

  [Symbol.dispose](): void {
    for (const { socket } of this.#all) socket.destroy()
  }
}

function session(port: number): Session {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true })
  const session = { socket, received: 0 }
  socket
    .on("error", () => {})
    .on("data", ({ length }) => {
      session.received += length
    })
  return session
}

async function echoed(sessions: readonly Session[]): Promise<void> {
  const before = sessions.map(({ received }) => received)
  for (const { socket } of sessions) socket.write("?")
  await until("all sessions to be answered or closed", () =>
    sessions.every(({ socket, received }, at) => socket.destroyed || received > (before[at] ?? 0)),
  )
}

/** Ports of the clients whose connections to `port` a process of this machine has. */
export function clientPortsOf(pid: number, port: number): ReadonlySet<number> {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  const rows = readFileSync("/proc/net/tcp", "utf8").split("\n").slice(1)
  const clients = rows
    .map((row) => row.trim().split(/\s+/))
    .flatMap(([, local = "", remote = "", ...rest]) => {
      const isOurs = portIn(local) === port && inodes.has(rest[6] ?? "")
      return isOurs ? [portIn(remote)] : []
    })
  return new Set(clients.filter((client) => client > 0))
}

/** Of `0100007F:1F90`. */
function portIn(text: string): number {
  return Number.parseInt(text.split(":")[1] ?? "", 16)
}

/** "" for one that has been closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ""
  }
}
