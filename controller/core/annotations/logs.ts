import type { Family } from "./entry.ts"
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
} satisfies Family
