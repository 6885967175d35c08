// A wick under traffic that a real Prometheus scrapes, both as in a cluster with the Prometheus operator and without any labels of the target.
import { type Backends, startBackends } from "../../harness/backends.ts"
import { Client } from "../../harness/ingress/passthrough.ts"
import { type Load, startLoad } from "../../harness/load.ts"
import {
  ingress,
  ingressClass,
  manifest,
  secret,
  serviceOn,
  settings,
  withTls,
} from "../../harness/manifests.ts"
import { rootAuthority } from "../../harness/pki.ts"
import { freePorts } from "../../harness/ports.ts"
import { startWick, type Wick } from "../../harness/wick.ts"
import { Prometheus } from "../support/prometheus.ts"

/** The Pod that wick is. */
export const pod = { namespace: "ingress-nginx", name: "wick-0" }

export class Monitored implements AsyncDisposable {
  readonly wick: Wick
  readonly prometheus: Prometheus
  readonly #backends: Backends
  readonly #load: Load
  /** once a second, so that the controller has something to do */
  readonly #changes: NodeJS.Timeout
  /** to TCP ports, ten a second */
  readonly #sessions: NodeJS.Timeout

  private constructor(
    wick: Wick,
    prometheus: Prometheus,
    backends: Backends,
    load: Load,
    ports: readonly number[],
  ) {
    this.wick = wick
    this.prometheus = prometheus
    this.#backends = backends
    this.#load = load
    let n = 0
    const change = () =>
      wick.write("change.yaml", manifest(ingress("shop/news", `news-${n++ % 9}.test/ → app:80`)))
    this.#changes = setInterval(change, 1000)
    this.#sessions = setInterval(() => ports.forEach(session), 100)
  }

  static async start(): Promise<Monitored> {
    const backends = await startBackends("one", "two", "bad", "lost", "new")
    const [webhookPort = 0, ...ports] = await freePorts(4)
    const wick = await startWick({
      manifests: { "class.yaml": manifest(ingressClass), "site.yaml": await site(backends, ports) },
      flags: [
        "--configmap=shop/settings",
        "--tcp-services-configmap=shop/tcp",
        "--metrics-per-endpoint",
        ...webhookFlags(webhookPort),
      ],
      env: { POD_NAMESPACE: pod.namespace, POD_NAME: pod.name },
    })
    const target = {
      job: "ingress-nginx-controller-metrics",
      port: wick.healthPort,
      labels: { namespace: pod.namespace, pod: pod.name, service: "ingress-nginx-controller-metrics" },
    }
    const prometheus = await Prometheus.start([target, { job: "plain", port: wick.healthPort }])
    return new Monitored(wick, prometheus, backends, await traffic(wick, backends), ports)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#changes)
    clearInterval(this.#sessions)
    await this.#load.stop()
    await this.prometheus[Symbol.asyncDispose]()
    await this.wick.stop()
    await this.#backends.stop()
  }
}

/** Nobody asks it, and it has no certificate yet; its metrics are there. */
function webhookFlags(port: number): readonly string[] {
  const files = ["certificate", "key"].map((file) => `--validating-webhook-${file}=/nowhere/${file}`)
  return [`--validating-webhook=127.0.0.1:${port}`, ...files]
}

/** One of HTTP, which ends by itself where somebody answers. */
async function session(port: number): Promise<void> {
  using client = new Client(port)
  await client.send("GET / HTTP/1.0\r\n\r\n")
  await client.closed
}

/** A Service, one without endpoints, and one that nobody may use. */
function tcpServices([good, empty, closed]: readonly number[]): Readonly<Record<string, string>> {
  const denied = { service: "shop/app:80", deny: ["127.0.0.0/8"] }
  return { [`${good}`]: "shop/app:80", [`${empty}`]: "shop/empty:80", [`${closed}`]: JSON.stringify(denied) }
}

async function site(backends: Backends, ports: readonly number[]): Promise<string> {
  const own = await (await rootAuthority()).issue({ names: ["shop.test"] })
  const service = (name: string, ...of: readonly string[]) =>
    serviceOn(
      `shop/${name}`,
      backends.filter((backend) => of.includes(backend.name)).map(({ port }) => port),
    )
  const rules = ["shop.test/ → app:80", "shop.test/bad → bad:80", "shop.test/retried → retried:80"]
  const annotations = {
    "ssl-redirect": "false",
    "wick.dev/outlier-failures": "3",
    "wick.dev/outlier-ejection-time": "2s",
  }
  return manifest(
    settings("shop/settings", { "worker-processes": "2" }),
    settings("shop/tcp", tcpServices(ports)),
    secret("shop/tls", own.tlsData()),
    ...service("app", "one", "two"),
    ...service("bad", "bad"),
    ...service("empty"),
    ...service("retried", "one", "lost"),
    withTls(ingress("shop/cart", rules, annotations), "shop.test=tls"),
    ...service("new", "new"),
    ingress("shop/trial", "shop.test/ → new:80", { canary: "true", "canary-weight": "20" }),
    ingress("blog/posts", "blog.test/ → nothing:80"),
    ingress("blog/guarded", "guarded.test/ → nothing:80", {
      "enable-modsecurity": "true",
      "modsecurity-snippet": 'SecRuleEngine On\nSecRule ARGS:q "@streq bad" "id:1001,phase:1,deny"',
    }),
  )
}

/** Answers of all kinds, errors and retries. */
async function traffic(wick: Wick, backends: Backends): Promise<Load> {
  const fault = { bad: "error", lost: "reset" } as const
  for (const backend of backends)
    if (backend.name === "bad" || backend.name === "lost") await backend.fault(fault[backend.name])
  const questions = ["/", "/items", "/bad", "/retried"].map((path) => ({ path, host: "shop.test" }))
  const all = [...questions, { path: "/", host: "blog.test" }, { path: "/?q=bad", host: "guarded.test" }]
  return startLoad({
    port: wick.port,
    connections: 2,
    pauseMs: 50,
    question: (n) => all[n % all.length] ?? {},
  })
}
