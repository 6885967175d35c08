import { parseObject } from "../../controller/objects/parse.ts"
import { parseSettings } from "../../controller/options/configmap.ts"
import { type Options, parseFlags } from "../../controller/options/flags.ts"
import type { NameAnswer } from "../../controller/store/snapshot.ts"
import { Store, type StoreOptions } from "../../controller/store/store.ts"
import { type Translation, translate, translateOptions } from "../../controller/translate/translate.ts"
import type { Change } from "../../controller/watch/source.ts"

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

function storeOptions(options: Options): StoreOptions {
  return { ...options, pod, reportsUnclaimed: options.manifests !== "" }
}

/** @param origin where the object was written */
export function changesOf(value: unknown, origin: string): Change[] {
  const parsed = parseObject(value, { origin, firstSeenMs: () => firstSeenMs })
  if (parsed.kind === "ignored") throw new Error(`${origin} holds an object that nobody reads`)
  const problems: Change = { kind: "problems", origin: JSON.stringify(value), problems: parsed.problems }
  return parsed.kind === "object" ? [{ kind: "set", object: parsed.object }, problems] : [problems]
}

/**
 * What the controller makes of these objects, as one pass does; with the Problems of all its parts.
 *
 * @param names what DNS says
 */
export function translationOf(
  changes: readonly Change[],
  options: Options,
  names: Readonly<Record<string, NameAnswer>> = {},
): Translation {
  const store = new Store(storeOptions(options))
  store.apply(changes)
  const snapshot = { ...store.snapshot(), names: new Map(Object.entries(names)) }
  const name = options.configmap && `${options.configmap.namespace}/${options.configmap.name}`
  const { settings, problems } = parseSettings(name === undefined ? undefined : snapshot.configMaps.get(name))
  const translation = translate(snapshot, settings, translateOptions(options))
  return { ...translation, problems: [...snapshot.problems, ...problems, ...translation.problems] }
}
