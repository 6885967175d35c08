import { isIP } from "node:net"
import type { Logs } from "../../../model/http/logs.ts"
import { type Keys, key } from "../key.ts"
import { accepted, emptyIs, integer, oneOf, type Parser, refused } from "../values.ts"
import { hostName } from "./addresses.ts"
import { mapKey } from "./map-keys.ts"
import { line, listOf, onOff } from "./parsers.ts"

/** A log format may have several lines, as a YAML block has; the last line break is the block's and no part of it. */
export const logFormat: Parser<string> = (text) => {
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

/** Paths that lead to our own stdout and stderr in the images of ingress-nginx, and everywhere. */
const streams = new Set([
  "/var/log/nginx/access.log",
  "/var/log/nginx/error.log",
  "/dev/stdout",
  "/dev/stderr",
])

/** Source: nginx, "Logging to syslog". */
const syslogAddress =
  /^syslog:server=[A-Za-z0-9.[\]:-]+(,(facility=[a-z0-7]+|severity=[a-z]+|tag=[A-Za-z0-9_]+|nohostname))*$/

/** An absolute path without variables: with them every request would open a file. */
export const logPath: Parser<string> = (text) => {
  if (text === "" || streams.has(text)) return accepted("")
  const isPath = /^\/[A-Za-z0-9._/-]+$/.test(text) || syslogAddress.test(text)
  return isPath
    ? line(text)
    : refused("write an absolute path of letters, digits, dots, dashes and slashes, or syslog:server=ADDRESS")
}

const parameter = /^(buffer=\d+[kKmM]?|flush=\d+(ms|s|m|h)?|gzip(=[1-9])?)$/

/** Parameters of access_log about buffering. nginx has no flush without a buffer. */
const accessLogParams: Parser<string> = (text) => {
  const words = text.split(" ").filter((word) => word !== "")
  const names = words.map((word) => word.split("=")[0])
  const isGood = words.every((word) => parameter.test(word)) && new Set(names).size === words.length
  if (!isGood) return refused("write buffer=SIZE, gzip=LEVEL and flush=TIME, each at most once")
  if (names.includes("flush") && names.length === 1) return refused("write buffer=SIZE beside flush=TIME")
  return accepted(words.join(" "))
}

const syslogHost: Parser<string> = (text) => {
  const parsed = hostName(text)
  return parsed.kind === "value" && isIP(text) === 6 ? accepted(`[${text}]`) : parsed
}

export const logs: Keys<Logs> = {
  accessLogPath: key("access-log-path", logPath, "/var/log/nginx/access.log"),
  httpAccessLogPath: key("http-access-log-path", logPath, ""),
  accessLogParams: key("access-log-params", accessLogParams, ""),
  disablesAccessLog: key("disable-access-log", onOff, "false"),
  disablesHttpAccessLog: key("disable-http-access-log", onOff, "false"),
  logFormatUpstream: key("log-format-upstream", logFormat, upstreamInfo),
  escapesNothing: key("log-format-escape-none", onOff, "false"),
  escapesJson: key("log-format-escape-json", onOff, "false"),
  skippedUris: key("skip-access-log-urls", listOf(mapKey), ""),
  usesSyslog: key("enable-syslog", onOff, "false"),
  syslogHost: key("syslog-host", emptyIs("", syslogHost), ""),
  syslogPort: key("syslog-port", integer(1, 65_535), "514"),
  errorLogPath: key("error-log-path", logPath, "/var/log/nginx/error.log"),
  errorLogLevel: key(
    "error-log-level",
    oneOf("debug", "info", "notice", "warn", "error", "crit", "alert", "emerg"),
    "notice",
  ),
}
