import type { Backend } from "../../model/backend.ts"
import type { Authority, Certificate } from "../../model/certificate.ts"
import type { Facts } from "../../model/facts.ts"
import type { Http } from "../../model/http.ts"
import { emptyLive, type Fixed, type Live } from "../../model/model.ts"
import type { ObjectStatus } from "../../model/object-status.ts"
import type { Problem } from "../../model/problem.ts"
import type { ServerBlocks } from "../../model/server-block.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { distinctBy } from "../../support/distinct.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import { MappedList } from "../../support/incremental/mapped-list.ts"
import { RunningSum } from "../../support/incremental/running-sum.ts"
import { withItems } from "../../support/incremental/sorted-list.ts"
import { compareText } from "../../support/order.ts"
import type { Declarations } from "../declared/declarations.ts"
import type { DeclaredHost } from "../declared/host.ts"
import { distinctProblems } from "../declared/problems.ts"
import { builtIn } from "../options/algorithm.ts"
import type { Context } from "../options/context.ts"
import { type Passthroughs, passthroughsOf } from "./aimed-passthroughs.ts"
import {
  type Aim,
  aimsOf,
  certificatesShownBy,
  type Streams,
  streamsOf,
  withoutEndpoint,
} from "./aimed-streams.ts"
import type { CommonPolicy } from "./backends/chosen-balancing.ts"
import { type DefaultBackend, DefaultBackends } from "./backends/default-backend.ts"
import type { OwnPlaces } from "./backends/own-places.ts"
import type { Common } from "./backends/reach.ts"
import { Resolutions, type ResolvedBackend } from "./backends/resolved-backends.ts"
import { DefaultPolicies } from "./default-policy.ts"
import { filesOf, httpOf } from "./http.ts"
import { type Listening, listeningOf } from "./listening.ts"
import { MergedLists } from "./lists.ts"
import { MergedLocations } from "./merged-locations.ts"
import { ObservedPass } from "./observed-pass.ts"
import { destinationProblems } from "./operator-addresses.ts"
import { Routes } from "./routes/routes.ts"
import { RuleCertificates } from "./rule-certificates.ts"
import { rulesChange } from "./rules-change.ts"
import { serverBlocksOf } from "./server-blocks.ts"
import { type DefaultCertificate, defaultCertificate } from "./tls/default-certificate.ts"
import { type Stapled, stapled } from "./tls/staples.ts"
import { type MergedTls, TlsIndex } from "./tls/tls-index.ts"
import type { Translation } from "./translation.ts"
import { type WantedFacts, WantedNames } from "./wanted-names.ts"
import { WantedRuleSets } from "./wanted-rule-sets.ts"

const noStatuses: readonly ObjectStatus[] = []

/** Makes models of what is declared, pass after pass, under one set of settings. What a change does not concern is kept from the pass before. */
export class Assembler {
  readonly #context: Context
  readonly #places: OwnPlaces
  readonly #http: Http
  #hosts: readonly DeclaredHost[] = []
  readonly #ruleLists = new MergedLists()
  readonly #ruleCertificates = new RuleCertificates()
  readonly #ruleLocations = new MergedLocations()
  readonly #tls: TlsIndex
  readonly #defaultCertificate = new LastResult<DefaultCertificate>()
  readonly #wantedNames: WantedNames
  readonly #wantedRuleSets = new WantedRuleSets()
  readonly #policies: DefaultPolicies
  readonly #common = new LastResult<Common>()
  readonly #resolutions = new Resolutions()
  readonly #defaultBackends = new DefaultBackends(this.#resolutions)
  readonly #routes = new Routes()
  readonly #backends = new MappedList<ResolvedBackend, Backend>(byName)
  readonly #allBackends = new LastResult<readonly Backend[]>()
  readonly #backendProblems = new RunningSum<ResolvedBackend>(({ problems }) => problems.length)
  readonly #passthroughs = new LastResult<Passthroughs>()
  readonly #streams = new LastResult<Streams>()
  readonly #aims = new LastResult<readonly Aim[]>()
  readonly #certificates = new LastResult<readonly Certificate[]>()
  readonly #authorities = new LastResult<readonly Authority[]>()
  readonly #listening = new LastResult<Listening>()
  readonly #listeningHttp = new LastResult<Http>()
  readonly #servers = new LastResult<ServerBlocks | undefined>()
  readonly #shown = new LastResult<readonly Certificate[]>()
  readonly #stapled = new LastResult<Stapled>()

  /** @param places knows nothing of settings, and may be older than these */
  constructor(context: Context, places: OwnPlaces) {
    this.#context = context
    this.#places = places
    this.#http = httpOf(context.settings, context.options)
    this.#tls = new TlsIndex(context)
    this.#wantedNames = new WantedNames(context)
    this.#policies = new DefaultPolicies(context)
  }

  /** What names show that have no certificate of their own. The same object while nothing in it changes. */
  defaultCertificate({ tlsSecrets }: Pick<Facts, "tlsSecrets">): DefaultCertificate {
    const { options } = this.#context
    return this.#defaultCertificate.of([tlsSecrets], () => defaultCertificate(options, tlsSecrets))
  }

  /** What has to be found out before the same is assembled. */
  wantedFacts(declared: Declarations, objects: Snapshot, facts: Pick<Facts, "tlsSecrets">): WantedFacts {
    const { certificates } = this.#tls.follow(declared, facts.tlsSecrets, this.defaultCertificate(facts))
    return {
      names: this.#wantedNames.of(declared.backends, objects.services),
      certificates: this.#shownOf(certificates, declared),
      ruleSets: this.#wantedRuleSets.of(declared.hosts),
    }
  }

  assemble(declared: Declarations, objects: Snapshot, facts: Facts): Translation {
    const { settings, options } = this.#context
    this.#followRules(declared.hosts)
    this.#ruleLists.followStreams(declared.streams)
    const tls = this.#tls.follow(declared, facts.tlsSecrets, this.defaultCertificate(facts))
    const policy = this.#policies.among(facts.policies)
    const common = this.#commonOf(declared, objects, policy.common)
    const inputs = { objects, names: facts.names, common }
    const resolved = this.#resolutions.ofAll(declared.backends, inputs)
    const byDefault = this.#defaultBackends.among(inputs)
    const named = [declared.passthroughs, declared.backends, resolved, objects.services]
    const passthroughs = this.#passthroughs.of(named, () => passthroughsOf(declared, resolved, objects))
    const streams = this.#streams.of([declared.streams], () => streamsOf(declared.streams, settings))
    const aims = this.#aims.of([streams, declared.backends], () => aimsOf(streams, declared.backends))
    const listening = this.#listening.of([declared.listeners, declared.streams, streams.ports], () =>
      listeningOf(declared.listeners, streams.ports, declared.streams, options),
    )
    const routing = this.#routes.lead(declared, tls, resolved, byDefault.resolved)
    const { staples, problems: ocspProblems } = this.#stapledOf(
      this.#shownOf(tls.certificates, declared),
      facts,
    )
    const backends = this.#backendsOf(resolved, byDefault.resolved)
    return {
      model: {
        fixed: this.#fixedOf(declared.hosts, listening, streams),
        live: { ...this.#liveOf(tls, passthroughs, streams), staples, backends, hosts: routing.hosts },
      },
      problems: [
        ...[declared, tls, passthroughs, streams].flatMap(({ problems }) => problems),
        ...[...withoutEndpoint(aims, resolved), ...listening.problems],
        ...[...ocspProblems, ...routing.problems, ...policy.problems],
        ...destinationProblems(settings, facts.names, common.rules, options),
        ...this.#problemsOf(resolved, byDefault),
      ],
      observed: new ObservedPass(declared, tls, resolved, streams.all),
      statuses: declared.statuses ?? noStatuses,
      listeners: listening.declared,
      streams: declared.streams,
    }
  }

  #fixedOf(hosts: readonly DeclaredHost[], listening: Listening, streams: Streams): Fixed {
    const servers = this.#servers.of([hosts], () => serverBlocksOf(hosts))
    const files = filesOf(this.#context.settings)
    return {
      http: this.#httpWith(listening),
      locations: this.#ruleLocations.locations,
      ...(servers && { servers }),
      ...(listening.ports.length > 0 && { listeners: listening.ports }),
      ...(streams.ports.length > 0 && { streams: streams.ports }),
      ...(files.length > 0 && { files }),
    }
  }

  /** Of the live half what is neither routes nor backends. */
  #liveOf(
    { certificates, authorities, tlsHosts }: MergedTls,
    passthroughs: Passthroughs,
    streams: Streams,
  ): Live {
    const ofRules = this.#ruleCertificates
    return {
      ...emptyLive,
      certificates: this.#certificates.of([certificates, streams.certificates, ofRules.certificates], () =>
        withMore(certificates, [...streams.certificates, ...ofRules.certificates]),
      ),
      authorities: this.#authorities.of([authorities, streams.authorities, ofRules.authorities], () =>
        withMore(authorities, [...streams.authorities, ...ofRules.authorities]),
      ),
      tlsHosts,
      addressLists: this.#ruleLists.addresses,
      userLists: this.#ruleLists.users,
      passthroughs: passthroughs.all,
      streams: streams.all,
    }
  }

  #httpWith({ clientPorts }: Listening): Http {
    const http = this.#http
    if (clientPorts === undefined) return http
    return this.#listeningHttp.of([http, clientPorts], () => ({
      ...http,
      ports: { ...http.ports, clientPorts },
    }))
  }

  /** What rules bring along. */
  #followRules(hosts: readonly DeclaredHost[]): void {
    if (hosts === this.#hosts) return
    const change = rulesChange(this.#hosts, hosts)
    this.#hosts = hosts
    this.#ruleLocations.followRules(change)
    this.#ruleLists.followRules(change)
    this.#ruleCertificates.followRules(change)
  }

  #commonOf({ streams }: Declarations, objects: Snapshot, policy: CommonPolicy | undefined): Common {
    const { options, settings } = this.#context
    const { zone } = objects
    const { serviceUpstream, authNamespaces } = settings
    const rules = this.#places.rules(objects, streams)
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

  /** What clients are shown in handshakes. @param certificates of hosts */
  #shownOf(
    certificates: readonly Certificate[],
    { streams }: Pick<Declarations, "streams">,
  ): readonly Certificate[] {
    return this.#shown.of([certificates, streams], () => withMore(certificates, certificatesShownBy(streams)))
  }

  #stapledOf(certificates: readonly Certificate[], facts: Facts): Stapled {
    const inputs = [certificates, facts.ocsp, facts.tlsSecrets]
    return this.#stapled.of(inputs, () => stapled(certificates, facts))
  }

  /** In the order of their names, as `resolved` is. */
  #backendsOf(
    resolved: readonly ResolvedBackend[],
    byDefault: ResolvedBackend | undefined,
  ): readonly Backend[] {
    const backends = this.#backends.mapNew(resolved, ({ backend }) => backend)
    if (byDefault === undefined) return backends
    return this.#allBackends.of([backends, byDefault], () =>
      withItems(backends, [byDefault.backend], (a, b) => compareText(a.name, b.name)),
    )
  }

  /** Two backends of one Service see the same slices; what is wrong with those is said once. */
  #problemsOf(resolved: readonly ResolvedBackend[], byDefault: DefaultBackend): readonly Problem[] {
    const areAny = this.#backendProblems.of(resolved) > 0
    const all = areAny ? resolved.filter(({ problems }) => problems.length > 0) : []
    return distinctProblems([...all.flatMap(({ problems }) => problems), ...byDefault.problems])
  }
}

function byName(a: ResolvedBackend, b: ResolvedBackend): number {
  return compareText(a.backend.name, b.backend.name)
}

/** In the order of their ids, each once. The same list where there is nothing more. */
function withMore<T extends { readonly id: string }>(some: readonly T[], more: readonly T[]): readonly T[] {
  if (more.length === 0) return some
  return distinctBy([...some, ...more], ({ id }) => id).toSorted((a, b) => compareText(a.id, b.id))
}
