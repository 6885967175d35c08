import type { MetricObjectWithValues, MetricValueWithName, Registry } from "prom-client"
import {
  type FamilyMessage,
  type HistogramMessage,
  labelMessages,
  type MetricMessage,
  metricTypes,
} from "./protobuf.ts"

// What a registry holds, as messages: prom-client prints text only.

type Value = MetricValueWithName<string>

/** Those that have series. @throws what collecting them throws */
export async function registryFamilies(registry: Registry): Promise<readonly FamilyMessage[]> {
  const metrics = (await registry.getMetricsAsJSON()) as unknown as readonly MetricObjectWithValues<Value>[]
  return metrics.map(familyOf).filter(({ metric }) => metric.length > 0)
}

function familyOf({ name, help, type, values }: MetricObjectWithValues<Value>): FamilyMessage {
  // The library's own type says numbers, and its values are words.
  const kind = String(type)
  if (kind !== "counter" && kind !== "gauge" && kind !== "histogram")
    throw new Error(`Cannot print ${name} as protobuf: a ${kind} is not known`)
  const metric =
    kind === "histogram"
      ? histogramsOf(name, values)
      : values.map(({ labels, value }) => ({ label: labelMessages(labels), [kind]: { value } }))
  return { name, help, type: metricTypes[kind], metric }
}

/** The values of one series: a bucket each, the sum and the count. */
function histogramsOf(name: string, values: readonly Value[]): readonly MetricMessage[] {
  const series = Map.groupBy(values, ({ labels: { le, ...labels } }) => JSON.stringify(labels))
  return Array.from(series, ([labels, values]) => ({
    label: labelMessages(JSON.parse(labels)),
    histogram: histogramOf(name, values),
  }))
}

function histogramOf(name: string, values: readonly Value[]): HistogramMessage {
  const of = (suffix: string) => values.filter(({ metricName }) => metricName === `${name}_${suffix}`)
  const buckets = of("bucket").filter(({ labels: { le } }) => le !== "+Inf")
  return {
    sampleCount: of("count")[0]?.value ?? 0,
    sampleSum: of("sum")[0]?.value ?? 0,
    bucket: buckets.map(({ labels: { le }, value }) => ({ cumulativeCount: value, upperBound: Number(le) })),
  }
}
