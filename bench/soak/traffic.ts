import { once } from "node:events"
import { connect as connectHttp2 } from "node:http2"
import { connect } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { call } from "../../harness/grpc.ts"
import { IdleClosed } from "../../harness/http.ts"
import { type LoadOptions, startLoad } from "../../harness/load.ts"
import { basic } from "../../harness/passwords.ts"
import { TlsClient } from "../../harness/tls-client.ts"
import type { Ledger } from "./ledger.ts"
import type { Stage } from "./stage.ts"

export interface Traffic {
  readonly names: readonly string[]
  stop(): Promise<void>
}

/** One connection of a kind of client after the other, until it is told to stop. */
type Connection = (stage: Stage, ledger: Ledger, n: number, isOver: () => boolean) => Promise<void>

const requestsPerConnection = 50
const pauseMs = 25

/** Clients that ask all the time, at a pace that leaves the machine something. */
export function startTraffic(stage: Stage, ledger: Ledger): Traffic {
  const kinds: Readonly<Record<string, Connection>> = {
    "HTTP, kept": plain(true),
    "HTTP, a connection each": plain(false),
    "with a password": guarded,
    TLS: tls("h1"),
    "HTTP/2": tls("h2"),
    gRPC: grpc,
    "WebSocket, open for 20 s": webSocket,
  }
  let isOver = false
  const clients = Object.values(kinds).flatMap((kind) =>
    [0, 1].map(async (first) => {
      for (let n = first; !isOver; n += 2) await kind(stage, ledger, n, () => isOver)
    }),
  )
  return {
    names: Object.keys(kinds),
    stop: async () => {
      isOver = true
      await Promise.all(clients)
    },
  }
}

function plain(keepAlive: boolean): Connection {
  const what = keepAlive ? "HTTP, kept" : "HTTP, a connection each"
  return ({ wick, hosts }, ledger, n) =>
    http(ledger, what, {
      port: wick.port,
      keepAlive,
      question: (i) => ({
        host: hosts[(n + i) % hosts.length] ?? "",
        path: `/${n}?i=${i}`,
        headers: faultOf(n + i),
      }),
    })
}

/** Of a host with address lists, users, an authentication service and limits. */
const guarded: Connection = ({ wick }, ledger, n) =>
  http(ledger, "with a password", {
    port: wick.port,
    keepAlive: true,
    question: (i) => ({ host: "guarded.test", path: `/${n}?i=${i}`, headers: basic("foo") }),
  })

async function http(
  ledger: Ledger,
  what: string,
  asked: Pick<LoadOptions, "port" | "keepAlive" | "question">,
): Promise<void> {
  const load = startLoad({
    ...asked,
    connections: 1,
    requests: requestsPerConnection,
    pauseMs,
    onAnswer: ({ status }, startedMs) => note(ledger, what, startedMs, status),
  })
  const { lost } = await load.done
  for (const { startedMs, error } of lost) ledger.lost(what, startedMs, error)
}

const faults = ["trap", "loop", "memory", "address"]
const faultEveryMs = 20_000
let nextFaultMs = faultEveryMs

/** Now and then a request makes the filter fail: seldom enough for it to be taken for well in between. */
function faultOf(n: number): Record<string, string> {
  if (performance.now() < nextFaultMs) return {}
  nextFaultMs = performance.now() + faultEveryMs
  return { "x-wick-fault": faults[n % faults.length] ?? "trap" }
}

function note(ledger: Ledger, what: string, startedMs: number, status: number): void {
  if (status === 200) ledger.answered(what)
  else ledger.lost(what, startedMs, `status ${status}`)
}

function tls(protocol: "h1" | "h2"): Connection {
  const what = protocol === "h1" ? "TLS" : "HTTP/2"
  return async ({ wick, hosts }, ledger, n, isOver) => {
    const host = hosts[n % hosts.length] ?? ""
    let startedMs = performance.now()
    try {
      await using client = await TlsClient.connect(wick.httpsPort, { servername: host, protocol })
      for (let i = 0; i < requestsPerConnection && !isOver() && !client.isClosed; i += 1) {
        startedMs = performance.now()
        const { status } = await client.ask({ host, path: `/${n}?i=${i}` })
        note(ledger, what, startedMs, status)
        await pause(pauseMs)
      }
    } catch (error) {
      if (!isUntouched(error)) ledger.lost(what, startedMs, String(error))
    }
  }
}

/** The server says that it has not touched the request, and every client sends it again. Source: RFC 9112, 9.3.1; RFC 9113, 8.7. */
function isUntouched(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  const isAfterGoodbye = code === "ERR_HTTP2_GOAWAY_SESSION"
  return isAfterGoodbye || error instanceof IdleClosed || String(error).includes("NGHTTP2_REFUSED_STREAM")
}

const grpc: Connection = async ({ wick }, ledger, _, isOver) => {
  let startedMs = performance.now()
  const session = connectHttp2(`https://127.0.0.1:${wick.httpsPort}`, {
    servername: "grpc.test",
    rejectUnauthorized: false,
  })
  // of no call
  session.on("error", () => {})
  try {
    for (let i = 0; i < requestsPerConnection && !isOver() && !session.closed; i += 1) {
      startedMs = performance.now()
      const { status, grpcStatus } = await call(session, "/echo/say", "hello")
      if (grpcStatus === "0") ledger.answered("gRPC")
      else ledger.lost("gRPC", startedMs, `status ${status}, grpc-status ${grpcStatus}`)
      await pause(pauseMs)
    }
  } catch (error) {
    if (!isUntouched(error)) ledger.lost("gRPC", startedMs, String(error))
  } finally {
    session.destroy()
  }
}

/** Shorter than workers that are replaced may take to end, so that none of them is cut. */
const openMs = 20_000

const webSocket: Connection = async ({ wick }, ledger, n, isOver) => {
  let startedMs = performance.now()
  const socket = connect(wick.port, "127.0.0.1")
  const closed = once(socket, "close").then(() => {
    throw new Error("closed")
  })
  closed.catch(() => {})
  socket.on("error", () => {})
  const next = () => Promise.race([once(socket, "data"), closed]) as Promise<[Buffer]>
  try {
    socket.write("GET / HTTP/1.1\r\nHost: echo.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    const [head] = await next()
    if (!head.includes(" 101 ")) throw new Error(head.toString().split("\r\n")[0])
    for (let sent = 0; sent < openMs / 1000 && !isOver(); sent += 1) {
      startedMs = performance.now()
      socket.write(`message ${n} ${sent}`)
      const [answer] = await next()
      if (answer.toString() !== `message ${n} ${sent}`)
        throw new Error(`${answer} in place of message ${sent}`)
      ledger.answered("WebSocket")
      await Promise.race([pause(1000), closed])
    }
  } catch (error) {
    ledger.lost("WebSocket", startedMs, String(error))
  } finally {
    socket.destroy()
  }
}
