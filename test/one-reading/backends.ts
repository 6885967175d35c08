// Servers that say how they have read a request, each as people run it.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { keptMs } from "../../harness/http.ts"
import { startNginx } from "../../harness/nginx.ts"
import { root } from "../../harness/paths.ts"
import { freePorts } from "../../harness/ports.ts"
import { until } from "../../harness/until.ts"
import { printReport, type Report } from "./report.ts"

export interface Backend extends AsyncDisposable {
  readonly port: number
}

/** In this process: what it was asked can be looked at as well. */
export class NodeBackend implements Backend {
  readonly seen: Report[] = []
  readonly #server = createServer(
    { keepAliveTimeout: keptMs },
    (request, response) => void this.#serve(request, response),
  )

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async start(): Promise<this> {
    this.#server.on("upgrade", (_, socket) => socket.destroy())
    this.#server.listen(0, "127.0.0.1")
    await once(this.#server, "listening")
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let length = 0
    for await (const piece of request) length += piece.length
    const report = reportOf(request, length)
    this.seen.push(report)
    response.end(Buffer.from(printReport(report), "latin1"))
  }
}

function reportOf({ method = "", url = "", headers }: IncomingMessage, length: number): Report {
  const told = (name: string) => String(headers[name] ?? "")
  return {
    who: "node",
    method,
    target: url,
    host: told("host"),
    path: decoded(url.split("?")[0] ?? ""),
    normal: decoded(pathnameOf(url)),
    prefix: told("x-forwarded-prefix"),
    forwardedFor: told("x-forwarded-for"),
    realIp: told("x-real-ip"),
    proto: told("x-forwarded-proto"),
    forwardedHost: told("x-forwarded-host"),
    user: told("x-user"),
    id: told("x-request-id"),
    length: String(length),
  }
}

/** As most applications take a target apart. */
export function pathnameOf(target: string): string {
  return (
    URL.parse(target.startsWith("//") ? `http://a.test${target}` : target, "http://a.test")?.pathname ??
    target
  )
}

/** Once; Latin-1, as everything here. */
export function decoded(path: string): string {
  return path.replace(/%([\dA-Fa-f]{2})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
}

export async function startNginxBackend(): Promise<Backend> {
  const values =
    "$request_method|$request_uri|$http_host|$uri|$uri|$http_x_forwarded_prefix|$http_x_forwarded_for|$http_x_real_ip"
  const more = "$http_x_forwarded_proto|$http_x_forwarded_host|$http_x_user|$http_x_request_id|?"
  const nginx = await startNginx(({ port }) => ({
    http: `server { listen 127.0.0.1:${port}; server_name _; client_max_body_size 0; keepalive_requests 1000000;
      underscores_in_headers on; location / { default_type text/plain; return 200 "nginx|${values}|${more}"; } }`.replaceAll(
      "|",
      "\x1f",
    ),
  }))
  return { port: nginx.port, [Symbol.asyncDispose]: () => nginx.stop() }
}

/** HAProxy reads paths as they come; what it makes normal when asked is still an experiment of its. */
const haproxy = (port: number) => `global
    maxconn 1000
    expose-experimental-directives
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
    timeout http-request 60s
frontend all
    bind 127.0.0.1:${port}
    http-request set-var(txn.target) url
    http-request set-var(txn.path) path,url_dec
    http-request normalize-uri percent-decode-unreserved
    http-request normalize-uri path-merge-slashes
    http-request normalize-uri path-strip-dot
    http-request normalize-uri path-strip-dotdot full
    http-request return status 200 content-type text/plain lf-string "haproxy|%[method]|%[var(txn.target)]|%[req.hdr(host)]|%[var(txn.path)]|%[path,url_dec]|%[req.hdr(x-forwarded-prefix)]|%[req.hdr(x-forwarded-for)]|%[req.hdr(x-real-ip)]|%[req.hdr(x-forwarded-proto)]|%[req.hdr(x-forwarded-host)]|%[req.hdr(x-user)]|%[req.hdr(x-request-id)]|?"
`

export async function startHaproxy(): Promise<Backend> {
  const dir = mkdtempSync(join(tmpdir(), "wick-one-reading-"))
  const conf = join(dir, "haproxy.cfg")
  const [port = 0] = await freePorts(1)
  writeFileSync(conf, haproxy(port).replaceAll("|", "\x1f"), "latin1")
  const child = spawn("haproxy", ["-db", "-f", conf], { stdio: ["ignore", "ignore", "inherit"] })
  await until("HAProxy", () => accepts(port, child))
  return { port, [Symbol.asyncDispose]: () => stop(child).then(() => rmSync(dir, { recursive: true })) }
}

async function accepts(port: number, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error("HAProxy does not start: run build/one-reading.sh")
  const socket = connect(port, "127.0.0.1")
  const outcome = await Promise.race([
    once(socket, "connect").then(() => true),
    once(socket, "error").then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return outcome
}

export const startGo = () => startProgram(join(root, "out/one-reading-backend"))
export const startPython = () => startProgram("python3", join(root, "test/one-reading/backends/backend.py"))

/** One that prints its port. */
async function startProgram(program: string, ...args: readonly string[]): Promise<Backend> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] })
  const [line] = await Promise.race([
    once(child.stdout, "data"),
    once(child, "error").then(([error]) => Promise.reject(error)),
    once(child, "exit").then(() =>
      Promise.reject(new Error(`${program} does not start: run build/one-reading.sh`)),
    ),
  ])
  return { port: Number(String(line)), [Symbol.asyncDispose]: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill("SIGTERM")
  await once(child, "exit")
}
