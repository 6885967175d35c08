import type { RequestHeader } from "../../../model/access.ts"
import { fieldPath } from "../../../model/field-path.ts"
import type { IngressPath } from "../../../model/objects/ingress.ts"
import { qualifiedName } from "../../../model/objects/object.ts"
import type { ObjectName } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import { inBrackets } from "../../../support/address.ts"
import { isName } from "../../../support/host-name.ts"
import { getOrMake } from "../../../support/maps.ts"
import type { AnnotationValues } from "../../annotations/values.ts"
import { urlBackendRef } from "../../declared/backend-ref.ts"
import type { DeclaredAuth } from "../../declared/external-auth.ts"
import { hostText } from "../../declared/problems.ts"
import { serviceOfHost } from "../../options/external-auth/service.ts"
import { type AuthRequest, type Closed, closed, globalRequest, ownRequest } from "./auth-request.ts"
import { annotationField, deny, type IngressContext } from "./ingress-context.ts"

/** Which service is asked about the requests of one Ingress. */
export interface ExternalChecks {
  /** @param host of the rule; absent: of the `/` that all hosts of the Ingress have in common */
  of(host: string | undefined): DeclaredAuth | Closed
}

/**
 * @param further headers that go with the question
 * @returns undefined: nobody is asked
 */
export function readExternalAuth(
  { externalAuth, access }: Pick<AnnotationValues, "externalAuth" | "access">,
  further: readonly RequestHeader[],
  context: IngressContext,
): ExternalChecks | undefined {
  const own = ownRequest(externalAuth, further, context)
  if (own === closed) return nobody
  if (own !== undefined)
    return isForbidden(own, context) ? nobody : checks(own, ownOrigin(context), new Map(), context)
  const everywhere =
    access.usesGlobalAuth === false
      ? undefined
      : globalRequest(context.settings, context.shared.snippets.question)
  if (everywhere === undefined || everywhere === closed) return everywhere && nobody
  return checks(everywhere, globalOrigin(context), context.shared.globalAuth, context)
}

/** An operator may say whose Services are asked. What looks like the name of one is taken for it, whether there is one or not. */
function isForbidden({ url: { host } }: AuthRequest, context: IngressContext): boolean {
  const { authNamespaces } = context.settings
  const own = context.ingress.meta.namespace
  const service = host.kind === "name" ? serviceOfHost(host.text, own) : undefined
  if (authNamespaces === undefined || service === undefined || service.namespace === own) return false
  if (authNamespaces?.includes(service.namespace)) return false
  const state = `Cannot ask Service ${shown(qualifiedName(service))}: the ConfigMap's key "auth-namespaces" does not list its namespace`
  deny(context, "auth-url", "reference-forbidden", state)
  return true
}

const nobody: ExternalChecks = { of: () => closed }

/** Who wants it to be asked. */
type Origin = Pick<DeclaredAuth, "object" | "field" | "asker"> & {
  /** where names of one label are looked for */
  readonly namespace: string
}

function ownOrigin(context: IngressContext): Origin {
  const { ingress } = context
  return {
    object: context.source,
    field: annotationField(context, "auth-url"),
    asker: 'annotation "auth-url"',
    namespace: ingress.meta.namespace,
  }
}

function globalOrigin({ options: { configMap }, source }: IngressContext): Origin {
  const object: ObjectName = configMap === undefined ? source : { kind: "ConfigMap", ...configMap }
  const field = fieldPath("data", ["global-auth-url"])
  return { object, field, asker: 'key "global-auth-url"', namespace: configMap?.namespace ?? "" }
}

function checks(
  { url, details, tls }: AuthRequest,
  { namespace, ...origin }: Origin,
  known: Map<string, DeclaredAuth>,
  context: IngressContext,
): ExternalChecks {
  const { scheme, port, target } = url
  const ask = (host: string, isOwn: boolean): DeclaredAuth => {
    const isInside = !isOwn && namespace !== ""
    const ref = urlBackendRef("auth", { host, port, ...(isInside && { namespace }) })
    const where = { location: `auth-${scheme}`, backend: ref.key, target, host: inBrackets(host) }
    const auth = { ...where, ...details, ...(tls && { backendTls: tls.said }) }
    return { ref, auth, ...(tls && { tls }), ...origin }
  }
  const { host } = url
  if (host.kind !== "own") return { of: () => getOrMake(known, host.text, () => ask(host.text, false)) }
  return ofEachHost((rule) => getOrMake(known, rule, () => ask(rule, true)), origin.asker, context)
}

/** The service is at the host that is protected, which has to be one: what a client calls it must not decide who is asked. */
function ofEachHost(
  ask: (rule: string) => DeclaredAuth,
  asker: string,
  context: IngressContext,
): ExternalChecks {
  const only = onlyHost(context)
  let isSaid = false
  return {
    of: (rule = only) => {
      if (rule !== undefined && isName(rule)) return ask(rule)
      if (!isSaid && (rule !== undefined || hasFreeRoot(context))) {
        isSaid = true
        complainAboutHost(rule, asker, context)
      }
      return closed
    },
  }
}

function complainAboutHost(rule: string | undefined, asker: string, context: IngressContext): void {
  const which = rule === undefined ? `path "/" of its hosts` : hostText(rule)
  const message = `Cannot use ${asker} for ${which}: its host is $host, which is not one name there; write the name of the authentication service; requests get 503`
  context.complain("spec.rules", "auth-host-unclear", message)
}

function onlyHost({ hosts: written }: IngressContext): string | undefined {
  const hosts = new Set(written.map((host) => host.toLowerCase()))
  return hosts.size === 1 ? [...hosts][0] || undefined : undefined
}

/** Whether a host has a `/` only because every host has one. */
function hasFreeRoot({ ingress: { rules } }: IngressContext): boolean {
  const isRoot = ({ path, pathType }: IngressPath) => (path || "/") === "/" && pathType !== "Exact"
  return rules.length === 0 || rules.some(({ paths = [] }) => !paths.some(isRoot))
}
