/** Any route as it may be posted, with the words of `proxy_next_upstream` in the order in which a GET shows them. */
import fc from "fast-check"
import type { PostedRoute } from "./build.ts"

const NEXT_UPSTREAM = [
  "error",
  "timeout",
  "invalid_header",
  "http_500",
  "http_502",
  "http_503",
  "http_504",
  "http_403",
  "http_404",
  "http_429",
  "non_idempotent",
  "off",
]

const MOST = 2 ** 31 - 1
const from = (min: number) => fc.integer({ min, max: MOST })
const size = fc.integer({ min: 0, max: 2 ** 53 - 1 })

const overrides = fc.record(
  {
    proxy_connect_timeout_ms: from(1),
    proxy_send_timeout_ms: from(1),
    proxy_read_timeout_ms: from(1),
    client_max_body_size_bytes: size,
    proxy_next_upstream: fc.subarray(NEXT_UPSTREAM, { minLength: 1 }).map((words) => words.join(" ")),
    proxy_next_upstream_tries: from(0),
    proxy_next_upstream_timeout_ms: from(0),
    proxy_buffer_size_bytes: from(1),
    proxy_buffers_number: from(1),
    proxy_busy_buffers_size_bytes: from(1),
    proxy_buffering: fc.boolean(),
    proxy_request_buffering: fc.boolean(),
    proxy_max_temp_file_size_bytes: size,
    client_body_buffer_size_bytes: from(1),
    absolute_redirect: fc.boolean(),
    port_in_redirect: fc.boolean(),
  },
  { requiredKeys: [] },
)

/** What a host may ask of its clients. */
export const postedClientCertificate = fc.record(
  {
    authority: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
    verify: fc.constantFrom("on", "optional", "optional_no_ca", "off"),
    match_cn: fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
    error_page: fc.webUrl(),
    pass_certificate: fc.constant(true),
  },
  { requiredKeys: ["authority", "verify"] },
)

/** @param arbitraries names and texts without control characters */
export function postedRoute(arbitraries: { label: fc.Arbitrary<string>; text: fc.Arbitrary<string> }) {
  const { label, text } = arbitraries
  const to = text.map((rest) => `$scheme${rest}`)
  const redirect = fc.record({ code: fc.integer({ min: 300, max: 308 }), to })
  const variable = fc.stringMatching(/^[a-z0-9_]{1,63}$/)
  const token = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~/:-]{1,30}$/)
  return fc.record(
    {
      path: text.map((rest) => `/${rest}`),
      match: fc.constantFrom("exact", "prefix", "regex"),
      policy: label,
      backend: label,
      namespace: text,
      ingress_name: text,
      service_name: text,
      service_port: text,
      location_path: text,
      status: fc.integer({ min: 400, max: 599 }),
      redirect,
      https_redirect: redirect,
      rewrite: text,
      log_rewrite: fc.boolean(),
      variables: fc.dictionary(variable, text, { maxKeys: 4, noNullPrototype: true }),
      headers: fc.array(fc.record({ name: token, value: text }), { maxLength: 4 }),
      overrides,
    },
    { requiredKeys: ["path", "match", "policy", "backend"] },
  ) as fc.Arbitrary<PostedRoute>
}
