import type { Label } from "../../support/label-text.ts"

// Prometheus' protobuf format: delimited messages `io.prometheus.client.MetricFamily`. A metric may be several messages, each with some of its
// series. Source of names and numbers: client_model, io/prometheus/client/metrics.proto.

/** A metric with some of its series. */
export interface FamilyMessage {
  readonly name: string
  readonly help: string
  readonly type: MetricType
  readonly metric: readonly MetricMessage[]
}

/** One series; of the values the one that its type has. */
export interface MetricMessage {
  readonly label: readonly Label[]
  readonly gauge?: NumberMessage
  readonly counter?: NumberMessage
  readonly histogram?: HistogramMessage
}

export interface HistogramMessage {
  readonly sampleCount: number
  readonly sampleSum: number
  /** ascending, without that of infinity */
  readonly bucket: readonly { readonly cumulativeCount: number; readonly upperBound: number }[]
}

interface NumberMessage {
  readonly value: number
}

export const metricTypes = { counter: 0, gauge: 1, histogram: 4 } as const
type MetricType = (typeof metricTypes)[keyof typeof metricTypes]

const field = (type: string, id: number) => ({ type, id })
const repeated = (type: string, id: number) => ({ rule: "repeated", type, id })

const messages = {
  nested: {
    MetricFamily: {
      fields: {
        name: field("string", 1),
        help: field("string", 2),
        type: field("int32", 3),
        metric: repeated("Metric", 4),
      },
    },
    Metric: {
      fields: {
        label: repeated("LabelPair", 1),
        gauge: field("Number", 2),
        counter: field("Number", 3),
        histogram: field("Histogram", 7),
      },
    },
    LabelPair: { fields: { name: field("string", 1), value: field("string", 2) } },
    Number: { fields: { value: field("double", 1) } },
    Histogram: {
      fields: {
        sampleCount: field("uint64", 1),
        sampleSum: field("double", 2),
        bucket: repeated("Bucket", 3),
      },
    },
    Bucket: { fields: { cumulativeCount: field("uint64", 1), upperBound: field("double", 2) } },
  },
}

export type EncodeFamily = (family: FamilyMessage) => Uint8Array

let encode: Promise<EncodeFamily> | undefined

/** The library is read by the first scrape that needs it: it takes 9 MB. */
export function familyEncoder(): Promise<EncodeFamily> {
  encode ??= load()
  return encode
}

async function load(): Promise<EncodeFamily> {
  const { default: protobuf } = await import("protobufjs")
  const message = protobuf.Root.fromJSON(messages).lookupType("MetricFamily")
  return (family) => message.encodeDelimited({ ...family }).finish()
}

export function labelMessages(labels: Partial<Record<string, string | number>>): readonly Label[] {
  return Object.entries(labels).map(([name, value]) => ({ name, value: String(value) }))
}
