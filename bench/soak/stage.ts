import { type Backends, startBackends } from "../../harness/backends.ts"
import { Echo } from "../../harness/echo.ts"
import { faultyBalancer } from "../../harness/faulty.ts"
import { GrpcServer } from "../../harness/grpc.ts"
import {
  ingress,
  ingressClass,
  type Json,
  manifest,
  secret,
  serviceOn,
  settings,
  withTls,
} from "../../harness/manifests.ts"
import { hashes } from "../../harness/passwords.ts"
import { type Authority, rootAuthority } from "../../harness/pki.ts"
import { until } from "../../harness/until.ts"
import { startWick, type Wick } from "../../harness/wick.ts"

/** Host → what chooses its endpoints. */
const algorithms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  round_robin: {},
  ewma: { "load-balance": "ewma" },
  least_conn: { "load-balance": "least_conn" },
  p2c: { "load-balance": "p2c" },
  chash: { "upstream-hash-by": "$request_uri" },
  chashsubset: {
    "upstream-hash-by": "$request_uri",
    "upstream-hash-by-subset": "true",
    "upstream-hash-by-subset-size": "2",
  },
  sticky: { affinity: "cookie" },
  persistent: { affinity: "cookie", "affinity-mode": "persistent" },
}

/** wick with real backends; the filter is the release one with faults on demand. */
export class Stage implements AsyncDisposable {
  readonly wick: Wick
  readonly backends: Backends
  readonly #others: readonly AsyncDisposable[]
  readonly #authority: Authority

  private constructor(
    wick: Wick,
    backends: Backends,
    others: readonly AsyncDisposable[],
    authority: Authority,
  ) {
    this.wick = wick
    this.backends = backends
    this.#others = others
    this.#authority = authority
  }

  static async start(): Promise<Stage> {
    const backends = await startBackends("a", "b", "c", "d")
    const grpc = await new GrpcServer("grpc").start()
    const echo = await new Echo().start()
    const authority = await (await rootAuthority()).intermediate()
    const fixed = [
      ...serviceOn("soak/grpc", [grpc.port]),
      ...serviceOn("soak/echo", [echo.port]),
      withTls(
        ingress("soak/grpc", "grpc.test/ → grpc:80", { "backend-protocol": "GRPC", "ssl-redirect": "false" }),
        "grpc.test=tls",
      ),
      ingress("soak/echo", "echo.test/ → echo:80"),
    ]
    const wick = await startWick({
      manifests: {
        "class.yaml": manifest(ingressClass),
        "settings.yaml": settingsFile(0),
        "services.yaml": servicesFile(backends, 4),
        "hosts.yaml": hostsFile(0),
        "fixed.yaml": manifest(...fixed),
        "guarded.yaml": guardedFile(0),
        "tls.yaml": manifest(secret("soak/tls", await tlsData(authority))),
      },
      flags: ["--configmap=soak/settings", "--sync-rate-limit=100", `--balancer=${await faultyBalancer()}`],
    })
    return new Stage(wick, backends, [grpc, echo], authority)
  }

  /** Hosts that any backend may answer. */
  get hosts(): readonly string[] {
    return Object.keys(algorithms).map(hostOf)
  }

  /** Serves all hosts from the first `count` backends. */
  scale(count: number): void {
    this.wick.write("services.yaml", servicesFile(this.backends, count))
  }

  /** Gives all hosts numbers of their own, and a canary with a weight. */
  change(round: number): void {
    this.wick.write("hosts.yaml", hostsFile(round))
  }

  /** Gives the host that checks its requests other users, addresses, limits and another question for the service. */
  guard(round: number): void {
    this.wick.write("guarded.yaml", guardedFile(round))
  }

  /** nginx has to reload for it. */
  configure(round: number): void {
    this.wick.write("settings.yaml", settingsFile(round))
  }

  async renew(): Promise<void> {
    this.wick.write("tls.yaml", manifest(secret("soak/tls", await tlsData(this.#authority))))
  }

  /**
   * Backends to which none of 200 requests goes that come one at a time to a host with `least_conn`: something is counted as running there,
   * while nothing runs.
   */
  async shunned(): Promise<readonly string[]> {
    this.scale(this.backends.length)
    const host = hostOf("least_conn")
    const isServed = async () => (await this.wick.get("/", { host })).body === this.backends.at(-1)?.name
    await until("the last backend to serve", isServed)
    const seen = new Set<string>()
    for (let n = 0; n < 200; n += 1) seen.add((await this.wick.get("/", { host })).body)
    return this.backends.map(({ name }) => name).filter((name) => !seen.has(name))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.wick.stop()
    await this.backends.stop()
    for (const other of this.#others) await other[Symbol.asyncDispose]()
  }
}

const hostOf = (algorithm: string) => `${algorithm.replaceAll("_", "-")}.test`

function settingsFile(round: number): string {
  const data = {
    "worker-processes": "2",
    "worker-shutdown-timeout": "60s",
    // so that it can be filled
    "zone-sizes": "routes: 1m",
    "max-zone-size": "1m",
    "keep-alive": String(75 + round),
  }
  return manifest(settings("soak/settings", data))
}

function servicesFile(backends: Backends, count: number): string {
  const ports = backends.slice(0, count).map(({ port }) => port)
  return manifest(...serviceOn("soak/web", ports))
}

function hostsFile(round: number): string {
  const numbers = { "proxy-read-timeout": String(30 + (round % 50)), "ssl-redirect": "false" }
  const all: Json[] = Object.entries(algorithms).map(([algorithm, annotations]) => {
    const host = hostOf(algorithm)
    const name = algorithm.replaceAll("_", "-")
    return withTls(
      ingress(`soak/${name}`, `${host}/ → web:80`, { ...annotations, ...numbers }),
      `${host}=tls`,
    )
  })
  const canary = { canary: "true", "canary-weight": String((round * 13) % 101) }
  return manifest(...all, ingress("soak/canary", `${hostOf("round_robin")}/ → web:80`, canary))
}

/** The user, the address and the pace of the clients may come in whatever changes beside them. */
function guardedFile(round: number): string {
  const checks = {
    "auth-type": "basic",
    "auth-secret": "users",
    "allowlist-source-range": `127.0.0.0/8,10.${round % 256}.0.0/16`,
    "auth-url": `http://echo.soak.svc/verify/${round}`,
    "auth-response-headers": "X-Echo",
    "limit-rps": String(1_000 + round),
    "limit-connections": String(100 + (round % 10)),
  }
  const users = `foo:${hashes.bcrypt}\nuser-${round}:${hashes.sha512crypt}`
  return manifest(
    ingress("soak/guarded", "guarded.test/ → web:80", checks),
    secret("soak/users", { auth: users }),
  )
}

async function tlsData(authority: Authority): Promise<Record<string, string>> {
  const names = ["grpc.test", ...Object.keys(algorithms).map(hostOf)]
  return (await authority.issue({ names })).tlsData()
}
