import { idle, type Row, repeatable, typed } from "../rows.ts"
import { flag, number, size, sizeFrom, template, text } from "../values.ts"

// HTTP/2, and how many headers there may be.

const everywhere = "http server location"

export const http2: readonly Row[] = [
  typed("http2_recv_buffer_size", "http", [sizeFrom(64)]),
  typed("http2_pool_size", "http server", [sizeFrom(112, 16)]),
  typed("http2_max_concurrent_streams", "http server", [number()]),
  idle("http2_max_concurrent_pushes", "http server", [number()]),
  idle("http2_max_requests", "http server", [text]),
  idle("http2_max_field_size", "http server", [text]),
  idle("http2_max_header_size", "http server", [text]),
  typed("http2_body_preread_size", "http server", [size]),
  typed("http2_streams_index_size", "http server", [number()]),
  idle("http2_recv_timeout", "http server", [text]),
  idle("http2_idle_timeout", "http server", [text]),
  typed("http2_chunk_size", everywhere, [sizeFrom(1)]),
  idle("http2_push_preload", everywhere, [flag]),
  idle("http2_push", everywhere, [template], repeatable),
  typed("max_headers", "http server", [number()]),
]
