import type { Variable } from "./dashboard.ts"

// Parts of queries. `namespace_label` is the label with an Ingress's namespace: Prometheus makes `exported_namespace` of our `namespace` where targets
// have one of their own, as with the Prometheus operator.

export const metric = "nginx_ingress_controller"

/** The controllers that are looked at. */
export const ours = 'controller_class=~"$class",controller_pod=~"$controller"'

/** Requests to the Ingresses that are looked at. */
export const theirs = `${ours},$namespace_label=~"$namespace",ingress=~"$ingress"`

export const namespacedLegend = "{{exported_namespace}}{{namespace}}/{{ingress}}"

export const rate = (name: string, selector: string) => `rate(${name}{${selector}}[$__rate_interval])`

export const sumBy = (labels: string, name: string, selector: string) =>
  `sum by (${labels}) (${rate(name, selector)})`

export const total = (name: string, selector: string) => `sum(${rate(name, selector)})`

export const quantile = (q: number, histogram: string, selector: string, by = "") =>
  `histogram_quantile(${q}, ${sumBy(`le${by && `, ${by}`}`, `${histogram}_bucket`, selector)})`

/** Three lines of one histogram. */
export function quantiles(histogram: string, selector: string): Readonly<Record<string, string>> {
  const at = (q: number) => quantile(q, histogram, selector)
  return { median: at(0.5), "95 %": at(0.95), "99 %": at(0.99) }
}

/** Numerator and denominator; 0 where nothing of the former is counted. */
export function share(part: string, whole: string, by = ""): string {
  if (by === "") return `(${part} or vector(0)) / ${whole}`
  return `(${part} or ${whole} * 0) / ${whole}`
}

const running = `${metric}_config_hash`

export const controllers: readonly Variable[] = [
  { name: "class", title: "Controller class", label: "controller_class", series: running },
  {
    name: "controller",
    title: "Controller",
    label: "controller_pod",
    series: `${running}{controller_class=~"$class"}`,
  },
]

export const ingresses: readonly Variable[] = [
  ...controllers,
  {
    name: "namespace",
    title: "Namespace",
    label: "$namespace_label",
    series: `${metric}_orphan_ingress{${ours}}`,
  },
  {
    name: "ingress",
    title: "Ingress",
    label: "ingress",
    series: `${metric}_orphan_ingress{${ours},$namespace_label=~"$namespace"}`,
  },
]
