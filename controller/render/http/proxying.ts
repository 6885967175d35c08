import type { Proxying } from "../../model/http/proxying.ts"
import type { Http } from "../../model/http.ts"

/** What the templates print about requests to endpoints: nginx refuses sizes that do not fit each other, so they are made to fit. */
export interface ProxyingFields extends Proxying {
  readonly busyBytes: number
  readonly tempFileBytes: number
  /** at least a buffer */
  readonly tempFileWriteBytes: number
  /** what their directives begin with */
  readonly kinds: readonly string[]
  /** words of the directive */
  readonly nextUpstream: readonly string[]
}

export function proxyingFields({ proxying }: Http): ProxyingFields {
  const { proxyBufferBytes: buffer, proxyBuffersNumber: number } = proxying
  const busy = proxying.proxyBusyBuffersBytes || 2 * buffer
  const tempFile = proxying.proxyMaxTempFileBytes
  return {
    ...proxying,
    kinds: ["proxy", "grpc", "fastcgi"],
    busyBytes: Math.min(Math.max(busy, buffer), (number - 1) * buffer),
    tempFileBytes: tempFile === 0 ? 0 : Math.max(tempFile, buffer),
    tempFileWriteBytes: 2 * buffer,
    nextUpstream: conditionsOf(proxying),
  }
}

function conditionsOf({ proxyNextUpstream, retriesNonIdempotent }: Proxying): readonly string[] {
  const words = proxyNextUpstream.split(" ")
  return retriesNonIdempotent && !words.includes("non_idempotent") ? [...words, "non_idempotent"] : words
}
