import { asText, never } from "../reasons.ts"
import { data, many, optional, type Row, repeatable, typed } from "../rows.ts"
import { flag, headerName, milliseconds, number, oneOf, size, template, text } from "../values.ts"

// Backends of gRPC.

const everywhere = "http server location"

export const grpc: readonly Row[] = [
  data("grpc_pass", "location if", [template]),
  never.bind("grpc_bind", everywhere, [template, optional(text)]),
  typed("grpc_socket_keepalive", everywhere, [flag]),
  data("grpc_connect_timeout", everywhere, [milliseconds]),
  data("grpc_send_timeout", everywhere, [milliseconds]),
  data("grpc_intercept_errors", everywhere, [flag]),
  data("grpc_buffer_size", everywhere, [size]),
  data("grpc_read_timeout", everywhere, [milliseconds]),
  data(
    "grpc_next_upstream",
    everywhere,
    [
      many(
        oneOf(
          "error",
          "timeout",
          "invalid_header",
          "non_idempotent",
          "http_500",
          "http_502",
          "http_503",
          "http_504",
          "http_403",
          "http_404",
          "http_429",
          "off",
        ),
      ),
    ],
    repeatable,
  ),
  data("grpc_next_upstream_tries", everywhere, [number()]),
  data("grpc_next_upstream_timeout", everywhere, [milliseconds]),
  data("grpc_set_header", everywhere, [headerName, template], repeatable),
  data("grpc_pass_header", everywhere, [headerName], repeatable),
  data("grpc_hide_header", everywhere, [headerName], repeatable),
  typed(
    "grpc_ignore_headers",
    everywhere,
    [
      many(
        oneOf(
          "X-Accel-Redirect",
          "X-Accel-Expires",
          "X-Accel-Limit-Rate",
          "X-Accel-Buffering",
          "X-Accel-Charset",
          "Expires",
          "Cache-Control",
          "Set-Cookie",
          "Vary",
        ),
      ),
    ],
    repeatable,
  ),
  typed("grpc_ssl_session_reuse", everywhere, [flag]),
  typed(
    "grpc_ssl_protocols",
    everywhere,
    [many(oneOf("SSLv2", "SSLv3", "TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"))],
    repeatable,
  ),
  typed("grpc_ssl_ciphers", everywhere, [text]),
  typed("grpc_ssl_name", everywhere, [template]),
  typed("grpc_ssl_server_name", everywhere, [flag]),
  typed("grpc_ssl_verify", everywhere, [flag]),
  typed("grpc_ssl_verify_depth", everywhere, [number()]),
  never.upstreamKeys("grpc_ssl_trusted_certificate", everywhere, [text]),
  never.upstreamKeys("grpc_ssl_crl", everywhere, [text]),
  never.upstreamKeys("grpc_ssl_certificate", everywhere, [template]),
  never.upstreamKeys("grpc_ssl_certificate_key", everywhere, [template]),
  never.upstreamKeys("grpc_ssl_password_file", everywhere, [text]),
  asText.commands("grpc_ssl_conf_command", everywhere, [text, text], repeatable),
]
