import type { Meta } from "../meta.ts"
import type { Reader } from "../reader.ts"
import { type RouteFilter, readFilters } from "./filters.ts"
import { readValueMatch, type ValueMatch, valueTypes } from "./http-match.ts"
import { type HttpBackendRef, readHttpBackendRef } from "./http-route.ts"
import { readGeneration, readHostnames, readRuleName } from "./names.ts"
import { type ParentRef, readParentRefs } from "./references.ts"
import { readSessionPersistence, type SessionPersistence } from "./session-persistence.ts"

export interface GrpcRoute {
  readonly kind: "GRPCRoute"
  readonly meta: Meta
  readonly generation: number
  readonly parents: readonly ParentRef[]
  readonly hostnames: readonly string[]
  readonly rules: readonly GrpcRule[]
}

interface GrpcRule {
  readonly name: string
  /** one at least */
  readonly matches: readonly GrpcMatch[]
  readonly filters: readonly RouteFilter[]
  readonly backends: readonly HttpBackendRef[]
  readonly session?: SessionPersistence
}

export interface GrpcMatch {
  readonly type: "Exact" | "RegularExpression"
  /** "": any, as the next one */
  readonly service: string
  readonly method: string
  readonly headers: readonly ValueMatch[]
}

const anyCall: GrpcMatch = { type: "Exact", service: "", method: "", headers: [] }
const serviceName = /^\.?[a-z_][a-z_0-9]*(\.[a-z_][a-z_0-9]*)*$/i
const methodName = /^[A-Za-z_][A-Za-z_0-9]*$/

export function readGrpcRoute(at: Reader, meta: Meta): GrpcRoute | undefined {
  const generation = readGeneration(at)
  const spec = at.required("spec", (spec) =>
    spec.accepted({
      parents: readParentRefs(spec),
      hostnames: readHostnames(spec),
      rules: spec.every("rules", (rule) => readRule(rule, meta.namespace)),
    }),
  )
  return spec && at.accepted({ kind: "GRPCRoute", meta, generation, ...spec })
}

function readRule(at: Reader, namespace: string): GrpcRule | undefined {
  const matches = at.every("matches", readMatch)
  const session = at.expected("sessionPersistence", readSessionPersistence)
  return at.accepted({
    name: readRuleName(at),
    matches: matches.length === 0 ? [anyCall] : matches,
    filters: readFilters(at, namespace),
    backends: at.every("backendRefs", (ref) => readHttpBackendRef(ref, namespace)),
    ...(session && { session }),
  })
}

function readMatch(at: Reader): GrpcMatch | undefined {
  const method = at.expected("method", readMethod)
  const headers = at.every("headers", readValueMatch)
  return at.accepted({ ...(method ?? anyCall), headers })
}

function readMethod(at: Reader): Omit<GrpcMatch, "headers"> | undefined {
  const type = at.oneOf("type", valueTypes, "Exact")
  const service = at.text("service")
  const method = at.text("method")
  if (type === "Exact" && service !== "" && !serviceName.test(service))
    at.refuse("service", "name-bad", "has to be the name of a gRPC service")
  if (type === "Exact" && method !== "" && !methodName.test(method))
    at.refuse("method", "name-bad", "has to be the name of a gRPC method")
  return at.accepted({ type, service, method })
}
