import type { Backend } from "../../model/backend.ts"
import type { Certificate } from "../../model/certificate.ts"
import type { Facts } from "../../model/facts.ts"
import { emptyLive } from "../../model/model.ts"
import type { Problem } from "../../model/problem.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import { withItems } from "../../support/incremental/sorted-list.ts"
import { compareText } from "../../support/order.ts"
import { builtIn } from "../options/algorithm.ts"
import type { Settings } from "../options/settings.ts"
import type { CommonPolicy } from "./backends/chosen-balancing.ts"
import { type DefaultBackend, DefaultBackends } from "./backends/default-backend.ts"
import type { OwnPlaces } from "./backends/own-places.ts"
import { type Common, Resolutions, type ResolvedBackend } from "./backends/resolved-backends.ts"
import type { Context } from "./context.ts"
import { DefaultPolicies } from "./default-policy.ts"
import { filesOf, httpOf } from "./http.ts"
import type { UserLists } from "./ingress/user-list.ts"
import { IngressMerger } from "./merge.ts"
import { distinctFiles } from "./merged-policies.ts"
import { ObservedPass } from "./observed-pass.ts"
import { destinationProblems } from "./operator-addresses.ts"
import type { IngressFacts } from "./parsed-ingresses.ts"
import { passthroughsOf } from "./passthrough/passthroughs.ts"
import { distinctProblems } from "./problems.ts"
import { Routes } from "./routes/routes.ts"
import { type Stapled, stapled } from "./tls/staples.ts"
import type { Translation } from "./translation.ts"
import { type WantedFacts, WantedNames } from "./wanted-facts.ts"

/** The passes under one set of settings, and what is remembered from one to the next. */
export class Passes {
  readonly settings: Settings
  readonly #context: Context
  readonly #places: OwnPlaces
  readonly #merger: IngressMerger
  readonly #wantedNames: WantedNames
  readonly #policies: DefaultPolicies
  readonly #common = new LastResult<Common>()
  readonly #resolutions = new Resolutions()
  readonly #defaultBackends = new DefaultBackends(this.#resolutions)
  readonly #routes = new Routes()
  readonly #stapled = new LastResult<Stapled>()

  /** @param places, users know nothing of settings, and may be older than these */
  constructor(context: Context, places: OwnPlaces, users: UserLists) {
    this.settings = context.settings
    this.#context = context
    this.#places = places
    this.#merger = new IngressMerger(context, users)
    this.#wantedNames = new WantedNames(context)
    this.#policies = new DefaultPolicies(context)
  }

  wantedFacts(objects: Snapshot, facts: IngressFacts): WantedFacts {
    const { backends, tls } = this.#merger.merge(objects, facts)
    return { names: this.#wantedNames.of(backends, objects.services), certificates: tls.certificates }
  }

  translate(objects: Snapshot, facts: Facts): Translation {
    const { settings, options } = this.#context
    const merged = this.#merger.merge(objects, facts)
    const policy = this.#policies.among(facts.policies)
    const common = this.#commonOf(objects, policy.common)
    const inputs = { objects, names: facts.names, common }
    const resolved = this.#resolutions.ofAll(merged.backends, inputs)
    const byDefault = this.#defaultBackends.among(inputs)
    const passthroughs = passthroughsOf(merged, resolved, objects)
    const routing = this.#routes.lead(merged, resolved, byDefault.resolved)
    const { staples, problems: ocspProblems } = this.#stapledOf(merged.tls.certificates, facts)
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

  #commonOf(objects: Snapshot, policy: CommonPolicy | undefined): Common {
    const { options, settings } = this.#context
    const { zone } = objects
    const { serviceUpstream, authNamespaces } = settings
    const rules = this.#places.rules(objects)
    const loadBalance = builtIn(settings.loadBalance)
    return this.#common.of([policy, zone, rules], () => ({
      options,
      rules,
      balancing: { loadBalance, ...(policy && { policy }) },
      serviceUpstream,
      authNamespaces,
      zone,
    }))
  }

  #stapledOf(certificates: readonly Certificate[], facts: Facts): Stapled {
    const inputs = [certificates, facts.ocsp, facts.tlsSecrets]
    return this.#stapled.of(inputs, () => stapled(certificates, facts))
  }
}

/** `resolved` is in order already. */
function inOrder(resolved: readonly ResolvedBackend[], byDefault: DefaultBackend): readonly Backend[] {
  const backends = resolved.map(({ backend }) => backend)
  if (byDefault.resolved === undefined) return backends
  return withItems(backends, [byDefault.resolved.backend], (a, b) => compareText(a.name, b.name))
}

/** Two backends of one Service see the same slices; what is wrong with those is said once. */
function distinct(resolved: readonly ResolvedBackend[], byDefault: DefaultBackend): readonly Problem[] {
  const some = resolved.filter(({ problems }) => problems.length > 0)
  return distinctProblems([...some.flatMap(({ problems }) => problems), ...byDefault.problems])
}
