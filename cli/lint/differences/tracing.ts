import { type Differences, operation } from "./difference.ts"
import { either, keySays, says } from "./matching.ts"

/** Differences under the heading "Tracing". */
export const tracingDifferences = {
  "tracing-exporter": {
    what: "Who exports",
    before: "A module in each worker; what a worker holds at its end is lost",
    now: "The controller, from shared memory ([tracing.md](tracing.md))",
    why: "nginx never waits for a collector",
    concerns: operation,
  },
  "tracing-annotations-change": {
    what: "A change of the annotations",
    before: "Reload",
    now: "None",
    concerns: operation,
  },
  "tracing-attributes": {
    what: "Attributes",
    before: "Old semantic conventions (`http.method`, `net.peer.ip`)",
    now: "Those that are stable (`http.request.method`, `client.address`)",
    why: "Collectors and dashboards have moved on",
    concerns: operation,
  },
  "tracing-spans-of-attempts": {
    what: "Attempts to pass a request on, questions to authentication services, mirrored requests",
    before: "No spans",
    now: "One each",
    why: "Retries are where the time goes",
    concerns: operation,
  },
  "tracing-span-name": {
    what: "Name of a span without `opentelemetry-operation-name`",
    before: "The module's choice",
    now: "Method and path of the rule",
    why: "As the conventions have it",
    concerns: operation,
  },
  "otel-queue-size": {
    what: "`otel-max-queuesize`, `otel-max-export-batch-size`",
    before: "Of each worker",
    now: "Of all workers together",
    concerns: operation,
  },
  "otel-sampler-unknown": {
    what: "A value of `otel-sampler` that does not exist",
    before: "Goes to the module",
    now: "A Problem",
    concerns: operation,
  },
  "opentelemetry-config": {
    what: "`opentelemetry-config`",
    before: "Where the exporter's file is",
    now: "No effect: there is none",
    concerns: operation,
  },
  "opentelemetry-log-variables": {
    what: "`$opentelemetry_…` in a log format while nothing is traced",
    before: "nginx refuses the configuration",
    now: "Empty",
    concerns: operation,
  },
  "tracing-without-collector": {
    what: "`enable-opentelemetry` is on, and there may be no collector",
    before: "Spans are sent to an empty address",
    now: "`traceparent` is handed on, and no span is sent",
    concerns: either(says("tracing", "isTraced", true), keySays("tracesAll", true)),
  },
} satisfies Differences
