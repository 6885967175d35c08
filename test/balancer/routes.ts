/** Any route as it may be posted, with the words of `proxy_next_upstream` in the order in which a GET shows them. */
import fc from "fast-check"
import { overrides as rows } from "../../wire/overrides.ts"
import { types, type ValueType } from "../../wire/types.ts"
import type { PostedRoute } from "./build.ts"

const overrides = fc.record(Object.fromEntries(rows.map(({ name, type }) => [name, anyOf(types[type])])), {
  requiredKeys: [],
})

function anyOf(type: ValueType): fc.Arbitrary<unknown> {
  if (type.kind === "number") return fc.integer({ min: type.min, max: Math.min(type.max, 2 ** 53 - 1) })
  if (type.kind !== "words") return fc.boolean()
  return fc.subarray([...type.words], { minLength: 1 }).map((words) => words.join(" "))
}

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
      location: label,
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
      rewrite_raw: fc.boolean(),
      variables: fc.dictionary(variable, text, { maxKeys: 4, noNullPrototype: true }),
      headers: fc.array(fc.record({ name: token, value: text }), { maxLength: 4 }),
      rule: label,
      overrides,
    },
    { requiredKeys: ["path", "match", "location", "backend"] },
  ) as fc.Arbitrary<PostedRoute>
}
