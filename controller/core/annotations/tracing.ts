import { accepted, refused } from "../options/parser.ts"
import type { Family } from "./entry.ts"
import { fromConfigMap } from "./entry.ts"
import { trueOrFalse } from "./syntax.ts"

const setting = { section: "Tracing", scope: "location", since: "0.1.0" } as const
const needs = {
  needs: "enable-opentelemetry",
  exampleWith: { annotations: { "enable-opentelemetry": "true" } },
} as const

/** OpenTelemetry. */
export const tracingAnnotations = {
  isTraced: {
    ...trueOrFalse,
    ...setting,
    risk: "low",
    name: "enable-opentelemetry",
    default: fromConfigMap,
    example: "true",
    description:
      "requests are traced: the backend gets `traceparent`, and those that are sampled leave spans",
  },
  trustsIncomingSpan: {
    ...trueOrFalse,
    ...setting,
    ...needs,
    risk: "low",
    name: "opentelemetry-trust-incoming-span",
    default: fromConfigMap,
    example: "false",
    description:
      "a trace that a client says its request is part of goes on; `false`: traces begin here, whatever clients send",
  },
  operationName: {
    ...setting,
    ...needs,
    risk: "medium",
    name: "opentelemetry-operation-name",
    values: "letters, digits, `_` and `-`",
    parse: (text) =>
      /^[A-Za-z0-9_-]{0,1024}$/.test(text) ? accepted(text) : refused("write letters, digits, _ and -"),
    default: fromConfigMap,
    example: "checkout",
    description: "name of the spans of requests",
  },
} satisfies Family
