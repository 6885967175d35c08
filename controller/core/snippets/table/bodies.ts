import { never } from "../reasons.ts"
import { block, idle, many, type Row, repeatable, typed } from "../rows.ts"
import { flag, mediaType, name, number, size, template, text } from "../values.ts"

// Filters of bodies.

const everywhere = "http server location"
const everywhereAndIf = "http server location if"

export const bodies: readonly Row[] = [
  typed("slice", everywhere, [size]),
  typed("sub_filter", everywhere, [template, template], repeatable),
  typed("sub_filter_types", everywhere, [many(mediaType)], repeatable),
  typed("sub_filter_once", everywhere, [flag]),
  typed("sub_filter_last_modified", everywhere, [flag]),
  typed("output_buffers", everywhere, [number(1), size]),
  never.ssi("ssi", everywhereAndIf, [flag]),
  idle("ssi_silent_errors", everywhere, [flag]),
  idle("ssi_ignore_recycled_buffers", everywhere, [flag]),
  idle("ssi_min_file_chunk", everywhere, [size]),
  idle("ssi_value_length", everywhere, [size]),
  idle("ssi_types", everywhere, [many(mediaType)], repeatable),
  idle("ssi_last_modified", everywhere, [flag]),
  never.subrequests("add_before_body", everywhere, [text]),
  never.subrequests("add_after_body", everywhere, [text]),
  never.subrequests("addition_types", everywhere, [many(mediaType)], repeatable),
  typed("charset", everywhereAndIf, [template]),
  typed("source_charset", everywhereAndIf, [template]),
  typed("override_charset", everywhereAndIf, [flag]),
  typed("charset_types", everywhere, [many(mediaType)], repeatable),
  typed("charset_map", "http", [name, name], block),
]
