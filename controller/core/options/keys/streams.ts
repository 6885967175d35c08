import type { Streams } from "../../../model/http/backends.ts"
import { type EntriesFor, family, key } from "../key.ts"
import { accepted, boolean, durationMs, refused } from "../parser.ts"
import type { Syntax } from "../usage.ts"
import { logFormat, logPath } from "./logs.ts"
import { count, falseByDefault, nginxTime, orZero } from "./syntax.ts"

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

/** nginx's words for a switch, or those of Go for a boolean. */
const switchOrBoolean: Syntax<boolean> = {
  values: "`on` or `off`",
  parse: (text) => {
    if (text === "on" || text === "off") return accepted(text === "on")
    const parsed = boolean(text)
    return parsed.kind === "value" ? parsed : refused("write on or off")
  },
}

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
    description:
      "longest time without any data on a passed-through TLS connection, or a session of a TCP or UDP service. With passthrough a change is a reload, else it is none",
  }),
  proxyProtocolHeaderTimeoutMs: key("proxy-protocol-header-timeout", positive(duration), "5s", {
    example: "2s",
    description:
      "longest wait for the PROXY protocol header of connections whose TLS may be passed through, or of those to TCP services",
  }),
} satisfies EntriesFor<Streams>)

/** What goes into the records of TCP and UDP services: a change needs no reload. */
export const streamServices = family("Logs", {
  triesNextStreamUpstream: key("proxy-stream-next-upstream", switchOrBoolean, "on", {
    section: "Proxying",
    example: "off",
    description: "whether a TCP or UDP service's next endpoint is tried when one cannot be connected to",
  }),
  proxyStreamNextUpstreamTimeoutMs: key(
    "proxy-stream-next-upstream-timeout",
    orZero(nginxTime, "is no limit"),
    "600s",
    {
      section: "Proxying",
      example: "10s",
      description: "how long endpoints of a TCP or UDP service are tried",
    },
  ),
  proxyStreamNextUpstreamTries: key("proxy-stream-next-upstream-tries", orZero(count, "is 16"), "3", {
    section: "Proxying",
    example: "2",
    description: "how many endpoints of a TCP or UDP service are tried, 16 at most",
  }),
  proxyStreamResponses: key("proxy-stream-responses", count, "1", {
    section: "Proxying",
    example: "2",
    description: "after how many datagrams of the endpoint a session of a UDP service ends",
  }),
})
