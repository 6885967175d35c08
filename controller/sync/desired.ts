import { keyOf, keyProblem } from "../core/options/configmap.ts"
import type { Options } from "../core/options/flags.ts"
import type { Settings } from "../core/options/settings.ts"
import { type TranslateOptions, type Translation, Translator } from "../core/translate/translate.ts"
import type { Names } from "../facts/names/names.ts"
import type { Stapling } from "../facts/ocsp/stapling.ts"
import type { BalancingPolicies, WantedPolicies } from "../facts/policies/policies.ts"
import type { RuleSets } from "../facts/rule-sets/rule-sets.ts"
import type { TlsFacts } from "../facts/secrets/authorities.ts"
import type { Capabilities } from "../model/capabilities.ts"
import type { Certificate } from "../model/certificate.ts"
import { type Facts, noFacts } from "../model/facts.ts"
import type { Fixed, Model } from "../model/model.ts"
import type { ObjectStatus } from "../model/object-status.ts"
import type { ConfigMap } from "../model/objects/config-map.ts"
import { qualifiedName } from "../model/objects/object.ts"
import type { Observed } from "../model/observed.ts"
import type { Problem } from "../model/problem.ts"
import type { Snapshot } from "../model/snapshot.ts"
import type { AuditLogKeeper } from "../output/plane/audit-log-keeper.ts"
import { reached } from "../support/stages.ts"
import type { CheckedLocations } from "./checked-locations.ts"
import type { CheckedPorts } from "./checked-ports.ts"
import type { CheckedSettings } from "./checked-settings.ts"
import { FormerIngresses } from "./former-ingresses.ts"
import { withOwnBackend, withOwnRoutes } from "./own-routes.ts"
import type { TicketKeys } from "./ticket-keys.ts"
import { withoutPorts } from "./without-ports.ts"

export interface DesiredOptions {
  /** what DNS knows of the names that Services bear */
  readonly names: Pick<Names, "answers" | "want" | "learn">
  /** what Secrets bring for TLS */
  readonly secrets: TlsFacts
  /** what OCSP has to say of the certificates that are served */
  readonly stapling: Pick<Stapling, "states" | "want">
  /** the balancing policies that the operator allows */
  readonly policies: Pick<BalancingPolicies, "want" | "states" | "problems">
  /** the databases by which clients are found */
  readonly geo: { readonly want: (isWanted: boolean) => void; readonly problems: () => readonly Problem[] }
  /** rules that look at requests */
  readonly ruleSets: Pick<RuleSets, "want" | "learn" | "states">
  /** what those rules log */
  readonly auditLog: AuditLogKeeper
  readonly ticketKeys: Pick<TicketKeys, "withFormer">
  readonly translateOptions: TranslateOptions
  readonly configmap: Options["configmap"]
  /** `--health-check-path` */
  readonly healthPath: string
  /** `--default-server-port` */
  readonly defaultServerPort: number
  /** of nginx */
  readonly capabilities: Capabilities
}

/** What nginx should serve. */
export interface Desired {
  readonly settings: Settings
  readonly model: Model
  /** what is wrong with the objects, what nginx refused before included */
  readonly problems: readonly Problem[]
  readonly observed: Observed
  /** what is said of the objects in their status, once that is in force */
  readonly statuses: readonly ObjectStatus[]
}

const none: readonly Certificate[] = []

/** Objects → settings → facts → model: everything of a pass that comes before nginx is involved. */
export class DesiredState {
  readonly #with: DesiredOptions
  readonly #settings: Pick<CheckedSettings, "read">
  readonly #locations: Pick<CheckedLocations, "leaveOut">
  readonly #ports: Pick<CheckedPorts, "look" | "leaveOut">
  readonly #translator: Translator
  readonly #former = new FormerIngresses()
  #facts: Facts = noFacts

  constructor(
    options: DesiredOptions,
    settings: Pick<CheckedSettings, "read">,
    locations: Pick<CheckedLocations, "leaveOut">,
    ports: Pick<CheckedPorts, "look" | "leaveOut">,
  ) {
    this.#with = options
    this.#settings = settings
    this.#locations = locations
    this.#ports = ports
    this.#translator = new Translator(options.translateOptions)
  }

  /** @param nameWaitMs how long it may wait for what DNS says of new names: a Service that changes its name must not be without endpoints meanwhile */
  async of(objects: Snapshot, nameWaitMs: number): Promise<Desired> {
    const { ports, endpoints } = this.#with.translateOptions
    const { httpPort, httpsPort } = ports
    const { settings, problems: wrongSettings } = this.#settings.read(this.#configMap(objects), {
      configMap: (name) => objects.configMaps.get(name),
      secret: (name) => objects.secrets.get(name),
      capabilities: this.#with.capabilities,
      ports: new Set([httpPort, httpsPort]),
      ownPorts: endpoints.ownPorts.difference(new Set([httpPort, httpsPort])),
    })
    const served = await this.#learn(objects, settings, nameWaitMs)
    reached("facts")
    const translated = this.#translate(served, settings)
    await this.#ports.look(translated.model.fixed)
    const { model, problems: wrongPorts } = this.#ports.leaveOut(translated.model, translated)
    reached("translated")
    const wrongPolicies = this.#with.policies.problems()
    const wrongLog = this.#auditLogProblems(objects, settings)
    return {
      settings,
      model,
      problems: [
        ...objects.problems,
        ...wrongSettings,
        ...wrongPolicies,
        ...this.#with.geo.problems(),
        ...wrongLog,
        ...translated.problems,
        ...wrongPorts,
      ],
      observed: translated.observed,
      statuses: withoutPorts(translated.statuses, [...translated.problems, ...wrongPorts]),
    }
  }

  /** What the configuration of the last pass's objects would be with other settings, whatever else has come to be known. */
  fixedWith(objects: Snapshot, settings: Settings): Fixed {
    const served = this.#former.in(objects)
    return this.#ports.leaveOut(this.#translate(served, settings).model).model.fixed
  }

  /** Finds out what is known now. @returns the objects to be served: of those that get their first rules the former ones until these are checked */
  async #learn(objects: Snapshot, settings: Settings, nameWaitMs: number): Promise<Snapshot> {
    const { names, secrets, stapling, policies: balancing, geo, ruleSets } = this.#with
    await secrets.read(objects)
    const tlsSecrets = secrets.states()
    balancing.want(wantedPolicies(objects, settings))
    geo.want(settings.usesGeoip2)
    const policies = balancing.states()
    const before = { tlsSecrets, policies, ruleSets: ruleSets.states() }
    const wanted = this.#translator.wantedFacts(objects, before, settings)
    ruleSets.want(wanted.ruleSets)
    names.want(wanted.names, !settings.disableIpv6Dns)
    stapling.want(settings.staplesOcsp ? wanted.certificates : none)
    await Promise.all([names.learn(nameWaitMs), ruleSets.learn(nameWaitMs)])
    const ocsp = settings.staplesOcsp ? stapling.states() : noFacts.ocsp
    this.#facts = { names: names.answers(), tlsSecrets, ocsp, policies, ruleSets: ruleSets.states() }
    return this.#former.among(objects, wanted.ruleSets, this.#facts.ruleSets)
  }

  #translate(objects: Snapshot, settings: Settings): Translation {
    const { ticketKeys } = this.#with
    const translation = this.#translator.translate(objects, this.#facts, settings)
    const { model, problems } = this.#locations.leaveOut(translation.model)
    return {
      ...translation,
      model: ticketKeys.withFormer(this.#withOwn(model), Date.now()),
      problems: [...translation.problems, ...problems],
    }
  }

  #withOwn(model: Model): Model {
    const { healthPath, defaultServerPort } = this.#with
    return withOwnBackend(withOwnRoutes(model, healthPath), defaultServerPort)
  }

  #auditLogProblems(objects: Snapshot, settings: Settings): readonly Problem[] {
    const { auditLog } = this.#with
    auditLog.follow(settings.modsecurityAuditLog, settings.modsecurityAuditLogMaxBytes)
    const configMap = this.#configMap(objects)
    if (auditLog.fault === undefined || configMap === undefined) return []
    const state = `cannot be used: ${auditLog.fault}; what rules of ModSecurity log is lost`
    return [keyProblem(configMap, keyOf("modsecurityAuditLog"), "modsecurity-audit-log", state)]
  }

  #configMap({ configMaps }: Snapshot): ConfigMap | undefined {
    const { configmap } = this.#with
    return configmap && configMaps.get(qualifiedName(configmap))
  }
}

function wantedPolicies({ configMaps }: Snapshot, settings: Settings): WantedPolicies {
  const { policiesConfigMap: named } = settings
  return {
    allowed: settings.allowedPolicies,
    publicKey: settings.policiesPublicKey,
    configMap: named && configMaps.get(qualifiedName(named)),
    maxFaults: settings.policyMaxFaults,
  }
}
