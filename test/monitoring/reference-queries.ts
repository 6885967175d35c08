// What the two Grafana dashboards of ingress-nginx ask Prometheus. Variables stand as Grafana has them, `$name`.

export interface PanelQuery {
  readonly panel: string
  readonly query: string
  /** It has no answer, and why: never, or when variables are not All. */
  readonly empty?: { readonly when: "always" | "chosen"; readonly why: string }
}

export interface Variable {
  readonly name: string
  readonly label: string
  /** what has the label: its values are to choose from */
  readonly series: string
}

const n = "nginx_ingress_controller"

const pod = 'controller_pod=~"$controller",controller_class=~"$controller_class"'
/** `namespace` is that of the Pod, which service discovery adds. */
const ofTarget = `${pod},namespace=~"$namespace"`
const ofOwn = `${pod},controller_namespace=~"$namespace"`
const selected = 'exported_namespace=~"$exported_namespace",ingress=~"$ingress"'
const chosen = `${ofOwn},${selected}`

const isSuccess = 'status!~"[4-5].*"'

const durations = (quantile: number, by: string) =>
  `histogram_quantile(${quantile}, sum(rate(${n}_request_duration_seconds_bucket{${chosen}}[2m])) by (${by}))`

const overview: readonly PanelQuery[] = [
  { panel: "Controller Request Volume", query: `round(sum(irate(${n}_requests{${ofTarget}}[2m])), 0.001)` },
  {
    panel: "Controller Connections",
    query: `sum(avg_over_time(${n}_nginx_process_connections{${ofOwn},state="active"}[2m]))`,
  },
  {
    panel: "Controller Success Rate",
    query: `sum(rate(${n}_requests{${ofTarget},${isSuccess}}[2m])) / sum(rate(${n}_requests{${ofTarget}}[2m]))`,
  },
  { panel: "Config Reloads", query: `avg(irate(${n}_success{${ofOwn}}[1m])) * 60` },
  {
    panel: "Last Config Failed",
    query: `count(${n}_config_last_reload_successful{controller_pod=~"$controller",controller_namespace=~"$namespace"} == 0)`,
    empty: { when: "always", why: "it counts replicas whose last reload failed, and none did" },
  },
  {
    panel: "Ingress Request Volume",
    query: `round(sum(irate(${n}_requests{${chosen}}[2m])) by (ingress), 0.001)`,
  },
  {
    panel: "Ingress Success Rate",
    query: `sum(rate(${n}_requests{${ofTarget},${selected},${isSuccess}}[2m])) by (ingress) / sum(rate(${n}_requests{${ofTarget},${selected}}[2m])) by (ingress)`,
  },
  { panel: "Network I/O pressure: in", query: `sum(irate(${n}_request_size_sum{${ofOwn}}[2m]))` },
  { panel: "Network I/O pressure: out", query: `- sum(irate(${n}_response_size_sum{${ofOwn}}[2m]))` },
  { panel: "Average Memory Usage", query: `avg(${n}_nginx_process_resident_memory_bytes{${ofOwn}})` },
  { panel: "Average CPU Usage", query: `avg(rate(${n}_nginx_process_cpu_seconds_total{${ofOwn}}[2m]))` },
  ...[0.5, 0.9, 0.99].map((quantile) => ({
    panel: `Ingress Percentile Response Times and Transfer Rates: ${quantile}`,
    query: durations(quantile, "le, ingress"),
  })),
  ...["request", "response"].map((side) => ({
    panel: `Ingress Percentile Response Times and Transfer Rates: ${side}s`,
    query: `sum(irate(${n}_${side}_size_sum{${chosen}}[2m])) by (ingress)`,
  })),
  ...[0.8, 0.9, 0.99].map((quantile) => ({
    panel: `Ingress Percentile Response Times: ${quantile}`,
    query: durations(quantile, "le"),
  })),
  {
    panel: "Ingress Request Latency Heatmap",
    query: `sum(increase(${n}_request_duration_seconds_bucket{${chosen}}[2m])) by (le)`,
  },
  {
    panel: "Ingress Certificate Expiry",
    query: `avg(${n}_ssl_expire_time_seconds{kubernetes_pod_name=~"$controller",namespace=~"$namespace",ingress=~"$ingress"}) by (host) - time()`,
    empty: {
      when: "chosen",
      why: "it filters by labels that the metric has not got, in ingress-nginx neither",
    },
  },
  {
    panel: "Annotation: Config Reloads",
    query: `sum(changes(${n}_config_last_reload_successful_timestamp_seconds{instance!="unknown",controller_class=~"$controller_class",namespace=~"$namespace"}[30s])) by (controller_class)`,
  },
]

const ofIngress = 'ingress=~"$ingress"'
const isError = 'status=~"[4-5].*"'
const each = "method, host, path"

const latency = (quantile: number, side: "request" | "response", by = "le") =>
  `histogram_quantile(${quantile}, sum(rate(${n}_${side}_duration_seconds_bucket{${ofIngress}}[5m])) by (${by}))`
const counted = (labels: string, by: string) =>
  `sum(rate(${n}_request_duration_seconds_count{${labels}}[5m])) by (${by})`
const responses = (part: string, by: string) =>
  `sum(rate(${n}_response_size_${part}{${ofIngress}}[5m])) by (${by})`

const performance: readonly PanelQuery[] = [
  ...[0.5, 0.95, 0.99].flatMap((quantile) => [
    { panel: `Request Latency Percentiles: ${quantile}`, query: latency(quantile, "request") },
    { panel: `Upstream Response Latency Percentiles: ${quantile}`, query: latency(quantile, "response") },
  ]),
  { panel: "Request Rate by Method and Path", query: counted(ofIngress, each) },
  {
    panel: "Median Upstream Response Time by Method and Path",
    query: latency(0.5, "response", `le, ${each}`),
  },
  {
    panel: "Response Error Rate by Method and Path",
    query: `${counted(`${ofIngress},${isError}`, each)} / ${counted(ofIngress, each)}`,
  },
  {
    panel: "Upstream Response Time by Method and Path",
    query: `sum(rate(${n}_response_duration_seconds_sum{${ofIngress}}[5m])) by (${each})`,
  },
  {
    panel: "Response Error Rate by Method, Path and Status",
    query: counted(`${ofIngress},${isError}`, `${each}, status`),
  },
  {
    panel: "Average Response Size by Method and Path",
    query: `${responses("sum", each)} / ${responses("count", each)}`,
  },
  { panel: "Average Response Size by Method and Path: buckets", query: responses("bucket", "le") },
]

export const referenceQueries = { overview, performance }

/** What may be chosen, in this order: each has only what fits what was chosen before. */
export const referenceVariables: readonly Variable[] = [
  { name: "namespace", label: "controller_namespace", series: `${n}_config_hash` },
  {
    name: "controller_class",
    label: "controller_class",
    series: `${n}_config_hash{namespace=~"$namespace"}`,
  },
  {
    name: "controller",
    label: "controller_pod",
    series: `${n}_config_hash{namespace=~"$namespace",controller_class=~"$controller_class"}`,
  },
  {
    name: "exported_namespace",
    label: "exported_namespace",
    series: `${n}_requests{${ofTarget}}`,
  },
  {
    name: "ingress",
    label: "ingress",
    series: `${n}_requests{${ofTarget},exported_namespace=~"$exported_namespace"}`,
  },
]
