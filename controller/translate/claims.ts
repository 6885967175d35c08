import type { AnnotationValues } from "../annotations/entry.ts"
import { readAnnotations } from "../annotations/read.ts"
import type { Policy } from "../model/policy.ts"
import type { Problem } from "../model/problem.ts"
import type { Overrides, Route } from "../model/route.ts"
import { shown } from "../model/shown.ts"
import type { Ingress, IngressBackend, IngressPath, IngressRule, ServicePortRef } from "../objects/ingress.ts"
import { checkHost, checkPath, isLabel } from "./check.ts"
import { remembered } from "./memo.ts"
import type { TranslateOptions } from "./options.ts"
import { policyOf } from "./policies.ts"
import { complaint, ingressName } from "./problems.ts"

/** Everything that one Ingress asks for, before it is known what others ask for and what stands behind its Services. */
export interface IngressClaims {
  /** `/` of every host that this Ingress is the first to mention, unless a rule says otherwise */
  readonly root: RouteClaim
  /** it has a default backend and no rules: its root is a claim on every other host */
  readonly isCatchAll: boolean
  readonly rules: readonly RuleClaim[]
  readonly problems: readonly Problem[]
}

export interface RuleClaim {
  /** lower-case and checked; `_` for a rule without host */
  readonly host: string
  readonly routes: readonly RouteClaim[]
}

/** One path of one rule. */
export interface RouteClaim {
  readonly namespace: string
  /** "" only for the `/` of `_` that no Ingress asked for */
  readonly ingressName: string
  /** where it stands in the Ingress, for Problems */
  readonly field: string
  readonly path: string
  readonly match: Route["match"]
  /** path and match in one: two claims on one host with the same key are in conflict */
  readonly key: string
  /** absent: the default backend */
  readonly backend?: BackendRef
  readonly policy: Policy
  readonly overrides: Overrides
}

/** A Service port as an Ingress names it. */
export interface BackendRef {
  /** names this Service port and no other: `namespace/service:port` */
  readonly key: string
  /** `namespace/service`, as in the snapshot */
  readonly serviceKey: string
  readonly namespace: string
  readonly service: string
  /** number or name; "" when the Ingress names none */
  readonly port: string
  /** as ingress-nginx names the backend, also where no port is given; not always unique */
  readonly shortName: string
}

type Collect = (problem: Problem) => void

const nothing = { rules: [], isCatchAll: false }

/** Reads one Ingress. Refused parts are left out, each with a Problem; a canary asks for nothing yet. */
export const claimsOf = remembered((ingress: Ingress, options: TranslateOptions): IngressClaims => {
  const { values, problems: annotationProblems } = readAnnotations(ingress, options.annotationsPrefix)
  const problems = [...annotationProblems]
  const base = baseClaim(ingress, values)
  const leftOut = whyLeftOut(ingress, values, options)
  if (leftOut !== undefined) return { root: base, ...nothing, problems: [...problems, leftOut] }
  const collect: Collect = (problem) => void problems.push(problem)
  const backend = readBackend(ingress, ingress.defaultBackend, "spec.defaultBackend", collect)
  const root: RouteClaim = { ...base, ...(backend && { backend }), field: "spec.defaultBackend" }
  const rules = ingress.rules.flatMap((rule, at) =>
    readRule(ingress, rule, `spec.rules[${at}]`, root, collect),
  )
  return { root, isCatchAll: ingress.rules.length === 0 && backend !== undefined, rules, problems }
})

/** The `/` that answers where nothing else does. */
function baseClaim(ingress: Ingress, values: AnnotationValues): RouteClaim {
  return {
    namespace: ingress.meta.namespace,
    ingressName: ingress.meta.name,
    field: "spec",
    ...place("/", "prefix"),
    policy: policyOf(values.policy),
    overrides: values.route,
  }
}

function whyLeftOut(
  ingress: Ingress,
  values: AnnotationValues,
  options: TranslateOptions,
): Problem | undefined {
  if (values.live.canary === true) {
    const message = 'Annotation "canary" has no effect yet: the rules of the Ingress are left out'
    return complaint(ingressName(ingress), "spec.rules", "canary-without-effect", message)
  }
  if (options.disableCatchAll && ingress.defaultBackend !== undefined) {
    const message = "Cannot use the Ingress: --disable-catch-all leaves out all that have a default backend"
    return complaint(ingressName(ingress), "spec.defaultBackend", "catch-all-disabled", message)
  }
  return undefined
}

function readRule(
  ingress: Ingress,
  rule: IngressRule,
  field: string,
  root: RouteClaim,
  collect: Collect,
): RuleClaim[] {
  const host = rule.host.toLowerCase()
  const fault = host === "" ? undefined : checkHost(host)
  if (fault !== undefined) {
    const message = `Cannot use host ${shown(rule.host)}: ${fault}; its paths are left out`
    collect(complaint(ingressName(ingress), `${field}.host`, "host-refused", message))
    return []
  }
  const routes = (rule.paths ?? []).flatMap((path, at) =>
    readPath(ingress, path, `${field}.http.paths[${at}]`, root, collect),
  )
  return [{ host: host || "_", routes }]
}

function readPath(
  ingress: Ingress,
  asked: IngressPath,
  field: string,
  root: RouteClaim,
  collect: Collect,
): RouteClaim[] {
  const path = asked.path || "/"
  const fault = checkPath(path, asked.pathType !== "ImplementationSpecific")
  if (fault !== undefined) {
    collect(
      complaint(
        ingressName(ingress),
        `${field}.path`,
        "path-refused",
        `Cannot use path ${shown(path)}: ${fault}`,
      ),
    )
    return []
  }
  const backend = readBackend(ingress, asked.backend, `${field}.backend`, collect)
  if (backend === undefined) return []
  return [{ ...root, field, ...place(path, asked.pathType === "Exact" ? "exact" : "prefix"), backend }]
}

/** The last blank of the key ends the path, whatever that holds. */
export function place(path: string, match: Route["match"]): Pick<RouteClaim, "path" | "match" | "key"> {
  return { path, match, key: `${path} ${match}` }
}

function readBackend(
  ingress: Ingress,
  backend: IngressBackend | undefined,
  field: string,
  collect: Collect,
): BackendRef | undefined {
  if (backend === undefined) return undefined
  if (backend.kind === "resource") {
    collect(
      complaint(
        ingressName(ingress),
        `${field}.resource`,
        "resource-backend",
        "Cannot use the backend: only Services are supported",
      ),
    )
    return undefined
  }
  if (!isLabel(backend.name)) {
    const message = `Cannot use Service ${shown(backend.name)}: it is no name of a Service`
    collect(complaint(ingressName(ingress), `${field}.service.name`, "service-name-refused", message))
    return undefined
  }
  const port = portText(backend.port)
  if (port !== "" && !isLabel(port)) {
    const message = `Cannot use port ${shown(port)}: it is no name of a port`
    collect(complaint(ingressName(ingress), `${field}.service.port`, "port-name-refused", message))
    return undefined
  }
  return backendRef(ingress.meta.namespace, backend.name, port)
}

export function backendRef(namespace: string, service: string, port: string): BackendRef {
  const serviceKey = `${namespace}/${service}`
  const shortName = port === "" ? `${namespace}-INVALID` : `${namespace}-${service}-${port}`
  return { key: `${serviceKey}:${port}`, serviceKey, namespace, service, port, shortName }
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
