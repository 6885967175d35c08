// Connections of HTTP/3 while what they lead to changes: with wick, whose changes are posted, and with a stock nginx, which reloads. Writes
// bench/results/http3-changes.md; takes six to eight minutes, on a machine whose nginx has HTTP/3 (`build/debian.sh trixie build/node bench/http3-changes.ts`).
// `--quick` prints a small run.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { Echo } from "../harness/echo.ts"
import { InstalledBuilds } from "../harness/installed-builds.ts"
import {
  ingress,
  ingressClass,
  listOf,
  manifest,
  secret,
  serviceOn,
  settings,
  withTls,
} from "../harness/manifests.ts"
import { startNginx } from "../harness/nginx.ts"
import { type Authority, type Identity, rootAuthority } from "../harness/pki.ts"
import { isRunning, signal } from "../harness/processes.ts"
import { print, write } from "../harness/report.ts"
import { until } from "../harness/until.ts"
import { startWick, type Wick } from "../harness/wick.ts"
import { Http3Holders, type HttpCounts } from "./support/http3-holders.ts"

const isQuick = process.argv.includes("--quick")
const connections = isQuick ? 40 : 200
/** Each changes ten objects. */
const rounds = isQuick ? 30 : 1000
const wickReloads = isQuick ? 2 : 5
const stockReloads = isQuick ? 5 : 50
const slowMs = 3000
const host = "foo.test"

const rows: (string | number)[][] = []
const remarks: string[] = []
const echo = await new Echo().start()
echo.answer = ({ url }) => (url === "/slow" ? { body: "slow", delayMs: slowMs } : { body: "one" })

await measureWick()
await measureStock()
await echo[Symbol.asyncDispose]()

const save = isQuick ? print : write
save({
  name: "http3-changes",
  title: "Connections of HTTP/3 while the configuration changes",
  method: `${connections} connections of HTTP/3 (aioquic) are kept and asked every two seconds or so, ${slowCount()} of them for an answer that takes ${slowMs / 1000} s; one client more comes anew 20 ms after its last answer. Two workers. wick: ${rounds} writes of ten objects each (five paths of Ingresses, four EndpointSlices, a renewed certificate), each waited for until it is served; then ${wickReloads} forced reloads, one every three seconds; then it is replaced by another build (decision 0018). Stock nginx: \`nginx -s reload\`, one a second, with the same listeners, a key of its own for QUIC and \`worker_shutdown_timeout\` as wick has it. "Closed" are connections that the server ended with a word of it while nothing was under way: clients come back and lose nothing. "Turned away" are requests that met such an end: they can be repeated, and with HTTP/3 clients know which by GOAWAY (this one does not look). "Lost" are requests without an answer in 10 s, or whose connection broke. "Hung" are handshakes that did not succeed in 5 s; who had none tries again at once.`,
  columns: ["what happens", "how often", "answered", "closed", "turned away", "lost", "handshakes", "hung"],
  rows,
  remarks,
})

function slowCount(): number {
  return connections / 10
}

function holdersAt(port: number): Http3Holders {
  return new Http3Holders({
    ...{ target: { port, serverName: host }, connections, pauseMs: 2000 },
    slow: { path: "/slow", connections: slowCount() },
  })
}

function row(what: string, often: number, counts: HttpCounts): void {
  const { answered, closed, turnedAway, lost, handshakes, hung } = counts
  rows.push([what, often, answered, closed, turnedAway, lost, handshakes, hung])
  process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`)
}

async function measureWick(): Promise<void> {
  const authority = await rootAuthority()
  using installed = new InstalledBuilds()
  const flags = ["--configmap=demo/settings", "--sync-rate-limit=100", ...installed.flags]
  const identity = await authority.issue({ names: [host] })
  const wick = await startWick({ manifests: manifestsOf(identity), flags })
  const holders = holdersAt(wick.httpsPort)
  holders.start()
  await until("all connections", () => holders.open === connections)
  holders.take()
  const reloads = () => wick.metric("nginx_ingress_controller_success")
  const before = await reloads()
  await change(wick, authority)
  row("wick: objects changed, posted", 10 * rounds, holders.take())
  const reloaded = (await reloads()) - before
  await reload(wick)
  row("wick: reloads", wickReloads, holders.take())
  remarks.push(`Reloads of wick during the ${10 * rounds} changes: ${reloaded}.`)
  installed.replace()
  const old = wick.workers()
  await wick.kill()
  await wick.start()
  await until("the old workers to be gone", () => old.every((pid) => !isRunning(pid)))
  await pause(2 * slowMs)
  row("wick: another build takes over", 1, holders.take())
  await holders[Symbol.asyncDispose]()
  remark("wick", holders)
  await wick.stop()
}

function manifestsOf(identity: Identity): Record<string, string> {
  return {
    "class.yaml": manifest(ingressClass),
    "settings.yaml": settingsFile(0),
    "app.json": listOf([
      ...serviceOn("demo/app", [echo.port]),
      withTls(ingress("demo/app", [`${host}/ → app:80`]), `${host}=app`),
    ]),
    "churn.json": churnFile(0, identity),
  }
}

function settingsFile(reload: number): string {
  const keys = {
    "use-http3": "true",
    "worker-processes": "2",
    "variables-hash-max-size": String(2048 + reload),
  }
  return manifest(settings("demo/settings", keys))
}

async function change(wick: Wick, authority: Authority): Promise<void> {
  const identities = await Promise.all([0, 1, 2, 3].map(() => authority.issue({ names: [host] })))
  for (let round = 1; round <= rounds; round += 1) {
    wick.write("churn.json", churnFile(round, identities[round % identities.length]))
    const isServed = async () => (await wick.get("/", { host: signOf(round) })).status === 200
    await until("a change to be served", isServed)
  }
}

function signOf(round: number): string {
  return `sign-${round}.test`
}

/** What is another in each round; endpoints are one server at many addresses. */
function churnFile(round: number, identity: Identity | undefined): string {
  const nths = [1, 2, 3, 4]
  return listOf([
    ...serviceOn("demo/more", []),
    ...nths.map((nth) => slice(nth, `127.0.${round % 200}.${nth}`)),
    ...nths.map((nth) => ingress(`demo/r${nth}`, `${host}/r${nth}-${round} → more:80`)),
    ingress("demo/sign", `${signOf(round)}/ → app:80`),
    secret("demo/app", identity?.tlsData() ?? {}),
  ])
}

function slice(nth: number, address: string) {
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { namespace: "demo", name: `more-${nth}`, labels: { "kubernetes.io/service-name": "more" } },
    addressType: "IPv4",
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: "", port: echo.port, protocol: "TCP" }],
  }
}

async function reload(wick: Wick): Promise<void> {
  for (let nth = 1; nth <= wickReloads; nth += 1) {
    const before = await wick.metric("nginx_ingress_controller_success")
    wick.write("settings.yaml", settingsFile(nth))
    const isReloaded = async () => (await wick.metric("nginx_ingress_controller_success")) > before
    await until("a reload", isReloaded)
    await pause(3000)
  }
}

async function measureStock(): Promise<void> {
  const identity = await (await rootAuthority()).issue({ names: [host] })
  const nginx = await startNginx(({ dir, port }) => {
    writeFileSync(join(dir, "tls.pem"), identity.pem)
    writeFileSync(join(dir, "tls.key"), identity.keyPem)
    writeFileSync(join(dir, "host.key"), Buffer.alloc(32, 7))
    return {
      workers: 2,
      main: "worker_shutdown_timeout 240s;",
      http: `
        upstream app { server 127.0.0.1:${echo.port}; keepalive 32; }
        quic_host_key ${dir}/host.key;
        server {
          listen ${port} quic reuseport;
          listen ${port} ssl reuseport;
          ssl_certificate ${dir}/tls.pem;
          ssl_certificate_key ${dir}/tls.key;
          location / { proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection ""; }
        }`,
    }
  })
  const holders = holdersAt(nginx.port)
  holders.start()
  await until("all connections", () => holders.open === connections)
  holders.take()
  for (let nth = 0; nth < stockReloads; nth += 1) {
    signal(nginx.pid, "SIGHUP")
    await pause(1000)
  }
  await pause(2 * slowMs)
  row("stock nginx: reloads", stockReloads, holders.take())
  await holders[Symbol.asyncDispose]()
  remark("stock nginx", holders)
  await nginx.stop()
}

function remark(what: string, { reasons }: Http3Holders): void {
  const most = [...reasons].sort(([, a], [, b]) => b - a).slice(0, 4)
  const text = most.map(([reason, count]) => `${count} × ${reason}`).join("; ")
  remarks.push(`What clients saw of ${what}: ${text === "" ? "nothing but answers" : text}.`)
}
