/** Settings of a backend, for property tests: in the form in which they are shown. */
import fc from "fast-check"

type Fields = { [field: string]: unknown }
type Names = Record<"label" | "hostName" | "backendName", fc.Arbitrary<string>>

const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .filter((text) => !/[\p{Cc}]/u.test(text))
const attribute = text.filter((text) => !text.includes(";"))
const token = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~/:-]{1,20}$/)
const seconds = fc.integer({ min: -(10 ** 11), max: 10 ** 11 }).map(String)
const most = 2 ** 31 - 1
const milliseconds = fc.integer({ min: 1, max: most })
const yes = fc.constant(true)

/** Fields of a backend, each of which may be absent. */
export function settings({ label, hostName, backendName }: Names) {
  const paths = fc.array(
    label.map((rest) => `/${rest}`),
    { minLength: 1, maxLength: 3 },
  )
  const cookie = fc.record(
    {
      name: token,
      expires: seconds,
      maxage: seconds,
      locations: fc.dictionary(hostName, paths, { minKeys: 1, maxKeys: 4 }),
      sessions_of: attribute,
      secure: yes,
      path: attribute,
      domain: attribute,
      samesite: fc.constantFrom("None", "Lax", "Strict"),
      conditional_samesite_none: yes,
      change_on_failure: yes,
    },
    { requiredKeys: ["name"] },
  )
  return {
    sessionAffinityConfig: fc.record({
      name: fc.constant("cookie"),
      mode: fc.constantFrom("balanced", "persistent"),
      cookieSessionAffinity: cookie,
    }),
    upstreamHashByConfig: hashBy(),
    noServer: yes,
    trafficShapingPolicy: shaping(),
    alternativeBackends: fc.uniqueArray(backendName, { minLength: 1, maxLength: 4 }),
    slowStart: fc.record({ window_ms: milliseconds }),
    outlierEjection: fc.record({ failures: fc.integer({ min: 1, max: 1000 }), ejection_ms: milliseconds }),
    policy: fc.record(
      {
        name: fc.stringMatching(/^[a-z0-9-]{1,20}$/),
        digest: fc.stringMatching(/^[0-9a-f]{64}$/),
        config: fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }),
        needs: fc.nat({ max: 31 }),
      },
      { requiredKeys: ["name", "digest"] },
    ),
  }
}

function hashBy() {
  const key = { "upstream-hash-by": text }
  const size = fc.integer({ min: 1, max: most })
  const subset = { "upstream-hash-by-subset": yes, "upstream-hash-by-subset-size": size }
  return fc.oneof(fc.record(key), fc.record({ ...key, ...subset }))
}

function shaping() {
  return fc
    .record(
      {
        weight: fc.nat({ max: most }),
        weightTotal: fc.integer({ min: 100, max: most }),
        header: token,
        headerValue: text,
        headerPattern: text,
        cookie: token,
      },
      { requiredKeys: ["weight", "weightTotal"] },
    )
    .filter(({ weight, header, cookie }) => weight > 0 || header !== undefined || cookie !== undefined)
}

/** The algorithm that these settings make. */
export function algorithmOf(posted: Fields): unknown {
  const affinity = posted.sessionAffinityConfig as Fields | undefined
  if (affinity) return `sticky_${affinity.mode}`
  const hashBy = posted.upstreamHashByConfig as Fields | undefined
  if (posted["load-balance"] === "custom" && posted.policy) return "custom"
  if (hashBy) return hashBy["upstream-hash-by-subset"] ? "chashsubset" : "chash"
  return posted["load-balance"] ?? "round_robin"
}
