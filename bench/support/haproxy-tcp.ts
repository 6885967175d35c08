// HAProxy that passes a port of TCP on to one server, as nginx's stream module does by hand.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePorts } from "../../harness/ports.ts"
import { until } from "../../harness/until.ts"

/** Under valgrind. */
const startingMs = 60_000

interface TcpHaproxy {
  readonly tcp: number
  readonly pid: number
  stop(): Promise<void>
}

/** As one process with one thread. @throws Error when HAProxy is not installed, or does not start */
export async function startTcpHaproxy(endpoint: string, under: readonly string[]): Promise<TcpHaproxy> {
  const dir = mkdtempSync(join(tmpdir(), "wick-haproxy-"))
  const conf = join(dir, "haproxy.cfg")
  const [port = 0] = await freePorts(1)
  writeFileSync(conf, confOf(port, endpoint))
  const [program = "haproxy", ...args] = [...under, "haproxy", "-db", "-f", conf]
  const child = spawn(program, args, {
    stdio: ["ignore", openSync(join(dir, "access.log"), "w"), "ignore"],
  })
  await until("HAProxy to listen", () => isListening(port, child), startingMs)
  return {
    ...{ tcp: port, pid: child.pid ?? 0 },
    async stop() {
      child.kill("SIGTERM")
      if (child.exitCode === null) await once(child, "exit")
      rmSync(dir, { recursive: true })
    },
  }
}

async function isListening(port: number, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null)
    throw new Error("HAProxy does not start: install it with 'apt-get install haproxy'")
  const socket = connect({ port, host: "127.0.0.1" })
  const isThere = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
  })
  socket.destroy()
  return isThere
}

function confOf(port: number, endpoint: string): string {
  return `global
    nbthread 1
    maxconn 1000
    log stdout format raw local0
defaults
    mode tcp
    log global
    option tcplog
    timeout connect 5s
    timeout client 60s
    timeout server 60s
frontend clients
    bind 127.0.0.1:${port}
    default_backend own
backend own
    server own ${endpoint}
`
}
