import { referencesIn } from "../controller/core/annotations/references.ts"
import { rememberingConfigSnippets } from "../controller/core/options/config-snippets.ts"
import { parseSettings } from "../controller/core/options/configmap.ts"
import { type Options, parseFlags } from "../controller/core/options/flags.ts"
import { referencesInSettings } from "../controller/core/options/references.ts"
import { referencesInStreams } from "../controller/core/streams/references.ts"
import { type Translation, Translator, translateOptions } from "../controller/core/translate/translate.ts"
import { SecretsAndAuthorities } from "../controller/facts/secrets/authorities.ts"
import { type Known, knownOf } from "../controller/facts/secrets/secrets.ts"
import type { Change } from "../controller/input/provider/source.ts"
import { Store, type StoreOptions } from "../controller/input/store/store.ts"
import { allCapabilities } from "../controller/model/capabilities.ts"
import { type Facts, noFacts } from "../controller/model/facts.ts"
import type { NameAnswer } from "../controller/model/name-answer.ts"
import type { Ingress } from "../controller/model/objects/ingress.ts"
import type { GatewayRoute } from "../controller/model/objects/object.ts"
import { parseObject } from "../controller/model/objects/parse.ts"
import type { Secret } from "../controller/model/objects/secret.ts"
import type { PolicyState } from "../controller/model/policy-state.ts"
import type { TlsSecretState } from "../controller/model/tls-secret.ts"

/** Age of objects without creationTimestamp. */
const firstSeenMs = Date.UTC(2026, 2, 1)

/** The Pod of the controller. */
const pod = { namespace: "ingress-nginx", name: "controller-0" }

/** @param args as on the command line */
export function optionsOf(args: readonly string[]): Options {
  const command = parseFlags(args)
  if (command.kind !== "run") throw new Error(`${args}: ${JSON.stringify(command)}`)
  return command.options
}

/** An empty store, as the controller has it under these options. */
export function storeWith(options: Options): Store {
  return new Store(storeOptions(options))
}

function storeOptions(options: Options): StoreOptions {
  const referencesOf = (object: Ingress | GatewayRoute) => referencesIn(object, options.annotationsPrefix)
  const reportsUnassigned = options.manifests !== ""
  return {
    ...options,
    pod,
    readsClasses: true,
    reportsUnassigned,
    referencesOf,
    referencesOfSettings: referencesInSettings,
    referencesOfStreams: referencesInStreams,
  }
}

/** @param origin where the object was written */
export function changesOf(value: unknown, origin: string): Change[] {
  const parsed = parseObject(value, { origin, firstSeenMs: () => firstSeenMs })
  if (parsed.kind === "ignored") throw new Error(`${origin} holds an object that nobody reads`)
  const problems: Change = { kind: "problems", origin: JSON.stringify(value), problems: parsed.problems }
  return parsed.kind === "object" ? [{ kind: "set", object: parsed.object }, problems] : [problems]
}

type Names = Readonly<Record<string, NameAnswer>>
type Policies = Readonly<Record<string, PolicyState>>

/** Pass after pass over objects that come and go. */
export class Passes {
  readonly #store: Store
  #secrets: ReadonlyMap<string, Known> = new Map()
  readonly #options: Options
  readonly #names: ReadonlyMap<string, NameAnswer>
  readonly #policies: Facts["policies"]
  readonly #translator: Translator
  readonly #authorities = new SecretsAndAuthorities()
  readonly #compileTexts = rememberingConfigSnippets()

  /** @param names what DNS says @param policies what is known of balancing policies */
  constructor(options: Options, names: Names = {}, policies: Policies = {}) {
    this.#store = storeWith(options)
    this.#options = options
    this.#names = new Map(Object.entries(names))
    this.#policies = new Map(Object.entries(policies))
    this.#translator = new Translator(translateOptions(options))
  }

  apply(changes: readonly Change[]): void {
    this.#store.apply(changes)
  }

  /** What the controller makes of the objects, with the Problems of all its parts. */
  translation(): Translation {
    const { configmap } = this.#options
    const objects = this.#store.snapshot()
    const tlsSecrets = this.#readSecrets(this.#authorities.of(objects))
    const facts: Facts = { ...noFacts, names: this.#names, policies: this.#policies, tlsSecrets }
    const name = configmap && `${configmap.namespace}/${configmap.name}`
    const { settings, problems } = parseSettings(
      name === undefined ? undefined : objects.configMaps.get(name),
      undefined,
      {
        configMap: (other) => objects.configMaps.get(other),
        secret: (other) => objects.secrets.get(other),
        capabilities: allCapabilities,
        compileTexts: this.#compileTexts,
      },
    )
    const translation = this.#translator.translate(objects, facts, settings)
    return { ...translation, problems: [...objects.problems, ...problems, ...translation.problems] }
  }

  /** At the age of objects that say nothing of theirs. */
  #readSecrets(secrets: ReadonlyMap<string, Secret>): ReadonlyMap<string, TlsSecretState> {
    const before = this.#secrets
    this.#secrets = new Map(
      [...secrets].map(([name, secret]) => [name, knownOf(secret, before.get(name), firstSeenMs)]),
    )
    return new Map([...this.#secrets].map(([name, { state }]) => [name, state]))
  }
}

/**
 * What the controller makes of these objects, as one pass does; with the Problems of all its parts.
 *
 * @param names what DNS says
 * @param policies what is known of balancing policies
 */
export function translationOf(
  changes: readonly Change[],
  options: Options,
  names: Names = {},
  policies: Policies = {},
): Translation {
  const passes = new Passes(options, names, policies)
  passes.apply(changes)
  return passes.translation()
}
