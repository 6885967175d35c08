import type { Clients } from "../../../model/http/clients.ts"
import { type Keys, key } from "../key.ts"
import { accepted, type Parser, refused, sizeBytes } from "../values.ts"
import { count, errorStatus, onOff, positive, positiveSeconds, seconds, size } from "./parsers.ts"

/** `4 8k`. nginx refuses buffers that are smaller than the pool of a connection, 512 bytes. */
const numberAndSize: Parser<Clients["largeClientHeaderBuffers"]> = (text) => {
  const [, digits = "", rest = ""] = /^ *(\S+) +(\S+) *$/.exec(text) ?? []
  const number = positive(digits)
  const bytes = size(512)(rest)
  if (number.kind === "value" && bytes.kind === "value")
    return accepted({ number: number.value, bytes: bytes.value })
  return refused("write a number and a size of at least 512 bytes, such as 4 8k")
}

const mediaType: Parser<string> = (text) =>
  /^[A-Za-z0-9!#&^_.+-]{1,127}\/[A-Za-z0-9!#&^_.+-]{1,127}(; ?charset=[A-Za-z0-9_-]{1,40})?$/.test(text)
    ? accepted(text)
    : refused("write a media type such as text/html")

export const clients: Keys<Clients> = {
  keepAliveSeconds: key("keep-alive", seconds, "75"),
  keepAliveRequests: key("keep-alive-requests", count, "1000"),
  clientHeaderBufferBytes: key("client-header-buffer-size", size(1), "1k"),
  clientHeaderTimeoutSeconds: key("client-header-timeout", positiveSeconds, "60"),
  largeClientHeaderBuffers: key("large-client-header-buffers", numberAndSize, "4 8k"),
  clientBodyBufferBytes: key("client-body-buffer-size", size(1), "8k"),
  clientBodyTimeoutSeconds: key("client-body-timeout", positiveSeconds, "60"),
  clientMaxBodyBytes: key("proxy-body-size", sizeBytes, "1m"),
  allowsUnderscores: key("enable-underscores-in-headers", onOff, "false"),
  ignoresInvalidHeaders: key("ignore-invalid-headers", onOff, "true"),
  http2MaxConcurrentStreams: key("http2-max-concurrent-streams", positive, "128"),
  limitReqStatus: key("limit-req-status-code", errorStatus, "503"),
  limitConnStatus: key("limit-conn-status-code", errorStatus, "503"),
  relativeRedirects: key("relative-redirects", onOff, "false"),
  defaultType: key("default-type", mediaType, "text/html"),
}
