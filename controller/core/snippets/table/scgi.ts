import { never } from "../reasons.ts"
import { idle, optional, type Row, repeatable } from "../rows.ts"
import { headerName, oneOf, template } from "../values.ts"
import {
  answerRows,
  askingRows,
  bufferRows,
  cacheRows,
  everywhere,
  failures,
  withoutBackends,
} from "./backends.ts"

// Backends of SCGI.

export const scgi: readonly Row[] = [
  never.protocols("scgi_pass", "location if", [template]),
  idle("scgi_param", everywhere, [headerName, template, optional(oneOf("if_not_empty"))], repeatable),
  ...askingRows("scgi", withoutBackends, failures),
  ...answerRows("scgi", withoutBackends),
  ...bufferRows("scgi", withoutBackends),
  ...cacheRows("scgi", withoutBackends, failures),
]
