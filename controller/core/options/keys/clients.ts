import type { Clients } from "../../../model/http/requests.ts"
import { type EntriesFor, family, key } from "../key.ts"
import { accepted, refused, sizeBytes } from "../parser.ts"
import { type Syntax, values } from "../usage.ts"
import {
  between,
  count,
  errorStatus,
  falseByDefault,
  kilobytes,
  orZero,
  positive,
  positiveSeconds,
  seconds,
  size,
  trueByDefault,
} from "./syntax.ts"

/** `4 8k`. nginx refuses buffers that are smaller than the pool of a connection, 512 bytes. */
const numberAndSize: Syntax<Clients["largeClientHeaderBuffers"]> = {
  parse: (text) => {
    const [, digits = "", rest = ""] = /^ *(\S+) +(\S+) *$/.exec(text) ?? []
    const number = positive.parse(digits)
    const bytes = size(512).parse(rest)
    if (number.kind === "value" && bytes.kind === "value")
      return accepted({ number: number.value, bytes: bytes.value })
    return refused("write a number and a size of at least 512 bytes, such as 4 8k")
  },
  values: "a number and a size",
}

const mediaType: Syntax<string> = {
  parse: (text) =>
    /^[A-Za-z0-9!#&^_.+-]{1,127}\/[A-Za-z0-9!#&^_.+-]{1,127}(; ?charset=[A-Za-z0-9_-]{1,40})?$/.test(text)
      ? accepted(text)
      : refused("write a media type such as text/html"),
  values: "a media type",
}

const bodyBytes: Syntax<number> = { parse: sizeBytes, values: values.size }

export const clients = family("Client connections", {
  keepAliveSeconds: key("keep-alive", orZero(seconds, "closes after each response"), "75", {
    example: "60",
    description: "how long an idle client connection is kept open",
  }),
  keepAliveRequests: key("keep-alive-requests", count, "1000", {
    example: "100",
    description: "maximum number of requests on one client connection",
  }),
  clientHeaderBufferBytes: key("client-header-buffer-size", size(1), "1k", {
    example: "4k",
    description: "buffer for the head of a request",
  }),
  clientHeaderTimeoutSeconds: key("client-header-timeout", positiveSeconds, "60", {
    example: "30",
    description: "longest time a client may take to send the head of a request",
  }),
  largeClientHeaderBuffers: key("large-client-header-buffers", numberAndSize, "4 8k", {
    example: "8 16k",
    description: "number and size of the buffers for large request heads; a longer line is refused",
  }),
  clientBodyBufferBytes: key("client-body-buffer-size", size(1), "8k", {
    example: "16k",
    description: "how much of a request body is kept in memory",
  }),
  clientBodyTimeoutSeconds: key("client-body-timeout", positiveSeconds, "60", {
    example: "30",
    description: "longest pause while a request body is received",
  }),
  clientMaxBodyBytes: key("proxy-body-size", orZero(bodyBytes, "is no limit"), "1m", {
    section: "Proxying",
    example: "8m",
    description: "default of the annotation",
  }),
  allowsUnderscores: falseByDefault(
    "enable-underscores-in-headers",
    "whether names of request headers may contain underscores",
  ),
  ignoresInvalidHeaders: trueByDefault(
    "ignore-invalid-headers",
    "whether request headers with other invalid names are dropped",
  ),
  http2MaxConcurrentStreams: key("http2-max-concurrent-streams", positive, "128", {
    example: "64",
    description: "maximum number of concurrent requests on one HTTP/2 connection",
  }),
  limitReqStatus: key("limit-req-status-code", errorStatus, "503", {
    section: "Limits",
    example: "429",
    description: "status of requests above a request rate limit",
  }),
  limitConnStatus: key("limit-conn-status-code", errorStatus, "503", {
    section: "Limits",
    example: "429",
    description: "status of requests above a connection limit",
  }),
  ipv6PrefixBits: key("client-ipv6-prefix", between(1, 128), "64", {
    section: "Limits",
    example: "128",
    description:
      "addresses of IPv6 that agree in so many first bits are one client: for limits, for its share of passwords that are verified, and of nonces. Lists of addresses are as written",
  }),
  maxPasses: key("max-request-passes", between(0, 100), "5", {
    section: "Limits",
    example: "10",
    description:
      "a request that wick has passed on so often, as its header `CDN-Loop` says, gets 508; `0` is no limit, and no header",
  }),
  limitRateBytes: key("limit-rate", orZero(kilobytes, "is no limit"), "0", {
    section: "Limits",
    example: "512",
    description: "maximum kilobytes per second at which a response is sent; needs proxy-buffering",
  }),
  limitRateAfterBytes: key("limit-rate-after", kilobytes, "0", {
    section: "Limits",
    example: "64",
    description: "kilobytes of a response that are sent before limit-rate applies",
  }),
  relativeRedirects: falseByDefault("relative-redirects", "default of the annotation", {
    section: "Redirects",
  }),
  defaultType: key("default-type", mediaType, "text/html", {
    section: "Process",
    example: "text/plain",
    description: "media type of nginx's own responses that have none",
  }),
} satisfies EntriesFor<Clients>)
