import type { Identity } from "../../model/identity.ts"
import type { SourceBackends } from "../../model/observed.ts"
import { type Family, printLabels } from "./series.ts"

/** Ingresses whose rules name Services that cannot be reached. Labels are those of ingress-nginx. */
export function orphanFamily(sources: Iterable<SourceBackends>, identity: Identity): Family {
  const common = printLabels({
    controller_class: identity.controllerClass,
    controller_namespace: identity.namespace,
    controller_pod: identity.pod,
  })
  function* series() {
    for (const { source, lacksService, lacksEndpoint } of sources) {
      if (source.kind !== "Ingress") continue
      const { namespace, name: ingress } = source
      const labels = `${common},${printLabels({ namespace, ingress })}`
      yield [`${labels},type="no-service"`, lacksService ? 1 : 0] as const
      yield [`${labels},type="no-endpoint"`, lacksEndpoint ? 1 : 0] as const
    }
  }
  return {
    name: "nginx_ingress_controller_orphan_ingress",
    help: "1 when a rule of the Ingress names a Service that does not exist (no-service) or has no endpoint (no-endpoint)",
    series: series(),
  }
}
