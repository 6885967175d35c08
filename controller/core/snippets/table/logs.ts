import { data, idle, many, type Row, repeatable, typed } from "../rows.ts"
import { name, template, text } from "../values.ts"

// The log of requests.

export const logs: readonly Row[] = [
  typed("log_format", "http", [name, many(template)], repeatable),
  data("access_log", "http server location if limit-except", [text, many(text, 0)], repeatable),
  idle("open_log_file_cache", "http server location", [text, many(text, 0, 3)]),
]
