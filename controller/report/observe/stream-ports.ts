import type { Identity } from "../../model/identity.ts"
import type { PortService } from "../../model/observed.ts"
import { type Family, printLabels } from "./series.ts"

/** Which Services ports of TCP and UDP lead to. What is counted of a port does not name them: others may take its place. */
export function portFamily(services: Iterable<PortService>, identity: Identity): Family {
  const common = printLabels({
    controller_class: identity.controllerClass,
    controller_namespace: identity.namespace,
    controller_pod: identity.pod,
  })
  function* series() {
    for (const { port, address = "", serverName, servicePort, ...named } of services) {
      const labels = {
        ...named,
        address,
        port: String(port),
        server_name: serverName,
        service_port: servicePort,
      }
      yield [`${common},${printLabels(labels)}`, 1] as const
    }
  }
  return {
    name: "wick_stream_info",
    help: "1, for each Service that a TCP or UDP port leads to, and the server name by which it does",
    series: series(),
  }
}
