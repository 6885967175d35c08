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
  typed("gzip_window", everywhere, [oneOf("512", "1k", "2k", "4k", "8k", "16k", "32k")]),
  typed("gzip_hash", everywhere, [oneOf("512", "1k", "2k", "4k", "8k", "16k", "32k", "64k", "128k")]),
  typed("postpone_gzipping", everywhere, [size]),
  typed("gzip_no_buffer", everywhere, [flag]),
  typed("gzip_min_length", everywhere, [size]),
  typed("brotli", "http server location if", [flag]),
  typed("brotli_buffers", everywhere, [number(1), size]),
  typed("brotli_types", everywhere, [many(mediaType)], repeatable),
  typed("brotli_comp_level", everywhere, [number()]),
  typed("brotli_window", everywhere, [
    oneOf("1k", "2k", "4k", "8k", "16k", "32k", "64k", "128k", "256k", "512k", "1m", "2m", "4m", "8m", "16m"),
  ]),
  typed("brotli_min_length", everywhere, [size]),
  idle("brotli_static", everywhere, [oneOf("off", "on", "always")]),
]
