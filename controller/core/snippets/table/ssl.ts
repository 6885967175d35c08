import { asText, never } from "../reasons.ts"
import { many, optional, type Row, repeatable, typed } from "../rows.ts"
import { flag, matching, number, oneOf, seconds, size, text, tlsVersion } from "../values.ts"

// TLS of a server.

const sessionCache = matching(
  /^(off|none|builtin(:\d+)?|shared:[-\w.]{1,63}:\d+[km]?)$/i,
  "off, none, builtin or shared:NAME:SIZE",
)

export const ssl: readonly Row[] = [
  never.handshake("ssl", "http server", [text]),
  never.keys("ssl_certificate", "http server", [text], repeatable),
  never.keys("ssl_certificate_key", "http server", [text], repeatable),
  never.keys("ssl_password_file", "http server", [text]),
  never.keys("ssl_dhparam", "http server", [text]),
  typed("ssl_ecdh_curve", "http server", [text]),
  typed("ssl_protocols", "http server", [many(tlsVersion)], repeatable),
  typed("ssl_ciphers", "http server", [text]),
  typed("ssl_buffer_size", "http server", [size]),
  never.handshake("ssl_verify_client", "http server", [oneOf("off", "on", "optional", "optional_no_ca")]),
  never.handshake("ssl_verify_depth", "http server", [number()]),
  never.keys("ssl_client_certificate", "http server", [text]),
  never.keys("ssl_trusted_certificate", "http server", [text]),
  typed("ssl_prefer_server_ciphers", "http server", [flag]),
  asText.sessions("ssl_session_cache", "http server", [sessionCache, optional(sessionCache)]),
  typed("ssl_session_tickets", "http server", [flag]),
  never.keys("ssl_session_ticket_key", "http server", [text], repeatable),
  typed("ssl_session_timeout", "http server", [seconds]),
  never.keys("ssl_crl", "http server", [text]),
  never.handshake("ssl_ocsp", "http server", [oneOf("off", "on", "leaf")]),
  never.handshake("ssl_ocsp_responder", "http server", [text]),
  never.handshake("ssl_ocsp_cache", "http server", [text]),
  typed("ssl_stapling", "http server", [flag]),
  never.keys("ssl_stapling_file", "http server", [text]),
  asText.responder("ssl_stapling_responder", "http server", [text]),
  typed("ssl_stapling_verify", "http server", [flag]),
  asText.replays("ssl_early_data", "http server", [flag]),
  asText.commands("ssl_conf_command", "http server", [text, text], repeatable),
  never.handshake("ssl_reject_handshake", "http server", [flag]),
]
