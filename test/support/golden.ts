import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseAllDocuments } from "yaml"
import { parseObject } from "../../controller/objects/parse.ts"
import { parseSettings } from "../../controller/options/configmap.ts"
import { type Options, parseFlags } from "../../controller/options/flags.ts"
import { Store, type StoreOptions } from "../../controller/store/store.ts"
import { type Translation, translate, translateOptions } from "../../controller/translate/translate.ts"
import type { Change } from "../../controller/watch/source.ts"

/** Folder of the cases: `<family>/<case>/in.yaml` and, when flags matter, `options.json`; `base.yaml` holds what all share. */
export const golden = join(import.meta.dirname, "../golden")
export const cases: readonly string[] = globSync("*/*/in.yaml", { cwd: golden }).map(dirname).sort()

/** Age of objects without creationTimestamp. */
const firstSeenMs = Date.UTC(2026, 2, 1)

/** The Pod of the controller. */
const pod = { namespace: "ingress-nginx", name: "controller-0" }

function optionsOf(folder: string): Options {
  const file = join(folder, "options.json")
  return flags(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).flags : [])
}

function flags(args: readonly string[]): Options {
  const command = parseFlags(args)
  if (command.kind !== "run") throw new Error(`${args}: ${JSON.stringify(command)}`)
  return command.options
}

function storeOptions(options: Options): StoreOptions {
  return { ...options, pod, reportsUnclaimed: options.manifests !== "" }
}

function changesOf(file: string): Change[] {
  return parseAllDocuments(readFileSync(file, "utf8")).flatMap((document): Change[] => {
    const value: unknown = document.toJS()
    if (value === null) return []
    const origin = file.slice(golden.length + 1)
    const parsed = parseObject(value, { origin, firstSeenMs: () => firstSeenMs })
    if (parsed.kind === "ignored") throw new Error(`${file} holds an object that nobody reads`)
    const problems: Change = {
      kind: "problems",
      origin: JSON.stringify(value),
      problems: parsed.problems,
    }
    return parsed.kind === "object" ? [{ kind: "set", object: parsed.object }, problems] : [problems]
  })
}

/** What the controller makes of one case, or of `base.yaml` alone when `folder` is `golden` itself. */
export function run(folder: string): Translation {
  const options = optionsOf(folder)
  const store = new Store(storeOptions(options))
  store.apply([join(golden, "base.yaml"), join(folder, "in.yaml")].filter(existsSync).flatMap(changesOf))
  const snapshot = store.snapshot()
  const name = options.configmap && `${options.configmap.namespace}/${options.configmap.name}`
  const { settings, problems } = parseSettings(name === undefined ? undefined : snapshot.configMaps.get(name))
  const { model, problems: found } = translate(snapshot, settings, translateOptions(options))
  return { model, problems: [...snapshot.problems, ...problems, ...found] }
}
