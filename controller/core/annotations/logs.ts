import { ratio } from "../options/parser.ts"
import { values } from "../options/usage.ts"
import { type Family, fromConfigMap } from "./entry.ts"
import { trueOrFalse } from "./syntax.ts"

/** What is logged of requests. */
export const logAnnotations = {
  isLogged: {
    ...trueOrFalse,
    name: "enable-access-log",
    section: "Backends",
    default: "`true`",
    example: "false",
    description: "whether requests are logged",
    scope: "location",
    risk: "low",
    since: "0.1.0",
  },
  sampleRate: {
    name: "access-log-sample-rate",
    isOwn: true,
    parse: ratio,
    values: values.ratio,
    section: "Backends",
    default: fromConfigMap,
    example: "0.01",
    description:
      "which part of the requests that do not fail is logged; those with a status from 400 on always are",
    scope: "location",
    risk: "low",
    since: "0.1.0",
  },
} satisfies Family
