// Dashboards as Grafana would fill them: queries with variables, and which of them a Prometheus has an answer to.
import type { Prometheus } from "../support/prometheus.ts"
import type { PanelQuery, Variable } from "./reference-queries.ts"

/** Variable → what stands for it in selectors. */
export type Chosen = Readonly<Record<string, string>>

/** Everything, as Grafana writes All. */
export function all(variables: readonly Variable[]): Chosen {
  return Object.fromEntries(variables.map(({ name }) => [name, ".*"]))
}

/** Longer names first: one may begin with another. */
export function filled(query: string, chosen: Chosen): string {
  const names = Object.keys(chosen).sort((a, b) => b.length - a.length)
  return names.reduce((text, name) => text.replaceAll(`$${name}`, chosen[name] ?? ""), query)
}

/** What Grafana itself puts into queries of ours, and the label with an Ingress's namespace: `namespace` without the Prometheus operator. */
export function withGrafana(chosen: Chosen, namespaceLabel = "exported_namespace"): Chosen {
  return { ...chosen, __rate_interval: "1m", namespace_label: namespaceLabel }
}

/** What there is to choose for a variable. */
export async function valuesOf(
  prometheus: Prometheus,
  variable: Pick<Variable, "label" | "series">,
  chosen: Chosen,
): Promise<readonly string[]> {
  const [label, series] = [filled(variable.label, chosen), filled(variable.series, chosen)]
  const found = await prometheus.query(`count by (${label}) (${series})`)
  return found.flatMap(({ labels }) => labels[label] || []).sort()
}

/** Panels whose query has no number for an answer. */
export async function emptyPanels(
  prometheus: Prometheus,
  queries: readonly PanelQuery[],
  chosen: Chosen,
): Promise<readonly string[]> {
  const answers = queries.map(async ({ panel, query }) => {
    const found = await prometheus.query(filled(query, chosen))
    return found.some(({ value }) => Number.isFinite(value)) ? [] : [panel]
  })
  return (await Promise.all(answers)).flat()
}
