import { data, many, optional, type Row, repeatable, typed } from "../rows.ts"
import { headerName, oneOf, template, text } from "../values.ts"

// Headers of responses: the headers module, and headers-more, which the reference has.

const everywhereAndIf = "http server location if"

export const headers: readonly Row[] = [
  data("expires", everywhereAndIf, [text, optional(text)]),
  data("add_header", everywhereAndIf, [headerName, template, optional(oneOf("always"))], repeatable),
  typed("add_trailer", everywhereAndIf, [headerName, template, optional(oneOf("always"))], repeatable),
  // of the module headers-more, which the reference loads. Source: its documentation, "Directives"
  data("more_set_headers", "http server location if", [many(text)], repeatable),
  data("more_clear_headers", "http server location if", [many(text)], repeatable),
  data("more_set_input_headers", "http server location if", [many(text)], repeatable),
  data("more_clear_input_headers", "http server location if", [many(text)], repeatable),
]
