import { type Key, key } from "./key.ts"
import type { Settings } from "./settings.ts"
import { accepted, boolean, emptyIs, integer, oneOf, type Parser, refused, sizeBytes } from "./values.ts"

const count = integer(0, 2 ** 31 - 1)

/** More processes than any machine has cores are a slip of the keyboard, and nginx would start them. */
const workers = integer(1, 1024)

const workerProcesses: Parser<Settings["workerProcesses"]> = (text) => {
  if (text === "auto") return accepted(text)
  const parsed = workers(text)
  return parsed.kind === "value" ? parsed : refused(`write auto or ${parsed.reason.replace("write ", "")}`)
}

/** A log format may have several lines, as a YAML block has; the last line break is the block's and no part of it. */
const logFormat: Parser<string> = (text) => {
  const format = text.replace(/\n+$/, "")
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is its purpose
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(format))
    return refused("remove the control characters")
  // nginx reads no word of more than 4096 bytes, and quoting may double each.
  if (Buffer.byteLength(format) > 2000) return refused("write at most 2000 bytes")
  return format === "" ? refused("write a format, or drop the key for the default one") : accepted(format)
}

const upstreamInfo =
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" ' +
  "$request_length $request_time [$proxy_upstream_name] [$proxy_alternative_upstream_name] $upstream_addr " +
  "$upstream_response_length $upstream_response_time $upstream_status $req_id"

/** Every key that has an effect. */
export const keys = [
  key("disable-ipv6-dns", "disableIpv6Dns", emptyIs(false, boolean), false),
  key("keep-alive", "keepAliveSeconds", emptyIs(0, count), 75),
  key(
    "load-balance",
    "loadBalance",
    emptyIs("round_robin", oneOf("round_robin", "ewma", "least_conn", "p2c")),
    "round_robin",
  ),
  key("log-format-upstream", "logFormatUpstream", logFormat, upstreamInfo),
  key("proxy-body-size", "proxyBodyBytes", sizeBytes, 1024 ** 2),
  key("service-upstream", "serviceUpstream", emptyIs(false, boolean), false),
  key("upstream-keepalive-connections", "upstreamKeepaliveConnections", emptyIs(0, count), 320),
  key("worker-processes", "workerProcesses", workerProcesses, "auto"),
] as const satisfies readonly Key[]
