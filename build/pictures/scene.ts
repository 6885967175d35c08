// A cluster as many have one, for pictures: shops, canaries, certificates that end, and what went wrong this morning.
import { type Backends, startBackends } from "../../harness/backends.ts"
import { type Load, startLoad } from "../../harness/load.ts"
import {
  ingress,
  ingressClass,
  type Json,
  manifest,
  secret,
  serviceOn,
  withTls,
} from "../../harness/manifests.ts"
import { type Page, startPage } from "../../harness/page.ts"
import { rootAuthority } from "../../harness/pki.ts"

/** Services with the number of their endpoints; the ports of the last one refuse. */
const services = {
  "shop/web": 3,
  "shop/web-next": 1,
  "shop/cart": 4,
  "shop/search": 2,
  "shop/images": 2,
  "accounts/login": 2,
  "accounts/profile": 2,
  "blog/wordpress": 2,
  "docs/handbook": 1,
  "payments/api": 3,
  "payments/webhooks": 1,
  "observability/grafana": 1,
  "observability/prometheus": 1,
  "ci/runners": 2,
  "ci/artifacts": 1,
  "billing/invoices": 2,
} as const

const hosts = [
  ...["shop.example.com", "shop.example.com", "shop.example.com", "shop.example.com", "search.example.com"],
  ...[
    "accounts.example.com",
    "blog.example.com",
    "api.example.com",
    "invoices.example.com",
    "docs.example.com",
  ],
]
const paths = [
  "/",
  "/cart",
  "/images/42.webp",
  "/cart/checkout",
  "/?q=socks",
  "/login",
  "/2026/11/",
  "/v1/charges",
  "/",
  "/start",
]

const plainHttp = { "ssl-redirect": "false" }
const learning = {
  ...plainHttp,
  "load-balance": "ewma",
  "wick.dev/outlier-failures": "3",
  "wick.dev/outlier-ejection-time": "60s",
}

/** What users wrote. */
const ingresses: readonly Json[] = [
  withTls(ingress("shop/web", "shop.example.com/ → web:80", plainHttp), "shop.example.com=shop-tls"),
  ingress("shop/web-canary", "shop.example.com/ → web-next:80", { canary: "true", "canary-weight": "10" }),
  ingress("shop/cart", "shop.example.com/cart → cart:80", {
    ...learning,
    "limit-rps": "400",
    "proxy-read-timeout": "5",
  }),
  ingress("shop/images", "shop.example.com/images → images:80", { ...plainHttp, "proxy-body-size": "64m" }),
  ingress("shop/search", "search.example.com/ → search:80", { "upstream-hash-by": "$request_uri" }),
  withTls(
    ingress("accounts/login", "accounts.example.com/ → login:80", {
      ...plainHttp,
      affinity: "cookie",
    }),
    "accounts.example.com=accounts-tls",
  ),
  ingress("accounts/profile", "accounts.example.com/profile → profile:80", {
    "auth-url": "http://login.accounts.svc.cluster.local/check",
  }),
  ingress("blog/blog", "blog.example.com/ → wordpress:80", { "proxy-body-size": "32m" }),
  ingress("docs/handbook", "docs.example.com/ → handbook:80", { "proxy-send-timeout": "soon" }),
  withTls(
    ingress("payments/api", "api.example.com/v1 → api:80", {
      ...plainHttp,
      "limit-connections": "50",
    }),
    "api.example.com=payments-tls",
  ),
  ingress("payments/webhooks", "hooks.example.com/ → webhooks:80", {
    "whitelist-source-range": "203.0.113.0/24",
  }),
  ingress("observability/grafana", "grafana.example.com/ → grafana:80", {
    "auth-type": "basic",
    "auth-secret": "grafana-users",
  }),
  ingress("observability/prometheus", "prometheus.example.com/ → prometheus:9090"),
  ingress("ci/runners", "ci.example.com/ → runners:80", {
    "configuration-snippet": "more_set_headers 'X-A: b';",
  }),
  ingress("ci/artifacts", "ci.example.com/artifacts → artifacts:80", { "proxy-body-size": "5g" }),
  withTls(
    ingress("billing/invoices", "invoices.example.com/ → invoices:80", plainHttp),
    "invoices.example.com=invoices-tls",
  ),
]

export interface Scene extends AsyncDisposable {
  readonly page: Page
}

export async function setScene(): Promise<Scene> {
  const names = Object.entries(services).flatMap(([name, count]) => Array<string>(count).fill(name))
  const backends = await startBackends(...names)
  await misbehave(backends)
  const files = {
    "cluster.yaml": manifest(ingressClass, ...objectsOf(backends), ...(await certificates()), ...ingresses),
  }
  const page = await startPage({ manifests: files, flags: ["--metrics-per-endpoint"] })
  const load = askFor(page.wick.port)
  const leave = async () => {
    await load.stop()
    await page[Symbol.asyncDispose]()
    await backends.stop()
  }
  return { page, [Symbol.asyncDispose]: leave }
}

/** Some are slow, one endpoint of the cart and all of billing refuse. */
async function misbehave(backends: Backends): Promise<void> {
  const of = (name: string) => backends.filter((backend) => backend.name === name)
  for (const [at, backend] of of("shop/cart").entries()) await backend.fault(at === 3 ? "refuse" : 3 + 4 * at)
  for (const backend of of("shop/search")) await backend.fault(40)
  for (const backend of of("billing/invoices")) await backend.fault("refuse")
}

function objectsOf(backends: Backends): Json[] {
  return Object.keys(services).flatMap((name) => {
    const ports = backends.filter((backend) => backend.name === name).map(({ port }) => port)
    return serviceOn(name, ports)
  })
}

/** The one of payments is not there. */
async function certificates(): Promise<Json[]> {
  const root = await rootAuthority()
  const inDays = (days: number) => new Date(Date.now() + (days + 0.5) * 86_400_000)
  const issued = async (name: string, host: string, days: number) =>
    secret(name, (await root.issue({ names: [host], until: inDays(days) })).tlsData())
  return await Promise.all([
    issued("shop/shop-tls", "shop.example.com", 71),
    issued("accounts/accounts-tls", "accounts.example.com", 24),
    issued("billing/invoices-tls", "invoices.example.com", 3),
  ])
}

function askFor(port: number): Load {
  const question = (n: number) => ({
    host: hosts[n % hosts.length] ?? "",
    path: paths[n % paths.length] ?? "/",
  })
  return startLoad({ port, connections: 6, pauseMs: 20, question })
}
