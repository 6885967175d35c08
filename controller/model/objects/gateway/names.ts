import { isSubdomain } from "../meta.ts"
import type { Reader } from "../reader.ts"

// What an API server checks of names and texts before it stores an object. Source: Gateway API v1.7.0, patterns of apis/v1.

/** The API group of all kinds of this folder. */
export const gatewayGroup = "gateway.networking.k8s.io"
export const gatewayVersion = `${gatewayGroup}/v1`

const preciseName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const token = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/
const kindName = /^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$/
const protocolName = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$/
const duration = /^([0-9]{1,5}(h|m|s|ms)){1,4}$/
const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

/** A name of DNS without a wildcard; no IP address. */
export function isPreciseHostname(text: string): boolean {
  return text.length <= 253 && preciseName.test(text) && !/^[0-9.]+$/.test(text)
}

/** A name of DNS, or `*.` and one. */
function isHostname(text: string): boolean {
  return isPreciseHostname(text.startsWith("*.") ? text.slice(2) : text)
}

/** Of a header or a query parameter. */
export function isToken(text: string): boolean {
  return text.length <= 256 && token.test(text)
}

/** "" when it is absent. */
export function readHostname(at: Reader, field: string, isGood = isHostname): string {
  const hostname = at.text(field)
  const expected = isGood === isHostname ? 'a DNS name, or "*." and one' : "a DNS name without a wildcard"
  if (hostname !== "" && !isGood(hostname)) at.refuse(field, "host-refused", `has to be ${expected}`)
  return hostname
}

/** Each is a DNS name, or `*.` and one. */
export function readHostnames(at: Reader): readonly string[] {
  return at.everyText("hostnames", (text) =>
    isHostname(text) ? undefined : { code: "host-refused", state: 'has to be a DNS name, or "*." and one' },
  )
}

/** Of an object, as a reference names it. */
export function readObjectName(at: Reader, field: string): string {
  const name = at.requiredText(field)
  if (name !== "" && !isSubdomain(name))
    at.refuse(field, "name-bad", "has to be a DNS subdomain: lower-case letters, digits and dashes")
  return name
}

/** Of a rule, as a section of its object; "": it has none. */
export function readRuleName(at: Reader): string {
  const name = at.text("name")
  if (name !== "" && !isSubdomain(name))
    at.refuse("name", "name-bad", "has to be a DNS subdomain: lower-case letters, digits and dashes")
  return name
}

/** "" is the core group. @param usual where nothing is written */
export function readGroup(at: Reader, field: string, usual: string): string {
  const group = at.text(field, usual)
  if (group !== "" && !isSubdomain(group))
    at.refuse(field, "name-bad", "has to be a DNS subdomain: lower-case letters, digits and dashes")
  return group
}

/** @param usual where nothing is written; "": something has to be */
export function readKind(at: Reader, field: string, usual = ""): string {
  const kind = at.text(field) || usual || at.requiredText(field)
  return wellFormed(at, field, kind, kindName)
}

/** Of a listener: a word, or a domain and one. */
export function readProtocol(at: Reader, field: string): string {
  return wellFormed(at, field, at.requiredText(field), protocolName)
}

function wellFormed(at: Reader, field: string, name: string, pattern: RegExp): string {
  if (name !== "" && (name.length > 255 || !pattern.test(name)))
    at.refuse(field, "name-bad", "has to be letters, digits and dashes")
  return name
}

/** Of a header or a query parameter, as it was written. */
export function readToken(at: Reader, field: string): string {
  const name = at.requiredText(field)
  if (name !== "" && !isToken(name)) at.refuse(field, "token-bad", "has to be letters, digits and dashes")
  return name
}

/** What can be the value of a header or of a query parameter. */
export function readValue(at: Reader, field: string): string {
  const value = at.requiredText(field)
  if (value.length > 4096 || hasControl(value))
    at.refuse(field, "text-bad", "has to be at most 4096 characters, none of them a control character")
  return value
}

/** What no field of HTTP may hold (RFC 9110, 5.5), and no line of a log either; a tab is none. */
function hasControl(text: string): boolean {
  return [...text].some((character) => character !== "\t" && (character < " " || character === "\x7f"))
}

/** `10s`, `1m30s`; milliseconds, `undefined` when absent. Source: GEP-2257. */
export function readDuration(at: Reader, field: string): number | undefined {
  const text = at.text(field)
  if (text === "") return undefined
  if (duration.test(text))
    return [...text.matchAll(/([0-9]+)(h|ms|m|s)/g)].reduce(
      (sum, [, digits, unit = ""]) => sum + Number(digits) * (unitMs[unit] ?? 0),
      0,
    )
  at.refuse(field, "duration-bad", "has to be a time as 10s, 500ms or 1m30s")
  return undefined
}

/** A whole number in a range; `undefined` when absent. */
export function readNumber(at: Reader, field: string, min: number, max: number): number | undefined {
  const value = at.raw(field)
  if (value === undefined) return undefined
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value
  at.refuse(field, "type-wrong", `has to be a whole number from ${min} to ${max}`)
  return undefined
}

/** What `metadata.generation` says; 0 in manifests, which need none. */
export function readGeneration(at: Reader): number {
  const generation = at.child("metadata").raw("generation")
  return typeof generation === "number" && Number.isSafeInteger(generation) ? generation : 0
}
