import type { Overrides } from "../../../model/overrides.ts"
import type { Scope } from "../scope.ts"
import { bytesOf, msOf } from "../values.ts"
import { type Effect, type Outcome, refusal } from "./effect.ts"

// Numbers and switches that a route has of its own.

type Key = keyof Overrides

/** The greatest time that a record takes, in milliseconds. */
const longest = 2 ** 31 - 1

/** The greatest buffer. */
const largest = 2 ** 31 - 1

function put(scope: Scope, overrides: Overrides): Outcome {
  if (scope.context === "if") return refusal("it stands in an if, where this number is not known here")
  scope.overrides = { ...scope.overrides, ...overrides }
  return "data"
}

/** @param isZeroAllowed 0 is no limit */
function time(key: Key, isZeroAllowed = false): Effect {
  return ([word = ""], scope) => {
    const ms = msOf(word)
    const min = isZeroAllowed ? 0 : 1
    return ms >= min && ms <= longest
      ? put(scope, { [key]: ms })
      : refusal(`write a time from ${min}ms to ${longest}ms`)
  }
}

function bytes(key: Key, min: number, max: number): Effect {
  return ([word = ""], scope) => {
    const value = bytesOf(word)
    return value >= min && value <= max
      ? put(scope, { [key]: value })
      : refusal(`write a size from ${min} to ${max}`)
  }
}

function count(key: Key): Effect {
  return ([word = ""], scope) => put(scope, { [key]: Number(word) })
}

function onOff(key: Key): Effect {
  return ([word], scope) => put(scope, { [key]: word === "on" })
}

/** Their size is that of the first buffer, too: the greater one is for both. */
const buffers: Effect = ([number = "", size = ""], scope) =>
  put(scope, {
    proxyBuffersNumber: Number(number),
    proxyBufferBytes: Math.max(bytesOf(size), scope.overrides.proxyBufferBytes ?? 0),
  })

const firstBuffer: Effect = ([size = ""], scope) =>
  put(scope, { proxyBufferBytes: Math.max(bytesOf(size), scope.overrides.proxyBufferBytes ?? 0) })

/** `updating` is a word of caches, and says nothing here. */
const nextUpstream: Effect = (args, scope) => {
  const words = args.filter((word) => word !== "updating")
  return put(scope, { proxyNextUpstream: words.length === 0 ? "off" : words.join(" ") })
}

/** A constant is a number of the route; what has variables, or stands in an `if`, is a setting of the level. */
function rate(key: "limitRate" | "limitRateAfter", number: Key): Effect {
  return ([word = ""], scope) => {
    const isConstant = !word.includes("$")
    if (isConstant && Number.isNaN(bytesOf(word))) return refusal("write a size such as 500k, or a variable")
    if (isConstant && scope.context !== "if") return put(scope, { [number]: bytesOf(word) })
    scope.level[key] = word
    return "data"
  }
}

/** What every protocol has under its own name. */
function ofProtocol(it: string): Readonly<Record<string, Effect>> {
  return {
    [`${it}_connect_timeout`]: time("proxyConnectTimeoutMs"),
    [`${it}_send_timeout`]: time("proxySendTimeoutMs"),
    [`${it}_read_timeout`]: time("proxyReadTimeoutMs"),
    [`${it}_next_upstream`]: nextUpstream,
    [`${it}_next_upstream_tries`]: count("proxyNextUpstreamTries"),
    [`${it}_next_upstream_timeout`]: time("proxyNextUpstreamTimeoutMs", true),
    [`${it}_buffer_size`]: firstBuffer,
    [`${it}_buffers`]: buffers,
    [`${it}_busy_buffers_size`]: bytes("proxyBusyBuffersBytes", 1, largest),
    [`${it}_buffering`]: onOff("proxyBuffering"),
    [`${it}_request_buffering`]: onOff("proxyRequestBuffering"),
    [`${it}_max_temp_file_size`]: bytes("proxyMaxTempFileBytes", 0, 2 ** 53),
    [`${it}_intercept_errors`]: onOff("proxyInterceptErrors"),
  }
}

export const numbers: Readonly<Record<string, Effect>> = {
  ...ofProtocol("proxy"),
  ...ofProtocol("grpc"),
  ...ofProtocol("fastcgi"),
  client_max_body_size: bytes("clientMaxBodyBytes", 0, 2 ** 53),
  client_body_buffer_size: bytes("clientBodyBufferBytes", 1, largest),
  client_body_timeout: time("clientBodyTimeoutMs"),
  send_timeout: time("sendTimeoutMs"),
  absolute_redirect: onOff("absoluteRedirect"),
  port_in_redirect: onOff("portInRedirect"),
  limit_rate: rate("limitRate", "limitRateBytes"),
  limit_rate_after: rate("limitRateAfter", "limitRateAfterBytes"),
}
