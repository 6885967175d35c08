import { fieldPath } from "../../model/field-path.ts"
import { trustsEverybody } from "../../model/http/forwarding.ts"
import type { ConfigMap } from "../../model/objects/config-map.ts"
import type { Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import { shown } from "../../model/shown.ts"
import { compareText } from "../../support/order.ts"
import { noObjects } from "./key.ts"
import { type Key, keys, plannedKeys, unneededKeys } from "./key-table.ts"
import { unusedKeys } from "./keys/unused.ts"
import { corrections, type Surroundings } from "./rules.ts"
import type { Settings } from "./settings.ts"

const byName: ReadonlyMap<string, Key> = new Map(keys.map((key) => [key.name, key]))
const unneeded: ReadonlySet<string> = new Set(unneededKeys.map(({ name }) => name))
const idle: ReadonlySet<string> = new Set([...plannedKeys.map(({ name }) => name), ...unusedKeys])

const nothingAround: Surroundings = { ...noObjects, hasBrotli: false }

/** The settings of an empty ConfigMap. */
export const defaultSettings = Object.freeze(
  Object.fromEntries(keys.map((key) => [key.field, key.initial])),
) as unknown as Settings

/**
 * Reads the ConfigMap that `--configmap` names. Pure. Key names match in any case, as ingress-nginx has it.
 *
 * @param configMap absent when there is none: then `lastGood` stays in force, so that a deletion by mistake changes nothing
 * @param lastGood  what a key with an unusable value keeps; the defaults at the start
 * @returns Problems: one for each unusable value and unknown key, one for all keys without effect so far
 */
export function parseSettings(
  configMap: ConfigMap | undefined,
  lastGood: Settings = defaultSettings,
  around: Surroundings = nothingAround,
): { readonly settings: Settings; readonly problems: readonly Problem[] } {
  if (!configMap) return { settings: lastGood, problems: [] }
  const entries = Object.entries(configMap.data).map(([written, text]) =>
    read(written, text, configMap, lastGood, around),
  )
  const asked: Settings = Object.assign({}, defaultSettings, ...entries.map((entry) => entry.setting))
  const instead = corrections(asked, around)
  const idleNames = entries.flatMap((entry) => entry.idle ?? [])
  const problems = [
    ...entries.flatMap((entry) => entry.problem ?? []),
    ...withoutEffect(idleNames, configMap),
    ...believedFromEverybody(asked, configMap),
    ...instead.map(({ field, state }) => keyProblem(configMap, keyOf(field), "value-corrected", state)),
  ]
  return {
    settings: Object.assign(asked, ...instead.map(({ setting }) => setting)),
    problems: problems.sort((a, b) => compareText(a.field, b.field)),
  }
}

/** What one entry of the ConfigMap comes to. */
interface Entry {
  readonly setting?: Partial<Settings>
  readonly problem?: Problem
  /** its name, when the key is known and has no effect */
  readonly idle?: string
}

function read(
  written: string,
  text: string,
  configMap: ConfigMap,
  lastGood: Settings,
  around: Surroundings,
): Entry {
  const name = written.toLowerCase()
  if (name !== written && Object.hasOwn(configMap.data, name))
    return { problem: keyProblem(configMap, written, "key-twice", `is there as ${name} too, which is used`) }
  if (unneeded.has(name)) return {}
  if (idle.has(name)) return { idle: written }
  const key = byName.get(name)
  if (!key)
    return { problem: keyProblem(configMap, written, "key-unknown", "is no key of the configuration") }
  const parsed = key.parse(text, around)
  if (parsed.kind === "value") {
    const { value, remark } = parsed
    const problem =
      remark === undefined
        ? undefined
        : keyProblem(configMap, written, "value-cut", `is used in part: ${remark}`)
    return { setting: { [key.field]: value }, ...(problem && { problem }) }
  }
  const { kept, state } = instead(key, lastGood[key.field])
  return {
    setting: { [key.field]: kept },
    problem: keyProblem(configMap, written, "value-refused", `${state}: ${parsed.reason}`),
  }
}

function instead({ whenRefused }: Key, good: Settings[keyof Settings]) {
  const isClosing = whenRefused !== undefined && (good === undefined || good === whenRefused.value)
  return isClosing
    ? { kept: whenRefused.value, state: whenRefused.state }
    : { kept: good, state: keeping(good) }
}

/** What becomes of a key whose value is refused; files and long lists are not shown. */
function keeping(kept: Settings[keyof Settings]): string {
  if (kept === undefined || kept === null) return "has no effect"
  const isLong = typeof kept === "object" && ["text", "ranges", "authorities"].some((field) => field in kept)
  return isLong ? "keeps the value it had" : `keeps ${JSON.stringify(kept)}`
}

function withoutEffect(names: readonly string[], configMap: ConfigMap): readonly Problem[] {
  if (names.length === 0) return []
  const listed = [...names].sort().join(", ")
  const message = `Keys of the ConfigMap have no effect so far: ${listed}`
  return [{ object: nameOf(configMap), field: "data", code: "key-without-effect", message }]
}

function believedFromEverybody(settings: Settings, configMap: ConfigMap): readonly Problem[] {
  if (!settings.usesForwardedHeaders || !trustsEverybody(settings)) return []
  const networks = `${keyOf("trustedProxies")} is ${settings.trustedProxies.join(",")}`
  const state = `believes X-Forwarded-For, -Host, -Proto and -Port of every client, because ${networks}: whoever reaches wick past the proxy chooses route, scheme and the address that lists and limits go by`
  return [keyProblem(configMap, keyOf("usesForwardedHeaders"), "forwarded-headers-open", state)]
}

/** The name of the key that fills a field. */
export function keyOf(field: keyof Settings): string {
  return keys.find((key) => key.field === field)?.name ?? field
}

/** @param state goes on after the key's name: what is wrong with it, or what is used instead and why */
export function keyProblem(configMap: ConfigMap, key: string, code: ProblemCode, state: string): Problem {
  const field = fieldPath("data", [key])
  return { object: nameOf(configMap), field, code, message: `Key ${shown(key)} ${state}` }
}

function nameOf(configMap: ConfigMap): Problem["object"] {
  return { kind: "ConfigMap", namespace: configMap.meta.namespace, name: configMap.meta.name }
}
