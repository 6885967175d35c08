import type { Proxying } from "../../../model/http/backends.ts"
import type { Http } from "../../../model/http.ts"

/** What the templates print about requests to endpoints: nginx refuses sizes that do not fit each other, so they are made to fit. */
export interface ProxyingFields extends Proxying {
  readonly busyBytes: number
  readonly tempFileBytes: number
  /** at least a buffer */
  readonly tempFileWriteBytes: number
  /** the protocols of backends */
  readonly kinds: readonly Kind[]
}

interface Kind {
  /** what its directives begin with */
  readonly name: string
  /** words of its next_upstream */
  readonly nextUpstream: readonly string[]
}

export function proxyingFields({ proxying }: Http): ProxyingFields {
  const { proxyBufferBytes: buffer, proxyBuffersNumber: number } = proxying
  const busy = proxying.proxyBusyBuffersBytes || 2 * buffer
  const tempFile = proxying.proxyMaxTempFileBytes
  return {
    ...proxying,
    kinds: ["proxy", "grpc", "fastcgi"].map((name) => ({ name, nextUpstream: conditionsOf(name, proxying) })),
    busyBytes: Math.min(Math.max(busy, buffer), (number - 1) * buffer),
    tempFileBytes: tempFile === 0 ? 0 : Math.max(tempFile, buffer),
    tempFileWriteBytes: 2 * buffer,
  }
}

/** No gateway is in between that could fail. Source: nginx, fastcgi_next_upstream. */
const notOfFastcgi = new Set(["http_502", "http_504"])

function conditionsOf(
  kind: string,
  { proxyNextUpstream, retriesNonIdempotent }: Proxying,
): readonly string[] {
  const words = new Set(proxyNextUpstream.split(" "))
  if (retriesNonIdempotent) words.add("non_idempotent")
  const known = [...words].filter((word) => kind !== "fastcgi" || !notOfFastcgi.has(word))
  return known.length > 0 ? known : ["off"]
}
