// A wick under traffic that a real Prometheus scrapes, as in a cluster with the Prometheus operator.
import { type Backends, startBackends } from "../support/backends.ts"
import { type Load, startLoad } from "../support/load.ts"
import {
  ingress,
  ingressClass,
  manifest,
  secret,
  serviceOn,
  settings,
  withTls,
} from "../support/manifests.ts"
import { rootAuthority } from "../support/pki.ts"
import { Prometheus } from "../support/prometheus.ts"
import { startWick, type Wick } from "../support/wick.ts"

/** The Pod that wick is. */
export const pod = { namespace: "ingress-nginx", name: "wick-0" }

export class Monitored implements AsyncDisposable {
  readonly wick: Wick
  readonly prometheus: Prometheus
  readonly #backends: Backends
  readonly #load: Load

  private constructor(wick: Wick, prometheus: Prometheus, backends: Backends, load: Load) {
    this.wick = wick
    this.prometheus = prometheus
    this.#backends = backends
    this.#load = load
  }

  static async start(): Promise<Monitored> {
    const backends = await startBackends("one", "two", "bad", "lost")
    const wick = await startWick({
      manifests: { "class.yaml": manifest(ingressClass), "site.yaml": await site(backends) },
      flags: ["--configmap=shop/settings"],
      env: { POD_NAMESPACE: pod.namespace, POD_NAME: pod.name },
    })
    const target = {
      job: "ingress-nginx-controller-metrics",
      port: wick.healthPort,
      labels: { namespace: pod.namespace, pod: pod.name, service: "ingress-nginx-controller-metrics" },
    }
    const prometheus = await Prometheus.start([target])
    return new Monitored(wick, prometheus, backends, await traffic(wick, backends))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#load.stop()
    await this.prometheus[Symbol.asyncDispose]()
    await this.wick.stop()
    await this.#backends.stop()
  }
}

async function site(backends: Backends): Promise<string> {
  const own = await (await rootAuthority()).issue({ names: ["shop.test"] })
  const service = (name: string, ...of: readonly string[]) =>
    serviceOn(
      `shop/${name}`,
      backends.filter((backend) => of.includes(backend.name)).map(({ port }) => port),
    )
  const rules = ["shop.test/ → app:80", "shop.test/bad → bad:80", "shop.test/retried → retried:80"]
  return manifest(
    settings("shop/settings", { "worker-processes": "2" }),
    secret("shop/tls", own.tlsData()),
    ...service("app", "one", "two"),
    ...service("bad", "bad"),
    ...service("retried", "one", "lost"),
    withTls(ingress("shop/cart", rules, { "ssl-redirect": "false" }), "shop.test=tls"),
    ingress("blog/posts", "blog.test/ → nothing:80"),
  )
}

/** Answers of all kinds, errors and retries. */
async function traffic(wick: Wick, backends: Backends): Promise<Load> {
  const fault = { bad: "error", lost: "reset" } as const
  for (const backend of backends)
    if (backend.name === "bad" || backend.name === "lost") await backend.fault(fault[backend.name])
  const questions = ["/", "/items", "/bad", "/retried"].map((path) => ({ path, host: "shop.test" }))
  const all = [...questions, { path: "/", host: "blog.test" }]
  return startLoad({
    port: wick.port,
    connections: 2,
    pauseMs: 50,
    question: (n) => all[n % all.length] ?? {},
  })
}
