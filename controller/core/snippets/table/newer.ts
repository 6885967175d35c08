import { asText, never } from "../reasons.ts"
import { idle, many, type Row, repeatable, typed } from "../rows.ts"
import { flag, milliseconds, number, oneOf, size, template, text } from "../values.ts"

// What nginx got after 1.22, which is the oldest that wick runs on; an older one says that it does not know it. Source: nginx, CHANGES.

const everywhere = "http server location"

export const newer: readonly Row[] = [
  typed("http2", "http server", [flag]),
  idle("http3", "http server", [flag]),
  idle("http3_hq", "http server", [flag]),
  idle("http3_max_concurrent_streams", "http server", [number()]),
  idle("http3_stream_buffer_size", "http server", [size]),
  idle("quic_retry", "http server", [flag]),
  idle("quic_gso", "http server", [flag]),
  idle("quic_active_connection_id_limit", "http server", [number()]),
  never.keys("quic_host_key", "http server", [text]),
  never.process("quic_bpf", "main", [flag]),
  never.keys("ssl_certificate_cache", "http server", [many(text)]),
  never.keys("ssl_certificate_compression", "http server", [flag]),
  never.keys("ssl_ech_file", "http server", [text], repeatable),
  never.keys("ssl_key_log", "http server", [text]),
  never.process("ssl_object_cache_inheritable", "main", [flag]),
  typed("keepalive_min_timeout", everywhere, [milliseconds]),
  typed("early_hints", everywhere, [many(template)], repeatable),
  typed("add_header_inherit", "http server location if", [oneOf("off", "on", "merge")]),
  typed("add_trailer_inherit", "http server location if", [oneOf("off", "on", "merge")]),
  typed("proxy_pass_trailers", everywhere, [flag]),
  ...["proxy_ssl", "grpc_ssl", "uwsgi_ssl"].flatMap((it) => [
    never.upstreamKeys(`${it}_certificate_cache`, everywhere, [many(text)]),
    never.upstreamKeys(`${it}_key_log`, everywhere, [text]),
  ]),
  asText.resolver("resolver", "upstream stream-upstream", [many(text)]),
  asText.resolver("resolver_timeout", "upstream stream-upstream", [milliseconds]),
  typed("server_name", "stream-server", [many(text)], repeatable),
  typed("server_names_hash_max_size", "stream", [number()]),
  typed("server_names_hash_bucket_size", "stream", [number()]),
  typed("ssl_reject_handshake", "stream stream-server", [flag]),
  typed("ssl_stapling", "stream stream-server", [flag]),
  typed("ssl_stapling_verify", "stream stream-server", [flag]),
  asText.resolver("ssl_stapling_responder", "stream stream-server", [text]),
  asText.filesOfStreams("ssl_stapling_file", "stream stream-server", [text]),
  typed("ssl_ocsp", "stream stream-server", [oneOf("off", "on", "leaf")]),
  asText.resolver("ssl_ocsp_responder", "stream stream-server", [text]),
  asText.resolver("ssl_ocsp_cache", "stream stream-server", [text]),
  asText.filesOfStreams("ssl_certificate_cache", "stream stream-server", [many(text)]),
  asText.filesOfStreams("ssl_key_log", "stream stream-server", [text]),
  typed("pass", "stream-server", [template]),
]
