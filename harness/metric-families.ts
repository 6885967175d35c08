// Reads Prometheus' protobuf format: delimited messages as client_model describes them, here in their own language.
import protobuf from "protobufjs"

const { root } = protobuf.parse(`
  syntax = "proto2";
  package io.prometheus.client;
  message LabelPair { optional string name = 1; optional string value = 2; }
  enum MetricType { COUNTER = 0; GAUGE = 1; SUMMARY = 2; UNTYPED = 3; HISTOGRAM = 4; }
  message Gauge { optional double value = 1; }
  message Counter { optional double value = 1; }
  message Bucket { optional uint64 cumulative_count = 1; optional double upper_bound = 2; }
  message BucketSpan { optional sint32 offset = 1; optional uint32 length = 2; }
  message Histogram {
    optional uint64 sample_count = 1;
    optional double sample_sum = 2;
    repeated Bucket bucket = 3;
    optional sint32 schema = 5;
    optional double zero_threshold = 6;
    optional uint64 zero_count = 7;
    repeated BucketSpan positive_span = 12;
    repeated sint64 positive_delta = 13;
  }
  message Metric {
    repeated LabelPair label = 1;
    optional Gauge gauge = 2;
    optional Counter counter = 3;
    optional Histogram histogram = 7;
  }
  message MetricFamily {
    optional string name = 1;
    optional string help = 2;
    optional MetricType type = 3;
    repeated Metric metric = 4;
  }
`)
const message = root.lookupType("io.prometheus.client.MetricFamily")

export const protobufType =
  "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited"

export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: "COUNTER" | "GAUGE" | "HISTOGRAM"
  readonly metric: readonly Metric[]
}

interface Metric {
  readonly label?: readonly { readonly name: string; readonly value?: string }[]
  readonly gauge?: { readonly value: number }
  readonly counter?: { readonly value: number }
  readonly histogram?: Histogram
}

export interface Histogram {
  readonly sampleCount: number
  readonly sampleSum: number
  readonly bucket?: readonly { readonly cumulativeCount: number; readonly upperBound: number }[]
  readonly schema?: number
  readonly zeroThreshold?: number
  readonly zeroCount?: number
  readonly positiveSpan?: readonly { readonly offset: number; readonly length: number }[]
  readonly positiveDelta?: readonly number[]
}

/** One for each message: a metric may have several. @throws when they are none */
export function familiesIn(bytes: Uint8Array): readonly MetricFamily[] {
  const reader = protobuf.Reader.create(bytes)
  const families: MetricFamily[] = []
  while (reader.pos < reader.len) {
    const decoded = message.decodeDelimited(reader)
    families.push(message.toObject(decoded, { longs: Number, enums: String }) as MetricFamily)
  }
  return families
}

/** The same samples as lines of Prometheus' text, in order: `name{a="x",b="y"} 1`, labels in order as well. Without native histograms. */
export function linesOf(families: readonly MetricFamily[]): readonly string[] {
  return families.flatMap(({ name, metric }) => metric.flatMap((one) => samplesOf(name, one))).sort()
}

function samplesOf(name: string, { label = [], gauge, counter, histogram }: Metric): readonly string[] {
  const labels = label.map(({ name, value = "" }) => `${name}=${JSON.stringify(value)}`)
  const line = (suffix: string, value: number, ...more: readonly string[]) =>
    `${name}${suffix}{${[...labels, ...more].sort().join()}} ${value}`
  if (histogram === undefined) return [line("", (gauge ?? counter)?.value ?? 0)]
  const { sampleCount = 0, sampleSum = 0, bucket = [] } = histogram
  const buckets = bucket.map(({ cumulativeCount = 0, upperBound = 0 }) =>
    line("_bucket", cumulativeCount, `le="${upperBound}"`),
  )
  return [
    ...buckets,
    line("_bucket", sampleCount, 'le="+Inf"'),
    line("_sum", sampleSum),
    line("_count", sampleCount),
  ]
}

/** The samples of Prometheus' text, likewise. */
export function linesIn(text: string): readonly string[] {
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  return samples.map(lineOf).sort()
}

function lineOf(sample: string): string {
  const [, name = "", labels = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(sample) ?? []
  const pairs = Array.from(labels.matchAll(/(\w+)=("(?:[^"\\]|\\.)*")/g), ([, key = "", text = ""]) =>
    key === "le" && text !== '"+Inf"' ? `le="${Number(text.slice(1, -1))}"` : `${key}=${text}`,
  )
  return `${name}{${pairs.sort().join()}} ${Number(value)}`
}
