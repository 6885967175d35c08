import { fieldPath } from "../../../model/field-path.ts"
import type {
  IngressBackend,
  IngressPath,
  IngressRule,
  ServicePortRef,
} from "../../../model/objects/ingress.ts"
import { shown } from "../../../model/shown.ts"
import { checkHost, isLabel } from "../../../support/host-name.ts"
import { type BackendRef, backendRef } from "../../declared/backend-ref.ts"
import type { ParsedRule } from "../parsed/parsed-ingress.ts"
import { type ParsedRoute, pathMatch } from "../parsed/parsed-route.ts"
import { checkPath } from "./check.ts"
import type { Complain } from "./ingress-context.ts"
import type { PathAccess } from "./read-access.ts"
import type { PathFilters } from "./read-filters.ts"

// Checks what stands in an Ingress's spec. Each reader returns the checked value, or reports a Problem and returns nothing: that part is left out
// and all else is kept. `field` is where the value stands.

/** What an Ingress says of its paths. */
export interface OfPaths {
  /** the `/` of each host; other paths have the same owner, location and overrides */
  readonly root: ParsedRoute
  readonly filters: PathFilters
  readonly access: PathAccess
  /** location blocks of a snippet in a path */
  readonly nested: (route: ParsedRoute) => ParsedRoute
}

export function readRule(
  rule: IngressRule,
  field: string,
  { root, filters, access, nested }: OfPaths,
  complain: Complain,
): ParsedRule | undefined {
  const host = rule.host.toLowerCase()
  const fault = host === "" ? undefined : checkHost(host)
  if (fault !== undefined) {
    const message = `Cannot use host ${shown(rule.host)}: ${fault}; its paths are left out`
    return complain(fieldPath(field, "host"), "host-refused", message)
  }
  const paths = rule.paths ?? []
  const routes = paths.flatMap(
    (path, at) => readPath(path, fieldPath(field, "http", "paths", at), root, complain) ?? [],
  )
  return {
    host: host || "_",
    routes: routes.map((route) =>
      nested({ ...route, filters: filters.of(route.path), access: access.of(route.path, host) }),
    ),
  }
}

function readPath(
  asked: IngressPath,
  field: string,
  root: ParsedRoute,
  complain: Complain,
): ParsedRoute | undefined {
  const path = asked.path || "/"
  const fault = checkPath(path, asked.pathType !== "ImplementationSpecific")
  if (fault !== undefined) {
    return complain(fieldPath(field, "path"), "path-refused", `Cannot use path ${shown(path)}: ${fault}`)
  }
  const backend = readBackend(asked.backend, field, root.source.namespace, complain)
  const match = asked.pathType === "Exact" ? "exact" : "prefix"
  return backend && { ...root, field, backendAt: "backend.service", ...pathMatch(path, match), backend }
}

export const defaultBackendField = "spec.defaultBackend"

/** Where the Ingress names the backend of the route at `field`. */
function backendField(field: string): string {
  return field === defaultBackendField ? field : fieldPath(field, "backend")
}

/** @param field of the route that it is of */
export function readBackend(
  backend: IngressBackend,
  field: string,
  namespace: string,
  complain: Complain,
): BackendRef | undefined {
  if (backend.kind === "resource") {
    const message = "Cannot use the backend: only Services are supported"
    return complain(fieldPath(backendField(field), "resource"), "resource-backend", message)
  }
  const port = portText(backend.port)
  if (!isLabel(backend.name)) {
    const message = `Cannot use Service ${shown(backend.name)}: it is no name of a Service`
    return complain(
      fieldPath(fieldPath(backendField(field), "service"), "name"),
      "service-name-refused",
      message,
    )
  }
  if (port !== "" && !isLabel(port)) {
    const message = `Cannot use port ${shown(port)}: it is no name of a port`
    return complain(
      fieldPath(fieldPath(backendField(field), "service"), "port"),
      "port-name-refused",
      message,
    )
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
