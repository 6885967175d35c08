import type { CacheDuration } from "../../../model/access.ts"
import { shown } from "../../../model/shown.ts"
import { withKnownVariables } from "../known-variables.ts"
import { accepted, type Parsed, type Parser, refused } from "../parser.ts"
import type { Syntax } from "../usage.ts"

const parseKey: Parser<string> = (text) => {
  const key = text.replaceAll(" ", "")
  if (!/^[-A-Za-z0-9_.:|/,=&~${}]{1,1024}$/.test(key)) {
    return refused("write at most 1024 letters, digits and - _ . : | / , = & ~ $ { }")
  }
  return /\$[1-9]/.test(key) ? refused("write variables with a name") : withKnownVariables(key)
}

/** It stays inside nginx: what proves who a client is belongs into it. */
export const cacheKey: Syntax<string> = { parse: parseKey, values: "text with variables" }

const secondsPerUnit: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  M: 2_592_000,
  y: 31_536_000,
}

/** nginx counts in 32 bits. */
const maxSeconds = 2 ** 31 - 1

/** Statuses of a time without any. Source: nginx, proxy_cache_valid. */
const usual: readonly number[] = [200, 301, 302]

const advice = "write statuses and then one time, as in 200 202 10m"

const parseDurations: Parser<readonly CacheDuration[]> = (text) => {
  const byStatus = new Map<number, number>()
  for (const item of text.split(",").map((item) => item.trim())) {
    const parsed = parseItem(item)
    if (parsed.kind === "refused") return parsed
    // of several times for one status the first counts, as in nginx
    for (const { status, seconds } of parsed.value) {
      if (!byStatus.has(status)) byStatus.set(status, seconds)
    }
  }
  const all = [...byStatus].map(([status, seconds]) => ({ status, seconds }))
  return accepted(all.filter(({ seconds }) => seconds > 0).sort((a, b) => a.status - b.status))
}

function parseItem(item: string): Parsed<readonly CacheDuration[]> {
  const [, codes = "", digits = "", unit = ""] = /^((?:[1-5]\d\d +)*)(\d+)(ms|[smhdwMy])$/.exec(item) ?? []
  const seconds = Math.ceil(Number(digits) * (secondsPerUnit[unit] ?? Number.NaN))
  if (digits === "" || seconds > maxSeconds) return refused(`for ${shown(item)} ${advice}`)
  const statuses = codes === "" ? usual : codes.trim().split(/ +/).map(Number)
  return accepted(statuses.map((status) => ({ status, seconds })))
}

export const cacheDurations: Syntax<readonly CacheDuration[]> = {
  parse: parseDurations,
  values: "statuses and a time, several separated by commas",
}

/** Behaviour of ingress-nginx. */
export const usualDurationsText = "200 202 401 5m"
export const usualDurations: readonly CacheDuration[] = [200, 202, 401].map((status) => ({
  status,
  seconds: 300,
}))
