// HAProxy that does what nginx by hand does: the same headers for the backend, the same line in the log, ten servers in turn on kept connections.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ask } from "../../harness/http.ts"
import { freePorts } from "../../harness/ports.ts"
import { until } from "../../harness/until.ts"
import { hostName, type RenderedSite, type SiteOptions } from "./rendered-site.ts"

/** Under valgrind. */
const startingMs = 60_000

/** As one process with one thread. @throws Error when HAProxy is not installed, or does not start */
export async function startHaproxy({
  endpoints,
  under,
}: Pick<SiteOptions, "endpoints" | "under">): Promise<RenderedSite> {
  const dir = mkdtempSync(join(tmpdir(), "wick-haproxy-"))
  const conf = join(dir, "haproxy.cfg")
  const [port = 0] = await freePorts(1)
  writeFileSync(conf, confOf(port, endpoints))
  const log = openSync(join(dir, "access.log"), "w")
  const [program = "haproxy", ...args] = [...under, "haproxy", "-db", "-f", conf]
  const child = spawn(program, args, { stdio: ["ignore", log, "ignore"] })
  await until("HAProxy to answer", () => isAnswering(port, child), startingMs)
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.kill("SIGTERM")
      if (child.exitCode === null) await once(child, "exit")
      rmSync(dir, { recursive: true })
    },
  }
}

async function isAnswering(port: number, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null)
    throw new Error("HAProxy does not start: install it with 'apt-get install haproxy'")
  return (await ask({ port }, {}).catch(() => undefined)) !== undefined
}

/** `-`: no user, and no second backend. */
const line =
  '%ci - - [%T] "%{+Q}r" %ST %B "%[capture.req.hdr(0)]" "%[capture.req.hdr(1)]" %U %Tt [%b] [] %si:%sp %B %Tr %ST %ID'

function confOf(port: number, endpoints: readonly string[]): string {
  return `global
    nbthread 1
    maxconn 1000
    log stdout format raw local0
defaults
    mode http
    log global
    log-format ${line.replaceAll(/[\\ "]/g, "\\$&")}
    timeout connect 5s
    timeout client 60s
    timeout server 60s
    option http-keep-alive
    http-reuse always
frontend clients
    bind 127.0.0.1:${port}
    unique-id-format %[uuid()]
    capture request header Referer len 128
    capture request header User-Agent len 128
    http-request set-header X-Request-ID %[unique-id] unless { req.hdr(X-Request-ID) -m found }
    http-request set-header X-Original-Forwarded-For %[req.hdr(X-Forwarded-For)] if { req.hdr(X-Forwarded-For) -m found }
    http-request set-header X-Original-Forwarded-Host %[req.hdr(X-Forwarded-Host)] if { req.hdr(X-Forwarded-Host) -m found }
    http-request set-header X-Real-IP %[src]
    http-request set-header X-Forwarded-For %[src]
    http-request set-header X-Forwarded-Host %[req.hdr(Host)]
    http-request set-header X-Forwarded-Port %[dst_port]
    http-request set-header X-Forwarded-Proto http
    http-request set-header X-Forwarded-Scheme http
    http-request set-header X-Scheme http
    http-request del-header Proxy
    use_backend shop-web-80 if { hdr(Host) -i ${hostName} }
backend shop-web-80
    balance roundrobin
${endpoints.map((endpoint, at) => `    server s${at} ${endpoint}`).join("\n")}
`
}
