import { data, idle, many, optional, type Row, repeatable, typed } from "../rows.ts"
import { flag, headerName, number, oneOf, size, template, templateOrPattern } from "../values.ts"
import { answerRows, askingRows, bufferRows, cacheRows, everywhere, failures, tlsRows } from "./backends.ts"

// Backends of HTTP.

const cookieFlag = oneOf(
  ...["secure", "nosecure", "httponly", "nohttponly", "nosamesite"],
  ...["samesite=strict", "samesite=lax", "samesite=none"],
)
const when = [...failures, "http_502", "http_504"]

export const proxy: readonly Row[] = [
  data("proxy_pass", "location if limit-except", [template]),
  data("proxy_redirect", everywhere, [templateOrPattern, optional(template)], repeatable),
  data("proxy_cookie_domain", everywhere, [templateOrPattern, optional(template)], repeatable),
  data("proxy_cookie_path", everywhere, [templateOrPattern, optional(template)], repeatable),
  data("proxy_cookie_flags", everywhere, [templateOrPattern, many(cookieFlag, 0, 3)], repeatable),
  typed("proxy_send_lowat", everywhere, [size]),
  data("proxy_set_header", everywhere, [headerName, template], repeatable),
  idle("proxy_headers_hash_max_size", everywhere, [number()]),
  idle("proxy_headers_hash_bucket_size", everywhere, [number()]),
  typed("proxy_set_body", everywhere, [template]),
  typed("proxy_method", everywhere, [template]),
  typed("proxy_http_version", everywhere, [oneOf("1.0", "1.1")]),
  ...askingRows("proxy", { data, typed }, when),
  ...answerRows("proxy", { data, typed }),
  ...bufferRows("proxy", { data, typed }),
  ...cacheRows("proxy", { data, typed }, when),
  typed("proxy_cache_convert_head", everywhere, [flag]),
  ...tlsRows("proxy", { data, typed }),
  data("proxy_ssl_verify", everywhere, [flag]),
]
