import type { Proxying } from "../../../model/http/proxying.ts"
import { type Keys, key } from "../key.ts"
import { nextUpstream } from "../next-upstream.ts"
import { accepted, emptyIs, integer, type Parser } from "../values.ts"
import { count, onOff, onOffWord, positiveSeconds, seconds, size, sizeOrNone } from "./parsers.ts"

const kilobytes: Parser<number> = (text) => {
  const parsed = emptyIs(0, integer(0, 1_000_000))(text)
  return parsed.kind === "value" ? accepted(parsed.value * 1024) : parsed
}

export const proxying: Keys<Proxying> = {
  proxyConnectTimeoutSeconds: key("proxy-connect-timeout", positiveSeconds, "5"),
  proxySendTimeoutSeconds: key("proxy-send-timeout", positiveSeconds, "60"),
  proxyReadTimeoutSeconds: key("proxy-read-timeout", positiveSeconds, "60"),
  proxyNextUpstream: key("proxy-next-upstream", nextUpstream, "error timeout"),
  retriesNonIdempotent: key("retry-non-idempotent", onOff, "false"),
  proxyNextUpstreamTimeoutSeconds: key("proxy-next-upstream-timeout", seconds, "0"),
  proxyNextUpstreamTries: key("proxy-next-upstream-tries", count, "3"),
  proxyBuffersResponses: key("proxy-buffering", onOffWord, "off"),
  proxyBuffersRequests: key("proxy-request-buffering", onOffWord, "on"),
  proxyBufferBytes: key("proxy-buffer-size", size(256), "4k"),
  proxyBuffersNumber: key("proxy-buffers-number", integer(2, 65_536), "4"),
  proxyBusyBuffersBytes: key("proxy-busy-buffers-size", sizeOrNone, ""),
  proxyMaxTempFileBytes: key("proxy-max-temp-file-size", size(0), "1024m"),
  writesAsynchronously: key("enable-aio-write", onOff, "true"),
  grpcBufferBytes: key("grpc-buffer-size-kb", kilobytes, "0"),
}
