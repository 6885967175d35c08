import type { Streams } from "../../../model/http/backends.ts"
import { type EntriesFor, family, key, planned } from "../key.ts"
import { durationMs, refused } from "../parser.ts"
import type { Syntax } from "../usage.ts"
import { logFormat, logPath } from "./logs.ts"
import { falseByDefault, nginxTime } from "./syntax.ts"

/** nginx's timers take whole milliseconds, up to 24 days; with none at all nobody would be waited for. */
function positive({ parse, values }: Syntax<number>): Syntax<number> {
  return {
    values,
    parse: (text) => {
      const parsed = parse(text)
      if (parsed.kind === "refused") return parsed
      const isTime = parsed.value >= 1 && parsed.value < 2 ** 31
      return isTime
        ? { ...parsed, value: Math.round(parsed.value) }
        : refused("write a time from 1ms to 24 days")
    },
  }
}

const duration: Syntax<number> = { values: "a duration such as `300ms` or `30s`", parse: durationMs }

/** About TLS connections that are passed through, and TCP and UDP services. */
export const streams = family("Logs", {
  logFormatStream: key(
    "log-format-stream",
    { ...logFormat, values: "text with variables of nginx's stream module" },
    "[$remote_addr] [$time_local] $protocol $status $bytes_sent $bytes_received $session_time",
    {
      shownDefault: "ingress-nginx's format",
      example: "$remote_addr $upstream_addr",
      description: "format of the access log of passed-through TLS connections",
    },
  ),
  streamAccessLogPath: key("stream-access-log-path", logPath, "", {
    shownDefault: "access-log-path",
    example: "/var/log/nginx/stream.log",
    description: "where passed-through TLS connections are logged",
  }),
  disablesStreamAccessLog: falseByDefault(
    "disable-stream-access-log",
    "no access log of passed-through TLS connections",
  ),
  proxyStreamTimeoutMs: key("proxy-stream-timeout", positive(nginxTime), "600s", {
    example: "60s",
    description: "longest time without any data on a passed-through TLS connection",
  }),
  proxyProtocolHeaderTimeoutMs: key("proxy-protocol-header-timeout", positive(duration), "5s", {
    example: "2s",
    description: "longest wait for the PROXY protocol header of connections whose TLS may be passed through",
  }),
  proxyStreamNextUpstream: planned("proxy-stream-next-upstream", "streams"),
  proxyStreamNextUpstreamTimeout: planned("proxy-stream-next-upstream-timeout", "streams"),
  proxyStreamNextUpstreamTries: planned("proxy-stream-next-upstream-tries", "streams"),
  proxyStreamResponses: planned("proxy-stream-responses", "streams"),
} satisfies EntriesFor<Streams>)
