// What `/metrics` of a running wick says, as samples.
import { ask } from "./http.ts"
import { until } from "./until.ts"
import type { Wick } from "./wick.ts"

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export type Labels = Readonly<Record<string, string>>

const prefix = "nginx_ingress_controller_"

/** Every sample, without the common prefix. */
export async function scrape(wick: Wick): Promise<readonly Sample[]> {
  const { status, body } = await ask({ port: wick.healthPort }, { path: "/metrics" })
  if (status !== 200) throw new Error(`/metrics answered ${status}: ${body}`)
  return body
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(sample)
}

function sample(line: string): Sample {
  const [, name = "", labels = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (name === "") throw new Error(`No sample: ${line}`)
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = "", text = ""]) => [
    key,
    text,
  ])
  return {
    name: name.startsWith(prefix) ? name.slice(prefix.length) : name,
    labels: Object.fromEntries(pairs),
    value: value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value),
  }
}

/** Sum of the samples of a name that have all these labels. */
export function sumOf(samples: readonly Sample[], name: string, labels: Labels = {}): number {
  return matching(samples, name, labels).reduce((sum, { value }) => sum + value, 0)
}

export function matching(samples: readonly Sample[], name: string, labels: Labels = {}): readonly Sample[] {
  const wanted = Object.entries(labels)
  return samples.filter((one) => one.name === name && wanted.every(([key, text]) => one.labels[key] === text))
}

/** Waits until a sum is this: a request is counted a moment after its answer. */
export async function untilSum(wick: Wick, name: string, labels: Labels, wanted: number): Promise<void> {
  let seen = Number.NaN
  const is = async () => {
    seen = sumOf(await scrape(wick), name, labels)
    return seen === wanted
  }
  await until(`${name}${JSON.stringify(labels)} to be ${wanted}`, is).catch((error: Error) => {
    throw new Error(`${error.message}; it is ${seen}`)
  })
}
