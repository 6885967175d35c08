import { isIP } from "node:net"
import type { PortRange } from "../../model/gateway-ports.ts"
import { type LabelSelector, parseLabelSelector } from "../../model/objects/label-selector.ts"
import { canonicalAddress } from "../../support/address.ts"
import { isName } from "../../support/host-name.ts"

// How flags and ConfigMap values are written. Both come from a Go program, so the syntax is Go's (strconv, time.ParseDuration) wherever that
// is what users have in their files. Every parser takes the whole text or refuses it.

/** A value, or what to write instead: a phrase that fits after a colon. A remark says that the value is not quite what was written. */
export type Parsed<T> =
  | { readonly kind: "value"; readonly value: T; readonly remark?: string }
  | { readonly kind: "refused"; readonly reason: string }

export type Parser<T> = (text: string) => Parsed<T>

export function accepted<T>(value: T): { readonly kind: "value"; readonly value: T } {
  return { kind: "value", value }
}

export function refused(reason: string): { readonly kind: "refused"; readonly reason: string } {
  return { kind: "refused", reason }
}

/** Any text. */
export const text: Parser<string> = (text) => accepted(text)

/** An IPv4 or IPv6 literal. */
export const ipAddress: Parser<string> = (text) =>
  isIP(text) === 0 ? refused("write an IP address") : accepted(text)

/** Go's strconv.ParseBool. */
export const boolean: Parser<boolean> = (text) => {
  if (["1", "t", "T", "true", "TRUE", "True"].includes(text)) return accepted(true)
  if (["0", "f", "F", "false", "FALSE", "False"].includes(text)) return accepted(false)
  return refused("write true or false")
}

const goInteger = /^([+-]?)(?:0x([0-9a-f_]+)|0o?([0-7_]*)|0b([01_]+)|([1-9][0-9_]*))$/i

/** A whole number from `min` to `max`, as Go's strconv.ParseInt with base 0 takes it: decimal, 0x, 0o, 0b, a leading 0 for octal. */
export function integer(min: number, max: number): Parser<number> {
  return (text) => {
    const value = goNumber(text)
    return Number.isSafeInteger(value) && value >= min && value <= max
      ? accepted(value)
      : refused(`write a whole number from ${min} to ${max}`)
  }
}

function goNumber(text: string): number {
  const [, sign, hexadecimal, octal, binary, decimal] = goInteger.exec(text) ?? []
  if (sign === undefined || /__|_$/.test(text)) return Number.NaN
  const digits = (hexadecimal ?? octal ?? binary ?? decimal ?? "").replaceAll("_", "")
  const base = hexadecimal !== undefined ? 16 : octal !== undefined ? 8 : binary !== undefined ? 2 : 10
  const value = digits === "" ? 0 : Number.parseInt(digits, base)
  return sign === "-" ? -value || 0 : value
}

/** A finite number of at least `min`: Go's strconv.ParseFloat without its names for infinity. */
export function float(min = Number.NEGATIVE_INFINITY): Parser<number> {
  return (text) => {
    const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)
    const value = isNumber ? Number(text) : Number.NaN
    if (!Number.isFinite(value)) return refused("write a number")
    return value >= min ? accepted(value) : refused(`write a number of at least ${min}`)
  }
}

/** A number above 1, or 0 for none. */
export const growthFactor: Parser<number> = (text) => {
  const parsed = float()(text)
  const isOne = parsed.kind === "value" && (parsed.value === 0 || parsed.value > 1)
  return isOne ? parsed : refused("write 0 or a number above 1, such as 1.1")
}

/** A part of a whole. */
export const ratio: Parser<number> = (text) => {
  const parsed = float(0)(text)
  return parsed.kind === "value" && parsed.value > 1 ? refused("write a number from 0 to 1") : parsed
}

const msPerUnit: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3, // U+00B5, the micro sign
  μs: 1e-3, // U+03BC, the Greek letter
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}

/** A duration in milliseconds: Go's time.ParseDuration ("1h30m", "300ms", "-1.5s", "0"). */
export const durationMs: Parser<number> = (text) => {
  const [, sign, rest] = /^([+-]?)(.*)$/s.exec(text) ?? []
  if (rest === "0") return accepted(0)
  if (!rest || !/^((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/.test(rest))
    return refused("write a duration such as 300ms, 30s or 1h30m")
  const parts = rest.matchAll(/([\d.]+)([a-zµμ]+)/g)
  const ms = [...parts].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (msPerUnit[unit ?? ""] ?? 0),
    0,
  )
  return accepted(sign === "-" ? -ms : ms)
}

/** Items separated by commas, trimmed, empty ones dropped. */
export const list = (text: string) =>
  accepted<readonly string[]>(
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  )

/** IP addresses and DNS names separated by commas; names in lower case and without a dot at the end, as a status has them. */
export const addresses: Parser<readonly string[]> = (text) => {
  const { value: items } = list(text)
  const values = items.map((item) => (isIP(item) === 0 ? item.toLowerCase().replace(/\.$/, "") : item))
  return values.every((value) => isIP(value) !== 0 || isName(value))
    ? accepted(values)
    : refused("write IP addresses and DNS names separated by commas")
}

/** IP addresses separated by commas, each once and in canonical spelling. */
export const ipAddresses: Parser<readonly string[]> = (text) => {
  const { value: items } = list(text)
  return items.every((item) => isIP(item) !== 0 && !item.includes("%"))
    ? accepted([...new Set(items.map(canonicalAddress))])
    : refused("write IP addresses separated by commas")
}

/** `20000-24999`: unprivileged ports. */
export const portRange: Parser<PortRange> = (text) => {
  const [, first, last] = (/^(\d{1,5})-(\d{1,5})$/.exec(text) ?? []).map(Number)
  return first !== undefined && last !== undefined && first >= 1024 && first <= last && last <= 65_535
    ? accepted({ first, last })
    : refused("write two ports from 1024 to 65535 as in 20000-24999")
}

/** A DNS name, a slash and a path. Source: Gateway API, GatewayController. */
export const controllerName: Parser<string> = (text) => {
  const [domain = "", ...path] = text.split("/")
  const isPath = path.length > 0 && path.every((part) => /^[A-Za-z0-9._~%!$&'()*+,;=:-]+$/.test(part))
  return isPath && isName(domain) && text.length <= 253
    ? accepted(text)
    : refused("write a DNS name and a path as in example.com/gateway")
}

/** Upper bounds of a histogram's buckets, ascending: 1 to 60 numbers separated by commas, none of them negative. */
export const buckets: Parser<readonly number[]> = (text) => {
  const parsed = text.split(",").map((item) => float(0)(item.trim()))
  const values = parsed.flatMap((item) => (item.kind === "value" ? [item.value] : []))
  const isAscending = values.every((value, nth) => nth === 0 || value > (values[nth - 1] ?? 0))
  return values.length === parsed.length && isAscending && values.length <= 60
    ? accepted(values)
    : refused("write up to 60 ascending numbers separated by commas")
}

/** Exactly one of the given words. */
export function oneOf<const W extends string>(...words: readonly W[]): Parser<W> {
  return (text) => {
    const word = words.find((candidate) => candidate === text)
    return word === undefined ? refused(`write ${words.join(" or ")}`) : accepted(word)
  }
}

const bytesPerUnit: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

/** A size in bytes: digits with k, m, g or no unit, either case. Source: nginx, "Configuration file measurement units". */
export const sizeBytes: Parser<number> = (text) => {
  const [, digits, unit] = /^(\d+)([kmg]?)$/i.exec(text) ?? []
  const bytes = Number(digits) * (bytesPerUnit[unit?.toLowerCase() ?? ""] ?? Number.NaN)
  return Number.isSafeInteger(bytes) ? accepted(bytes) : refused("write a size such as 8m, 512k or 1048576")
}

/** `namespace/name`, or absent when empty. */
export const qualified: Parser<{ readonly namespace: string; readonly name: string } | undefined> = (
  text,
) => {
  if (text === "") return accepted(undefined)
  const [, namespace, name] = /^([^/]+)\/([^/]+)$/.exec(text) ?? []
  return namespace && name ? accepted({ namespace, name }) : refused("write namespace/name")
}

/** Where to listen: `host:port`, `:port` for all addresses, `[::1]:port`; absent when empty. */
export const address: Parser<{ readonly host: string; readonly port: number } | undefined> = (text) => {
  if (text === "") return accepted(undefined)
  const [, bracketed, plain = "", digits] = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  const isHost = bracketed === undefined ? host === "" || isIP(host) !== 0 || isName(host) : isIP(host) === 6
  const port = Number(digits)
  return isHost && port <= 65_535 ? accepted({ host, port }) : refused("write HOST:PORT or :PORT")
}

/** A selector of labels, or absent when it selects everything. */
export const labelSelector: Parser<LabelSelector | undefined> = (text) => {
  const parsed = parseLabelSelector(text)
  return parsed.kind === "value" && parsed.value.requirements.length === 0 ? accepted(undefined) : parsed
}

/** Lets an empty text stand for a value: in a ConfigMap "" is 0 for numbers and false for switches. */
export function emptyIs<T>(value: T, parse: Parser<T>): Parser<T> {
  return (text) => (text === "" ? accepted(value) : parse(text))
}

/** Bytes, from a number of kilobytes. */
export function inKilobytes(parse: Parser<number>): Parser<number> {
  return (text) => {
    const parsed = parse(text)
    return parsed.kind === "value" ? { ...parsed, value: parsed.value * 1024 } : parsed
  }
}
