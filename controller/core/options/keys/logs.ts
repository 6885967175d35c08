import type { Logs } from "../../../model/http/logs.ts"
import { inBrackets } from "../../../support/address.ts"
import { unlogged } from "../credentials.ts"
import { type EntriesFor, family, key } from "../key.ts"
import { accepted, emptyIs, type Parser, refused } from "../parser.ts"
import type { Syntax } from "../usage.ts"
import { hostName } from "./addresses.ts"
import { mapKeys } from "./map-keys.ts"
import { falseByDefault, port, ratio, wordOf } from "./syntax.ts"
import { line, listOf } from "./texts.ts"

/** A dollar that begins no variable: nginx has no other use for it in a format. */
const strayDollar = /\$(?!\w|\{\w+\})/

/** A log format may have several lines, as a YAML block has; the last line break is the block's and no part of it. */
export const logFormat: Syntax<string> = {
  values: "text with variables",
  parse: (text) => {
    const format = text.replace(/\n+$/, "")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is its purpose
    if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(format))
      return refused("remove the control characters")
    // nginx reads no word of more than 4096 bytes, and quoting may double each.
    if (Buffer.byteLength(format) > 2000) return refused("write at most 2000 bytes")
    if (strayDollar.test(format)) return refused("a format cannot have a $ that begins no variable")
    return format === "" ? refused("write a format, or drop the key for the default one") : accepted(format)
  },
}

const requestFormat: Syntax<string> = {
  ...logFormat,
  parse: (text) => {
    const parsed = logFormat.parse(text)
    return parsed.kind === "value" ? unlogged(parsed.value) : parsed
  },
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
export const logPath: Syntax<string> = {
  values: "an absolute path, or `syslog:server=ADDRESS`",
  parse: (text) => {
    if (text === "" || streams.has(text)) return accepted("")
    const isPath = /^\/[A-Za-z0-9._/-]+$/.test(text) || syslogAddress.test(text)
    return isPath
      ? line(text)
      : refused(
          "write an absolute path of letters, digits, dots, dashes and slashes, or syslog:server=ADDRESS",
        )
  },
}

const parameter = /^(buffer=\d+[kKmM]?|flush=\d+(ms|s|m|h)?|gzip(=[1-9])?)$/

/** Parameters of access_log about buffering. nginx has no flush without a buffer. */
const accessLogParams: Syntax<string> = {
  values: "parameters of `access_log`",
  parse: (text) => {
    const words = text.split(" ").filter((word) => word !== "")
    const names = words.map((word) => word.split("=")[0])
    const isGood = words.every((word) => parameter.test(word)) && new Set(names).size === words.length
    if (!isGood) return refused("write buffer=SIZE, gzip=LEVEL and flush=TIME, each at most once")
    if (names.includes("flush") && names.length === 1) return refused("write buffer=SIZE beside flush=TIME")
    return accepted(words.join(" "))
  },
}

const level = wordOf("debug", "info", "notice", "warn", "error", "crit", "alert", "emerg")

const syslogHost: Parser<string> = (text) => {
  const parsed = hostName(text)
  return parsed.kind === "value" ? accepted(inBrackets(text)) : parsed
}

export const logs = family("Logs", {
  accessLogPath: key("access-log-path", logPath, "/var/log/nginx/access.log", {
    shownDefault: "standard output",
    example: "/var/log/wick.log",
    description: "where the access log is written",
  }),
  httpAccessLogPath: key("http-access-log-path", logPath, "", {
    shownDefault: "access-log-path",
    example: "/var/log/wick-http.log",
    description: "where the access log of HTTP requests is written",
  }),
  // What is written at once is as much as no pipe cuts in two, so that no line has another worker's in it.
  accessLogParams: key("access-log-params", accessLogParams, "buffer=4k flush=1s", {
    example: "buffer=16k",
    description:
      "how the access log is buffered and compressed; an empty value: each line is written at once",
  }),
  accessLogSample: key("access-log-sample-rate", ratio, "1", {
    example: "0.01",
    description:
      "wick's own: which part of the requests that do not fail is logged; those with a status from 400 on always are",
  }),
  disablesAccessLog: falseByDefault("disable-access-log", "no access log"),
  disablesHttpAccessLog: falseByDefault("disable-http-access-log", "no access log of HTTP requests"),
  logsAuthRequests: falseByDefault(
    "enable-auth-access-log",
    "requests to authentication services are in the access log, too",
  ),
  logFormatUpstream: key("log-format-upstream", requestFormat, upstreamInfo, {
    shownDefault: "ingress-nginx's format",
    example: "$remote_addr $status",
    description: "format of the access log",
  }),
  escapesNothing: falseByDefault("log-format-escape-none", "variables in log formats are not escaped at all"),
  escapesJson: falseByDefault("log-format-escape-json", "variables in log formats are escaped for JSON"),
  skippedUris: key("skip-access-log-urls", mapKeys(listOf), "", {
    example: "/health",
    description: "request URIs that are not logged",
  }),
  usesSyslog: falseByDefault("enable-syslog", "whether both logs go to syslog", {
    exampleWith: { keys: { "syslog-host": "syslog.test" } },
  }),
  syslogHost: key("syslog-host", { parse: emptyIs("", syslogHost), values: "a host" }, "", {
    example: "syslog.test",
    description: "host of the syslog server",
  }),
  syslogPort: key("syslog-port", port, "514", { example: "1514", description: "port of the syslog server" }),
  errorLogPath: key("error-log-path", logPath, "/var/log/nginx/error.log", {
    shownDefault: "standard error",
    example: "/var/log/wick-error.log",
    description: "where the error log is written",
  }),
  errorLogLevel: key("error-log-level", level, "notice", {
    example: "warn",
    description: "least severity that is written to the error log",
  }),
} satisfies EntriesFor<Logs>)
