// The ways to serve one Ingress that are measured side by side: what the controller renders with this and that switched on, and others that do the same.
import type { Settings } from "../../controller/core/options/settings.ts"
import type { Json } from "../../harness/manifests.ts"
import { basic } from "../../harness/passwords.ts"
import { startHaproxy } from "./haproxy-site.ts"
import { type Kind, type RenderedSite, type SiteOptions, startRendered } from "./rendered-site.ts"
import { endpointAddress } from "./sites.ts"

/** What is measured of the product as it is rendered, or what it is compared with. */
export interface Way {
  readonly kind: Kind | "haproxy"
  readonly annotations?: Readonly<Record<string, string>>
  /** as of a site */
  readonly rule?: Json
  /** of each request */
  readonly headers?: Readonly<Record<string, string>>
  /** of the ConfigMap */
  readonly settings?: Partial<Settings>
  /** with `--enable-metrics`, or with `--metrics-per-endpoint` or `--bucket-factor=1.1` as well */
  readonly counts?: SiteOptions["counts"]
}

const origin = { origin: "https://app.shop.test" }
const listed = "https://shop.test,https://*.shop.test,https://other.test:8443"

/** Ten networks, one of them the client's. */
const networks = ["127.0.0.1", ...Array.from({ length: 9 }, (_, at) => `${at * 20}.0.0.0/9`)].join()

/** The Ingress's own Service is asked; with a key once in a run. */
const asked = { "auth-url": "http://web.shop.svc.cluster.local/check", "auth-response-headers": "X-User" }

const traced = { "enable-opentelemetry": "true" }
/** Of a client that does not want its trace recorded. */
const traceparent = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00" }

export const ways: Readonly<Record<string, Way>> = {
  "by hand": { kind: "by-hand" },
  "by hand without headers": { kind: "bare" },
  HAProxy: { kind: "haproxy" },
  round_robin: { kind: "rendered" },
  metrics: { kind: "rendered", counts: true },
  "native histograms": { kind: "rendered", counts: "native" },
  "metrics per endpoint": { kind: "rendered", counts: "endpoints" },
  "no log": { kind: "rendered", annotations: { "enable-access-log": "false" } },
  "metrics and traces": {
    kind: "rendered",
    annotations: traced,
    settings: { maxQueueSize: 32_768 },
    counts: true,
  },
  "with traceparent": { kind: "rendered", headers: traceparent },
  "traced but not sampled": { kind: "rendered", annotations: traced, settings: { sampler: "AlwaysOff" } },
  "not sampled by the client": { kind: "rendered", annotations: traced, headers: traceparent },
  "traced and sampled": { kind: "rendered", annotations: traced, settings: { maxQueueSize: 32_768 } },
  ewma: { kind: "rendered", annotations: { "load-balance": "ewma" } },
  chash: { kind: "rendered", annotations: { "upstream-hash-by": "$request_uri" } },
  sticky: { kind: "rendered", annotations: { affinity: "cookie" } },
  limits: { kind: "rendered", annotations: { "limit-rps": "1000000", "limit-connections": "1000" } },
  "limit-rps": { kind: "rendered", annotations: { "limit-rps": "1000000" } },
  "cors for all": { kind: "rendered", annotations: { "enable-cors": "true" } },
  "with Origin": { kind: "rendered", headers: origin },
  "cors with Origin": {
    kind: "rendered",
    annotations: { "enable-cors": "true", "cors-allow-origin": listed },
    headers: origin,
  },
  "with Authorization": { kind: "rendered", headers: basic("ada") },
  "basic remembered": {
    kind: "rendered",
    annotations: { "auth-type": "basic", "auth-secret": "users" },
    headers: basic("ada"),
  },
  "external auth": { kind: "rendered", annotations: asked },
  "kept external auth": {
    kind: "rendered",
    annotations: { ...asked, "auth-cache-key": "$http_authorization", "auth-cache-duration": "200 10m" },
    headers: { authorization: `Bearer ${"x".repeat(300)}` },
  },
  "with a token": { kind: "rendered", headers: { authorization: `Bearer ${"x".repeat(300)}` } },
  allowlist: { kind: "rendered", annotations: { "allowlist-source-range": networks } },
}

/** @throws Error when there is no such way */
export function wayOf(name: string): Way {
  const way = ways[name]
  if (way === undefined) throw new Error(`"${name}" is none of ${Object.keys(ways).join(", ")}`)
  return way
}

/** Serves the way with so many endpoints, which all listen on one port of loopback addresses. @param under a program that runs it @param modules folder of other ones than out/modules */
export function startWay(
  { kind, annotations = {}, rule, settings = {}, counts = false }: Way,
  endpoints: number,
  port: number,
  under: readonly string[],
  modules = "",
): Promise<RenderedSite> {
  const addresses = Array.from({ length: endpoints }, (_, n) => `${endpointAddress(n)}:${port}`)
  if (kind === "haproxy") return startHaproxy({ endpoints: addresses, under })
  return startRendered({ kind, annotations, rule, settings, counts, endpoints: addresses, under, modules })
}
