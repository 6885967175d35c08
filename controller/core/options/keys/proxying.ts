import type { Proxying } from "../../../model/http/backends.ts"
import { type EntriesFor, family, key } from "../key.ts"
import { nextUpstream } from "../next-upstream.ts"
import { integer } from "../parser.ts"
import { values } from "../usage.ts"
import {
  count,
  falseByDefault,
  kilobytes,
  onOff,
  orZero,
  positiveSeconds,
  seconds,
  size,
  sizeOrNone,
  trueByDefault,
} from "./syntax.ts"

const description = "default of the annotation"

export const proxying = family("Proxying", {
  proxyConnectTimeoutSeconds: key("proxy-connect-timeout", positiveSeconds, "5", {
    example: "10",
    description,
  }),
  proxySendTimeoutSeconds: key("proxy-send-timeout", positiveSeconds, "60", { example: "120", description }),
  proxyReadTimeoutSeconds: key("proxy-read-timeout", positiveSeconds, "60", { example: "120", description }),
  proxyNextUpstream: key("proxy-next-upstream", nextUpstream, "error timeout", {
    example: "error timeout http_502",
    description,
  }),
  retriesNonIdempotent: falseByDefault(
    "retry-non-idempotent",
    "whether POST, LOCK and PATCH requests are retried too",
  ),
  proxyNextUpstreamTimeoutSeconds: key("proxy-next-upstream-timeout", orZero(seconds, "is no limit"), "0", {
    example: "10",
    description,
  }),
  proxyNextUpstreamTries: key("proxy-next-upstream-tries", orZero(count, "is no limit"), "3", {
    example: "2",
    description,
  }),
  proxyBuffersResponses: key("proxy-buffering", onOff, "off", { example: "on", description }),
  proxyBuffersRequests: key("proxy-request-buffering", onOff, "on", { example: "off", description }),
  proxyBufferBytes: key("proxy-buffer-size", size(256), "4k", { example: "8k", description }),
  proxyBuffersNumber: key("proxy-buffers-number", { parse: integer(2, 65_536), values: values.count }, "4", {
    example: "8",
    description,
  }),
  proxyBusyBuffersBytes: key("proxy-busy-buffers-size", sizeOrNone, "", {
    shownDefault: "nginx's own",
    example: "8k",
    description,
  }),
  proxyMaxTempFileBytes: key("proxy-max-temp-file-size", orZero(size(0), "is none"), "1024m", {
    example: "256m",
    description,
  }),
  writesAsynchronously: trueByDefault(
    "enable-aio-write",
    "whether temporary files are written asynchronously",
    { section: "Process" },
  ),
  grpcBufferBytes: key("grpc-buffer-size-kb", kilobytes, "0", {
    shownDefault: "0, nginx's own",
    example: "16",
    description: "buffer for a gRPC response, in kilobytes",
  }),
  proxySslLocationOnly: {
    name: "proxy-ssl-location-only",
    section: "Process",
    values: values.boolean,
    shownDefault: "`false`",
    example: "true",
    unneeded: "TLS to backends is always set for each location",
  },
} satisfies EntriesFor<Proxying>)
