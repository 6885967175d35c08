// How a part declares what it measures, beside where it measures it. What keeps the numbers and prints them is `report/observe`.

/** Labels of one series, by name. */
type Labels<L extends string> = Partial<Record<L, string | number>>

/** A number that goes up and down. */
interface Gauge<L extends string> {
  set(value: number): void
  set(labels: Labels<L>, value: number): void
  inc(value?: number): void
  inc(labels: Labels<L>, value?: number): void
  dec(value?: number): void
  /** Forgets all series. */
  reset(): void
  /** The one without labels has no value from now on, until it is set. */
  remove(): void
}

/** A number that goes up, or is read where something else counts. */
interface Counter<L extends string> {
  inc(value?: number): void
  inc(labels: Labels<L>, value?: number): void
  /** Forgets all series; one without labels is 0 again. */
  reset(): void
  remove(labels?: Labels<L>): void
}

interface Histogram<L extends string> {
  observe(value: number): void
  observe(labels: Labels<L>, value: number): void
}

/** Called at each scrape, before the value is read. */
type Collect<M> = (metric: M) => Promise<void> | void

/** Declares metrics: name, help and labels, and where the value comes from when it is read at each scrape. Each name once. */
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
