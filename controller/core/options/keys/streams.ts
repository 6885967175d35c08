import type { Streams } from "../../../model/http/streams.ts"
import { type Keys, key } from "../key.ts"
import { durationMs, type Parser, refused } from "../values.ts"
import { logFormat, logPath } from "./logs.ts"
import { nginxTimeMs, onOff } from "./parsers.ts"

/** nginx's timers take whole milliseconds, up to 24 days; with none at all nobody would be waited for. */
function positive(parse: Parser<number>): Parser<number> {
  return (text) => {
    const parsed = parse(text)
    if (parsed.kind === "refused") return parsed
    const isTime = parsed.value >= 1 && parsed.value < 2 ** 31
    return isTime
      ? { ...parsed, value: Math.round(parsed.value) }
      : refused("write a time from 1ms to 24 days")
  }
}

export const streams: Keys<Streams> = {
  logFormatStream: key(
    "log-format-stream",
    logFormat,
    "[$remote_addr] [$time_local] $protocol $status $bytes_sent $bytes_received $session_time",
  ),
  streamAccessLogPath: key("stream-access-log-path", logPath, ""),
  disablesStreamAccessLog: key("disable-stream-access-log", onOff, "false"),
  proxyStreamTimeoutMs: key("proxy-stream-timeout", positive(nginxTimeMs), "600s"),
  proxyProtocolHeaderTimeoutMs: key("proxy-protocol-header-timeout", positive(durationMs), "5s"),
}
