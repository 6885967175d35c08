import type { AccessRule, Step } from "../../model/route-records.ts"

// `limit_except` as steps: the first of its rules that fits decides over requests of other methods.

/** What is set to 1 for a client that is refused. */
const variable = "wick_limit_except"

/**
 * Run before all other steps of the location.
 *
 * @param methods in capitals, those that are not limited
 * @param endsSteps other methods have none of the location's steps, as nginx gives them the block's own configuration
 *   (ngx_http_update_location_config comes before the rewrite phase)
 * @returns a string: why it is not known here
 */
export function limitedSteps(
  methods: readonly string[],
  rules: readonly AccessRule[],
  endsSteps: boolean,
): readonly Step[] | string {
  const checks = checksOf(rules)
  if (typeof checks === "string") return checks
  const body: readonly Step[] = [...checks, ...(endsSteps ? [{ op: "break" } as const] : [])]
  // GET brings HEAD: ngx_http_core_limit_except
  const all = new Set(methods.includes("GET") ? [...methods, "HEAD"] : methods)
  return [...unlessOneOf([...all], body.length), ...body]
}

/** One within the other, because a pattern would lose what the location's has matched. */
function unlessOneOf(methods: readonly string[], length: number): readonly Step[] {
  return methods.map((against, nth) => {
    const skip = methods.length - 1 - nth + length
    return { op: "if", value: "$request_method", test: "unequal", against, skip }
  })
}

/** From the last rule to the first, each of which overrules those behind it. */
function checksOf(rules: readonly AccessRule[]): readonly Step[] | string {
  const end = rules.findIndex(({ from }) => from === "all")
  const [last, ...rest] = (end < 0 ? rules : rules.slice(0, end + 1)).toReversed()
  if (last === undefined) return []
  if (last.from === "all" && rest.length === 0)
    return last.action === "deny" ? [{ op: "return", code: 403 }] : []
  const steps: Step[] = [{ op: "set", name: variable, value: "" }]
  for (const { action, from } of [last, ...rest]) {
    const pattern = from === "all" ? "^" : clientPattern(from)
    if (pattern === undefined) return "in it only networks of IPv4 and all are known here"
    steps.push(
      { op: "if", value: "$remote_addr", test: "match", pattern, skip: 1 },
      { op: "set", name: variable, value: action === "deny" ? "1" : "" },
    )
  }
  const refuse: readonly Step[] = [
    { op: "if", value: `$${variable}`, test: "filled", skip: 1 },
    { op: "return", code: 403 },
  ]
  return [...steps, ...refuse]
}

/** A pattern for the addresses of a network, `10.0.0.0/8`, also as IPv6 has them; undefined: it is none of IPv4. Source: nginx, ngx_http_access_handler. */
function clientPattern(range: string): string | undefined {
  const [, address = "", length] = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(range) ?? []
  if (length === undefined) return undefined
  const octets = address.split(".").map((octet, nth) => octetPattern(Number(octet), Number(length) - 8 * nth))
  return `^(?:::ffff:)?${octets.join("\\.")}$`
}

/** @param bits of the octet that are given: 8 or more, or 0 or less, where it is not cut */
function octetPattern(octet: number, bits: number): string {
  if (bits >= 8) return String(octet)
  if (bits <= 0) return "[0-9]+"
  const count = 2 ** (8 - bits)
  return `(?:${Array.from({ length: count }, (_, nth) => octet + nth).join("|")})`
}
