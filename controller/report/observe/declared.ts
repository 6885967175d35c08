import {
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type Registry,
} from "prom-client"
import type { Declare } from "../../support/declare.ts"

/** What is declared is kept in one registry. */
export function declareIn(registry: Registry): Declare {
  const registers = [registry]
  return {
    gauge(name, help, labels = [], collect) {
      const configuration: GaugeConfiguration<(typeof labels)[number]> = {
        ...{ name, help, registers },
        labelNames: labels,
      }
      if (collect)
        configuration.collect = function () {
          return collect(this)
        }
      return new Gauge(configuration)
    },
    counter(name, help, labels = [], collect) {
      const configuration: CounterConfiguration<(typeof labels)[number]> = {
        ...{ name, help, registers },
        labelNames: labels,
      }
      if (collect)
        configuration.collect = function () {
          return collect(this)
        }
      return new Counter(configuration)
    },
    histogram: (name, help, buckets, labels = []) =>
      new Histogram({ name, help, buckets: [...buckets], labelNames: labels, registers }),
  }
}
