import type { Facts } from "../../facts/facts.ts"
import type { Snapshot } from "../../input/store/snapshot.ts"
import type { Backend } from "../../model/backend.ts"
import type { Certificate } from "../../model/certificate.ts"
import { emptyLive, type Model } from "../../model/model.ts"
import type { Observed } from "../../model/observed.ts"
import type { Problem } from "../../model/problem.ts"
import { rememberedLast } from "../../support/incremental/last-result.ts"
import { getOrMake } from "../../support/maps.ts"
import { compareText } from "../../support/order.ts"
import { builtIn } from "../options/algorithm.ts"
import type { Settings } from "../options/settings.ts"
import type { CommonPolicy } from "./backends/chosen-balancing.ts"
import { type DefaultBackend, defaultBackend } from "./backends/default-backend.ts"
import { OwnPlaces } from "./backends/own-places.ts"
import { type Common, Resolutions, type ResolvedBackend } from "./backends/resolved-backends.ts"
import { type Context, contextOf } from "./context.ts"
import { defaultPolicy } from "./default-policy.ts"
import { filesOf, httpOf } from "./http.ts"
import { mergeIngresses } from "./merge.ts"
import { distinctFiles } from "./merged-policies.ts"
import { ObservedPass } from "./observed-pass.ts"
import { destinationProblems } from "./operator-addresses.ts"
import type { TranslateOptions } from "./options.ts"
import { passthroughsOf } from "./passthrough/passthroughs.ts"
import { distinctProblems } from "./problems.ts"
import { Routes } from "./routes/routes.ts"
import { type Stapled, stapled } from "./tls/staples.ts"

export { type TranslateOptions, translateOptions } from "./options.ts"
export { wantedFacts } from "./wanted-facts.ts"

// In come a snapshot of objects, facts that stand in none of them, and what the operator set; out go the model of what nginx should serve and the
// Problems of the objects it was made from. It knows no clock, no file, no log, and nothing of nginx's configuration text or the posted format.

export interface Translation {
  readonly model: Model
  /** in an order that depends on the objects only */
  readonly problems: readonly Problem[]
  readonly observed: Observed
}

/**
 * Translates objects. Pure: equal input gives an equal result, whatever order the objects come in. What depends on objects that kept
 * their identity since an earlier call with the same `options` object is not computed again, and keeps its identity in the model.
 */
export function translate(
  objects: Snapshot,
  facts: Facts,
  settings: Settings,
  options: TranslateOptions,
): Translation {
  const context = contextOf(settings, options)
  const merged = mergeIngresses(objects, facts, context)
  const policy = defaultPolicy(context, facts.policies)
  const common = commonOf(objects, context, policy.common)
  const { resolutions, routes } = getOrMake(passes, context, () => ({
    resolutions: new Resolutions(),
    routes: new Routes(),
  }))
  const resolved = resolutions.update(merged.backends, { objects, names: facts.names, common })
  const byDefault = defaultBackend({ objects, names: facts.names, common })
  const passthroughs = passthroughsOf(merged, resolved, objects)
  const routing = routes.update(merged, resolved, byDefault.resolved)
  const { staples, problems: ocspProblems } = stapledOf(merged.tls.certificates, facts, options)
  const files = distinctFiles([...merged.files, ...filesOf(settings)])
  return {
    model: {
      fixed: {
        http: httpOf(settings, options),
        policies: merged.policies,
        ...(files.length > 0 && { files }),
      },
      live: {
        ...emptyLive,
        certificates: merged.tls.certificates,
        authorities: merged.tls.authorities,
        staples,
        backends: inOrder(resolved, byDefault),
        tlsHosts: merged.tls.tlsHosts,
        addressLists: merged.addressLists,
        userLists: merged.userLists,
        hosts: routing.hosts,
        passthroughs: passthroughs.all,
      },
    },
    problems: [
      ...merged.problems,
      ...merged.tls.problems,
      ...passthroughs.problems,
      ...ocspProblems,
      ...routing.problems,
      ...policy.problems,
      ...destinationProblems(settings, facts.names, common.rules, options),
      ...distinct(resolved, byDefault),
    ],
    observed: new ObservedPass(merged, resolved),
  }
}

/** What is kept from pass to pass. */
interface Passes {
  readonly resolutions: Resolutions
  readonly routes: Routes
}

const passes = new WeakMap<Context, Passes>()

const lastCommon = rememberedLast<TranslateOptions, Common>()

const ownPlaces = new WeakMap<TranslateOptions, OwnPlaces>()

function commonOf(
  objects: Snapshot,
  { settings, options }: Context,
  policy: CommonPolicy | undefined,
): Common {
  const { zone } = objects
  const { serviceUpstream, authNamespaces } = settings
  const rules = getOrMake(ownPlaces, options, () => new OwnPlaces(options)).rules(objects)
  const loadBalance = builtIn(settings.loadBalance)
  return lastCommon(options, [loadBalance, policy, serviceUpstream, authNamespaces, zone, rules], () => ({
    options,
    rules,
    balancing: { loadBalance, ...(policy && { policy }) },
    serviceUpstream,
    authNamespaces,
    zone,
  }))
}

const lastStapled = rememberedLast<TranslateOptions, Stapled>()

function stapledOf(certificates: readonly Certificate[], facts: Facts, options: TranslateOptions): Stapled {
  const inputs = [certificates, facts.ocsp, facts.tlsSecrets]
  return lastStapled(options, inputs, () => stapled(certificates, facts))
}

/** `resolved` is in order already. */
function inOrder(resolved: readonly ResolvedBackend[], byDefault: DefaultBackend): readonly Backend[] {
  const backends = resolved.map(({ backend }) => backend)
  if (byDefault.resolved === undefined) return backends
  return [...backends, byDefault.resolved.backend].sort((a, b) => compareText(a.name, b.name))
}

/** Two backends of one Service see the same slices; what is wrong with those is said once. */
function distinct(resolved: readonly ResolvedBackend[], byDefault: DefaultBackend): readonly Problem[] {
  const all: Problem[] = []
  for (const { problems } of resolved) if (problems.length > 0) all.push(...problems)
  return distinctProblems([...all, ...byDefault.problems])
}
