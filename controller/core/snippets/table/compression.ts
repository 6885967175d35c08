import { idle, many, type Row, repeatable, typed } from "../rows.ts"
import { flag, mediaType, number, oneOf, size } from "../values.ts"

// gzip and Brotli.

const everywhere = "http server location"

export const compression: readonly Row[] = [
  typed("gunzip", everywhere, [flag]),
  typed("gunzip_buffers", everywhere, [number(1), size]),
  idle("gzip_static", everywhere, [oneOf("off", "on", "always")]),
  typed("gzip", "http server location if", [flag]),
  typed("gzip_buffers", everywhere, [number(1), size]),
  typed("gzip_types", everywhere, [many(mediaType)], repeatable),
  typed("gzip_comp_level", everywhere, [number()]),
  typed("gzip_window", everywhere, [size]),
  typed("gzip_hash", everywhere, [size]),
  typed("postpone_gzipping", everywhere, [size]),
  typed("gzip_no_buffer", everywhere, [flag]),
  typed("gzip_min_length", everywhere, [size]),
  typed("brotli", "http server location if", [flag]),
  typed("brotli_buffers", everywhere, [number(1), size]),
  typed("brotli_types", everywhere, [many(mediaType)], repeatable),
  typed("brotli_comp_level", everywhere, [number()]),
  typed("brotli_window", everywhere, [size]),
  typed("brotli_min_length", everywhere, [size]),
  idle("brotli_static", everywhere, [oneOf("off", "on", "always")]),
]
