import {
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type Registry,
} from "prom-client"

/** Called at each scrape, before the value is read. */
type Collect<M> = (metric: M) => Promise<void> | void

/** Declares metrics in one registry: name, help and labels, and where the value comes from when it is read at each scrape. */
export interface Declare {
  gauge<const L extends string>(
    name: string,
    help: string,
    labels?: readonly L[],
    collect?: Collect<Gauge<L>>,
  ): Gauge<L>
  counter<const L extends string>(
    name: string,
    help: string,
    labels?: readonly L[],
    collect?: Collect<Counter<L>>,
  ): Counter<L>
  histogram<const L extends string>(
    name: string,
    help: string,
    buckets: readonly number[],
    labels?: readonly L[],
  ): Histogram<L>
}

/** How metrics are filled that share one reading: the first of a scrape reads, the others wait for the same answer. */
export function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined
  return () => {
    pending ??= read().finally(() => {
      pending = undefined
    })
    return pending
  }
}

export function declareIn(registry: Registry): Declare {
  const registers = [registry]
  return {
    gauge<const L extends string>(
      name: string,
      help: string,
      labels: readonly L[] = [],
      collect?: Collect<Gauge<L>>,
    ) {
      const configuration: GaugeConfiguration<L> = { name, help, labelNames: labels, registers }
      if (collect)
        configuration.collect = function () {
          return collect(this)
        }
      return new Gauge(configuration)
    },
    counter<const L extends string>(
      name: string,
      help: string,
      labels: readonly L[] = [],
      collect?: Collect<Counter<L>>,
    ) {
      const configuration: CounterConfiguration<L> = { name, help, labelNames: labels, registers }
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
