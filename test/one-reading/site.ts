// wick in front of five servers and an authentication service, and a client that writes any bytes.
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Echo } from "../../harness/echo.ts"
import { ingress, ingressClass, manifest, serviceOn, settings } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import { startWick, type Wick } from "../../harness/wick.ts"
import { type Http2Request, sendHttp2 } from "../support/http2-bytes.ts"
import {
  type Backend,
  NodeBackend,
  startGo,
  startHaproxy,
  startNginxBackend,
  startPython,
} from "./backends.ts"
import { bytesOf, type Case } from "./grammar.ts"
import { type Asked, disagreements, type Logged } from "./oracle.ts"
import { type Report, readReport } from "./report.ts"

export interface Outcome {
  readonly reports: readonly Report[]
  readonly statuses: readonly number[]
}

/** Milliseconds without a byte after which nothing more is expected of a connection. */
const idleMs = 250

export class OneReading implements AsyncDisposable {
  readonly node = new NodeBackend()
  readonly service = new Echo()
  readonly #dir = mkdtempSync(join(tmpdir(), "wick-one-reading-"))
  readonly #stack = new AsyncDisposableStack()
  #wick: Wick | undefined
  #log: number | undefined
  #read = 0

  static async start(more: Readonly<Record<string, string>> = {}): Promise<OneReading> {
    const site = new OneReading()
    await site.#start(more)
    return site
  }

  get wick(): Wick {
    if (this.#wick === undefined) throw new Error("wick has not been started")
    return this.#wick
  }

  async #start(more: Readonly<Record<string, string>>): Promise<void> {
    const { node, service } = this
    this.#stack.use(await node.start())
    this.#stack.use(await service.start())
    service.answer = ({ headers }) => {
      const user = userOf(String(headers.cookie ?? ""))
      return user === "" ? { status: 401 } : { headers: { "x-user": user } }
    }
    const others: Readonly<Record<string, Backend>> = {
      nginx: this.#stack.use(await startNginxBackend()),
      haproxy: this.#stack.use(await startHaproxy()),
      go: this.#stack.use(await startGo()),
      python: this.#stack.use(await startPython()),
      node,
    }
    const objects = Object.entries(others).flatMap(([name, { port }]) => objectsOf(name, port))
    const own = { ...keys, "access-log-path": join(this.#dir, "access.log"), ...more }
    this.#wick = this.#stack.use(
      await startWick({
        manifests: {
          "class.yaml": manifest(ingressClass, settings("demo/settings", own)),
          "all.yaml": manifest(...objects, ...serviceOn("demo/auth", [service.port])),
        },
        flags: ["--configmap=demo/settings", "--sync-rate-limit=100"],
      }),
    )
    for (const name of Object.keys(others))
      for (const host of [`${name}.test`, `cut.${name}.test`])
        await until(
          `${host} to be served`,
          async () => (await this.wick.get(host.startsWith("cut") ? "/cut/" : "/", { host })).status === 200,
        )
    await this.findings([])
  }

  /** Writes a case on a connection of its own, and a request behind it that closes the connection. */
  send(messages: Case): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const socket = connect(this.wick.port, "127.0.0.1")
    let received = ""
    socket.setEncoding("latin1").setTimeout(idleMs)
    socket.on("data", (text) => {
      received += text
    })
    socket.on("error", () => {})
    socket.on("timeout", () => socket.destroy())
    socket.on("close", () => resolve(outcomeOf(received)))
    socket.write(bytesOf(messages) + last, "latin1")
    return promise
  }

  /** The same by HTTP/2, whose answers say nothing here but their status: what the server in this process has read is looked at. */
  async sendHttp2(request: Http2Request): Promise<Outcome> {
    const status = Number(await sendHttp2(this.wick.httpsPort, request, { isTls: true }))
    return { reports: [], statuses: Number.isNaN(status) ? [] : [status] }
  }

  /** What nobody agrees on of these outcomes, and of what came besides; to be asked when nothing is on its way. */
  async findings(outcomes: readonly Outcome[]): Promise<string[]> {
    const reports = outcomes.flatMap((outcome) => outcome.reports)
    const seen = this.node.seen.splice(0)
    const asked = new Map(
      this.service.asked.splice(0).map((question) => [question.headers["x-request-id"], askedOf(question)]),
    )
    const wanted = new Set([...reports, ...seen].map(({ id }) => id).filter((id) => id !== ""))
    const logged = await this.#logged(wanted)
    const all = [...reports, ...seen.filter(({ id }) => !reports.some((report) => report.id === id))]
    const ids = reports.map(({ id }) => id)
    const twice = ids
      .filter((id, at) => ids.indexOf(id) !== at)
      .map((id) => `two answers to one request: ${id}`)
    const found = all.flatMap((report) =>
      disagreements({ report, logged: logged.get(report.id), asked: asked.get(report.id) }),
    )
    return [...twice, ...found]
  }

  /** Lines since the last time, by id, when those that are wanted are there: a line is written when its answer was sent. */
  async #logged(wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, Logged>> {
    const lines = new Map<string, Logged>()
    await until("lines of the log", () => {
      for (const line of this.#newLines()) lines.set(line.id, line)
      return [...wanted].every((id) => lines.has(id))
    })
    return lines
  }

  #newLines(): Logged[] {
    this.#log ??= openSync(join(this.#dir, "access.log"), "r")
    const bytes = Buffer.alloc(1 << 20)
    const length = readSync(this.#log, bytes, 0, bytes.length, this.#read)
    const whole = bytes.subarray(0, length).subarray(0, bytes.lastIndexOf(10, length - 1) + 1)
    this.#read += whole.length
    const lines = whole.toString("utf8").split("\n").filter(Boolean)
    return lines.map((line) => JSON.parse(line))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#log !== undefined) closeSync(this.#log)
    await this.#stack.disposeAsync()
    rmSync(this.#dir, { recursive: true })
  }
}

const last = "GET /open/last HTTP/1.1\r\nHost: node.test\r\nConnection: close\r\n\r\n"

const keys = {
  "worker-processes": "1",
  "log-format-escape-json": "true",
  "log-format-upstream": JSON.stringify({
    id: "$req_id",
    host: "$host",
    uri: "$uri",
    target: "$request_uri",
    address: "$remote_addr",
    method: "$request_method",
    scheme: "$scheme",
    path: "$location_path",
  }),
  "access-log-params": "",
  "keep-alive-requests": "1000000",
}

/** The same routes for each server, one of which nobody may get to, and one that somebody is asked about. */
function objectsOf(name: string, port: number) {
  const host = `${name}.test`
  const told = (prefix: string) => ({ "x-forwarded-prefix": prefix })
  const cut = { ...told("/cut"), "use-regex": "true", "rewrite-target": "/inside$1" }
  const asks = {
    ...told("/asks"),
    "auth-url": "http://auth.demo.svc.cluster.local/",
    "auth-response-headers": "X-User",
    "auth-cache-key": "$cookie_session",
  }
  return [
    ingress(`demo/${name}-root`, `${host}/ → ${name}:80`, told("/root")),
    ingress(`demo/${name}-open`, `${host}/open → ${name}:80`, told("/open")),
    ingress(`demo/${name}-guarded`, `${host}/guarded → ${name}:80`, {
      ...told("/guarded"),
      "denylist-source-range": "127.0.0.0/8",
    }),
    ingress(`demo/${name}-asks`, `${host}/asks → ${name}:80`, asks),
    ingress(`demo/${name}-cut`, `cut.${host}/cut(.*) → ${name}:80`, cut),
    ...serviceOn(`demo/${name}`, [port]),
  ]
}

/** Of several cookies the last counts, as many services have it. */
function userOf(cookies: string): string {
  const sessions = cookies
    .split(";")
    .map((it) => it.trim())
    .filter((it) => it.startsWith("session="))
  const session = sessions.at(-1)?.slice("session=".length) ?? ""
  return ["ann", "bob"].includes(session) ? session : ""
}

function askedOf({ headers }: Echo["asked"][number]): Asked {
  const told = (name: string) => String(headers[name] ?? "")
  const user = userOf(told("cookie"))
  return {
    id: told("x-request-id"),
    url: told("x-original-url"),
    realIp: told("x-real-ip"),
    forwardedFor: told("x-forwarded-for"),
    user,
  }
}

function outcomeOf(received: string): Outcome {
  const reports: Report[] = []
  const statuses: number[] = []
  let rest = received
  for (let end = rest.indexOf("\r\n\r\n"); end >= 0; end = rest.indexOf("\r\n\r\n")) {
    const head = rest.slice(0, end + 2)
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0)
    const length = Number(/\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1] ?? 0)
    const isChunked = /\r\ntransfer-encoding: *chunked\r\n/i.test(head)
    rest = rest.slice(end + 4)
    if (status >= 200) statuses.push(status)
    const body = isChunked ? chunksOf(rest) : { text: rest.slice(0, length), length }
    // The answer to HEAD has no body, whatever its head says.
    if (rest.startsWith("HTTP/1.1 ")) continue
    const report = readReport(body.text)
    if (report !== undefined) reports.push(report)
    rest = rest.slice(body.length)
  }
  return { reports, statuses }
}

function chunksOf(text: string): { readonly text: string; readonly length: number } {
  let [whole, at] = ["", 0]
  for (;;) {
    const line = text.indexOf("\r\n", at)
    const size = line < 0 ? 0 : Number.parseInt(text.slice(at, line), 16) || 0
    if (size === 0) return { text: whole, length: line < 0 ? text.length : line + 4 }
    whole += text.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
}
