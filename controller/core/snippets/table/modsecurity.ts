import { data, type Row, repeatable } from "../rows.ts"
import { flag, lines, template, text } from "../values.ts"

// The module of ModSecurity for nginx, which the reference loads: wick has a firewall of its own for the same rules (core/modsecurity).

const everywhere = "http server location"

export const modsecurity: readonly Row[] = [
  data("modsecurity", everywhere, [flag]),
  data("modsecurity_rules", everywhere, [lines], repeatable),
  data("modsecurity_rules_file", everywhere, [text], repeatable),
  data("modsecurity_transaction_id", everywhere, [template]),
]
