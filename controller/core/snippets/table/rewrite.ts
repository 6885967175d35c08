import { block, data, idle, many, optional, type Row, repeatable } from "../rows.ts"
import { flag, free, oneOf, pattern, template, text, variable } from "../values.ts"

// Answers, other paths, conditions and variables.

export const rewrite: readonly Row[] = [
  data(
    "rewrite",
    "server server-if location if",
    [pattern, template, optional(oneOf("last", "break", "redirect", "permanent"))],
    repeatable,
  ),
  data("return", "server server-if location if", [text, optional(free)], repeatable),
  data("break", "server server-if location if", [], repeatable),
  data("if", "server location", [many(text)], block),
  data("set", "server server-if location if", [variable, free], repeatable),
  idle("rewrite_log", "http server server-if location if", [flag]),
  idle("uninitialized_variable_warn", "http server server-if location if", [flag]),
]
