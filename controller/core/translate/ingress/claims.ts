import type { Ingress } from "../../../model/objects/ingress.ts"
import type { Problem } from "../../../model/problem.ts"
import { readAnnotations } from "../../annotations/read.ts"
import type { RoutingValues } from "../../annotations/values.ts"
import type { NameWishes } from "../hosts/other-names.ts"
import type { TranslateOptions } from "../options.ts"
import { passingOf } from "../passthrough/wish.ts"
import { complaint, ingressName } from "../problems.ts"
import { tlsClaimOf } from "../tls/claim.ts"
import { balancingOf } from "./balancing.ts"
import { type IngressClaims, place, type RouteClaim } from "./claim.ts"
import { clientWish } from "./client-certificates.ts"
import type { Context } from "./context.ts"
import { handshakeOf } from "./handshake.ts"
import type { Inquiry } from "./inquiry.ts"
import { Lookups, type Referable } from "./lookups.ts"
import { proxyingOf } from "./proxying.ts"
import { type Complain, readBackend, readRule } from "./rules.ts"
import { plainTreatment, type Treatments, treatmentsOf } from "./treatment.ts"

/** What an Ingress asks for, and what that was made of beside it. */
export interface Reading {
  readonly claims: IngressClaims
  /** the objects that its annotations name */
  readonly lookups: Lookups
}

/** Reads one Ingress. Refused parts are left out, each with a Problem. */
export function claimsOf(ingress: Ingress, context: Context, objects: Referable): Reading {
  const lookups = new Lookups(objects)
  const claims = read(ingress, context, lookups)
  lookups.finish()
  return { claims, lookups }
}

function read(ingress: Ingress, context: Context, lookups: Lookups): IngressClaims {
  const { options } = context
  const { values, problems: fromAnnotations } = readAnnotations(ingress, options.annotationsPrefix)
  const problems: Problem[] = [...fromAnnotations]
  const complain: Complain = (...what) => {
    problems.push(complaint(ingressName(ingress), ...what))
  }
  const inquiry: Inquiry = { ingress, context, lookups, complain }
  const treatments = treatmentsOf(values.routing, context)
  const base: RouteClaim = {
    namespace: ingress.meta.namespace,
    ingressName: ingress.meta.name,
    field: "spec.defaultBackend",
    ...place("/", "prefix"),
    treatment: treatments.unclaimed,
    proxying: proxyingOf(values, inquiry),
    balancing: balancingOf(values),
  }
  const claims = isForbidden(ingress, options, complain)
    ? nothingOf(base)
    : claimsFrom(ingress, { base, treatments }, complain)
  const clients = clientWish(values.clients, inquiry)
  const passing = passingOf(values, inquiry)
  const { meta } = ingress
  return {
    name: `${meta.namespace}/${meta.name}`,
    createdMs: meta.createdMs,
    ...claims,
    names: namesOf(values.routing, context),
    tls: tlsClaimOf(ingress, handshakeOf(values.handshake, inquiry)),
    ...(clients !== undefined && { clients }),
    ...passing,
    secrets: lookups.tlsSecrets(),
    problems,
  }
}

type Claims = Pick<IngressClaims, "root" | "isCatchAll" | "rules">

/** What all claims of an Ingress begin with, and how they differ. */
interface Base {
  readonly base: RouteClaim
  readonly treatments: Treatments
}

/** Redirects and rewriting are not for every other host (behaviour of ingress-nginx). */
function claimsFrom(
  { defaultBackend, rules }: Ingress,
  { base, treatments }: Base,
  complain: Complain,
): Claims {
  const backend = defaultBackend && readBackend(defaultBackend, base.field, base.namespace, complain)
  const isCatchAll = rules.length === 0 && backend !== undefined
  const treatment = isCatchAll ? plainTreatment : treatments.of("/")
  const root = backend === undefined ? base : { ...base, backend, treatment }
  return {
    root,
    isCatchAll,
    rules: rules.flatMap(
      (rule, at) => readRule(rule, `spec.rules[${at}]`, { root, treatments }, complain) ?? [],
    ),
  }
}

function namesOf({ aliases = [], redirectsWww }: RoutingValues, { options, settings }: Context): NameWishes {
  const field = (name: string) => `metadata.annotations["${options.annotationsPrefix}/${name}"]`
  return {
    ...(aliases.length > 0 && { aliases: { names: aliases, field: field("server-alias") } }),
    ...(redirectsWww === true && {
      www: { code: settings.httpRedirectCode, field: field("from-to-www-redirect") },
    }),
  }
}

function nothingOf(root: RouteClaim): Claims {
  return { root, isCatchAll: false, rules: [] }
}

function isForbidden({ defaultBackend }: Ingress, options: TranslateOptions, complain: Complain): boolean {
  if (!options.disableCatchAll || defaultBackend === undefined) return false
  const message = "Cannot use the Ingress: --disable-catch-all leaves out all that have a default backend"
  complain("spec.defaultBackend", "catch-all-disabled", message)
  return true
}
