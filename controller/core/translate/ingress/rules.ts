import type {
  IngressBackend,
  IngressPath,
  IngressRule,
  ServicePortRef,
} from "../../../model/objects/ingress.ts"
import type { ProblemCode } from "../../../model/problems/catalogue.ts"
import { shown } from "../../../model/shown.ts"
import { checkHost } from "../../../support/host-name.ts"
import { checkPath, isLabel } from "./check.ts"
import { type BackendRef, backendRef, place, type RouteClaim, type RuleClaim } from "./claim.ts"
import type { Treatments } from "./treatment.ts"

// The gate for what stands in an Ingress's spec. Each reader returns the checked value, or complains and returns nothing: that part is left
// out and all else is kept. `field` is where the value stands.

/** Takes a Problem with the Ingress that is read; returns nothing, as its caller does then. */
export type Complain = (field: string, code: ProblemCode, message: string) => undefined

/**
 * @param root claim on the `/` of the rule's host; its paths have the same owner, policy and overrides
 * @param treatments what becomes of requests for each path
 */
export function readRule(
  rule: IngressRule,
  field: string,
  { root, treatments }: { readonly root: RouteClaim; readonly treatments: Treatments },
  complain: Complain,
): RuleClaim | undefined {
  const host = rule.host.toLowerCase()
  const fault = host === "" ? undefined : checkHost(host)
  if (fault !== undefined) {
    const message = `Cannot use host ${shown(rule.host)}: ${fault}; its paths are left out`
    return complain(`${field}.host`, "host-refused", message)
  }
  const paths = rule.paths ?? []
  const routes = paths.flatMap(
    (path, at) => readPath(path, `${field}.http.paths[${at}]`, root, complain) ?? [],
  )
  return {
    host: host || "_",
    routes: routes.map((route) => ({ ...route, treatment: treatments.of(route.path) })),
  }
}

function readPath(
  asked: IngressPath,
  field: string,
  root: RouteClaim,
  complain: Complain,
): RouteClaim | undefined {
  const path = asked.path || "/"
  const fault = checkPath(path, asked.pathType !== "ImplementationSpecific")
  if (fault !== undefined) {
    return complain(`${field}.path`, "path-refused", `Cannot use path ${shown(path)}: ${fault}`)
  }
  const backend = readBackend(asked.backend, `${field}.backend`, root.namespace, complain)
  const match = asked.pathType === "Exact" ? "exact" : "prefix"
  return backend && { ...root, field, ...place(path, match), backend }
}

export function readBackend(
  backend: IngressBackend,
  field: string,
  namespace: string,
  complain: Complain,
): BackendRef | undefined {
  if (backend.kind === "resource") {
    const message = "Cannot use the backend: only Services are supported"
    return complain(`${field}.resource`, "resource-backend", message)
  }
  const port = portText(backend.port)
  if (!isLabel(backend.name)) {
    const message = `Cannot use Service ${shown(backend.name)}: it is no name of a Service`
    return complain(`${field}.service.name`, "service-name-refused", message)
  }
  if (port !== "" && !isLabel(port)) {
    const message = `Cannot use port ${shown(port)}: it is no name of a port`
    return complain(`${field}.service.port`, "port-name-refused", message)
  }
  return backendRef(namespace, backend.name, port)
}

function portText(port: ServicePortRef): string {
  switch (port.kind) {
    case "number":
      return String(port.number)
    case "name":
      return port.name
    case "none":
      return ""
  }
  return port satisfies never
}
