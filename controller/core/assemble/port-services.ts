import type { PortService } from "../../model/observed.ts"
import type { ServerName, Stream } from "../../model/stream.ts"
import { parseStreamName } from "../../model/stream-listener.ts"

/** What ports of TCP and UDP lead to, one by one. */
export function* portServices(streams: readonly Stream[]): Iterable<PortService> {
  for (const stream of streams) {
    const listener = parseStreamName(stream.name)
    const served: readonly ServerName[] = stream.names ?? [{ ...stream, host: "" }]
    for (const { host, backend, namespace = "", serviceName = "", servicePort = "" } of served)
      yield { ...listener, serverName: host, namespace, service: serviceName, servicePort, backend }
  }
}
