import { isDeepStrictEqual } from "node:util"
import { noCapabilities } from "../../model/capabilities.ts"
import { fieldPath } from "../../model/field-path.ts"
import { trustsEverybody } from "../../model/http/requests.ts"
import type { ConfigMap } from "../../model/objects/config-map.ts"
import { nameOf } from "../../model/objects/object.ts"
import type { Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import { shown } from "../../model/shown.ts"
import { compareText } from "../../support/order.ts"
import { type ClosedByKeys, noObjects } from "./key.ts"
import { type Key, keys, unneededKeys } from "./key-table.ts"
import { unusedKeys } from "./keys/unused.ts"
import { corrections, type Surroundings } from "./rules.ts"
import type { Settings } from "./settings.ts"
import { judgeSnippets, type SnippetFault } from "./snippet-faults.ts"

const byName: ReadonlyMap<string, Key> = new Map(keys.map((key) => [key.name, key]))
const unneeded: ReadonlySet<string> = new Set(unneededKeys.map(({ name }) => name))

const nothingAround: Surroundings = { ...noObjects, capabilities: noCapabilities }

/** The settings of an empty ConfigMap. */
export const defaultSettings = Object.freeze({
  ...Object.fromEntries(keys.map((key) => [key.field, key.initial])),
  closedByKeys: [],
}) as unknown as Settings

/**
 * Reads the ConfigMap that `--configmap` names. Pure. Key names match in any case, as ingress-nginx has it.
 *
 * @param configMap absent when there is none: then `lastGood` stays in force, so that a deletion by mistake changes nothing
 * @param lastGood  what a key with an unusable value keeps; the defaults at the start
 * @returns Problems: one for each unusable value, unknown key and key without effect
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
  const snippets = judgeSnippets(asked, lastGood, around)
  const closing = guardsOf(snippets.faults)
  const doesClose = asked.unsupportedGuards === "close"
  const problems = [
    ...entries.flatMap((entry) => entry.problem ?? []),
    ...snippets.faults.flatMap((fault) => snippetProblem(configMap, fault)),
    ...closing.map((it) => guardProblem(configMap, it, doesClose)),
    ...believedFromEverybody(asked, configMap),
    ...instead.map(({ field, state }) => keyProblem(configMap, keyOf(field), "value-corrected", state)),
  ]
  return {
    settings: {
      ...Object.assign(asked, ...instead.map(({ setting }) => setting), snippets.setting),
      closedByKeys: doesClose ? [...new Set(closing.map(({ closes }) => closes))].sort() : [],
    },
    problems: problems.sort((a, b) => compareText(a.field, b.field)),
  }
}

/** A key that is in force in part, or not at all, and may keep requests out. */
interface FoundGuard {
  readonly key: string
  readonly closes: ClosedByKeys
  /** what is said of the key */
  readonly state: string
  /** what of its value may */
  readonly by: string
}

function guardsOf(faults: readonly SnippetFault[]): readonly FoundGuard[] {
  return faults
    .filter(({ mayGuard }) => mayGuard)
    .map(({ field, what }) => {
      const state = "is not in force as a whole, and may keep requests out"
      const closes = field === "globalAuthSnippet" ? "asked-about" : "all"
      return { key: keyOf(field), closes, by: what, state }
    })
}

/** Faults that may keep requests out are told with what they close. */
function snippetProblem(configMap: ConfigMap, fault: SnippetFault): readonly Problem[] {
  const { field, what, mayGuard, keepsLast } = fault
  if (mayGuard) return []
  const state = keepsLast
    ? `cannot be used, so the value before it stays in force: ${what}`
    : `is used in part: ${what}`
  return [keyProblem(configMap, keyOf(field), keepsLast ? "value-refused" : "value-cut", state)]
}

/** Requests are refused for want of a text that nginx has refused. @param by what of it may keep them out */
export function refusedGuardProblem(
  configMap: ConfigMap,
  key: string,
  by: string,
  doesClose: boolean,
): Problem {
  const state = "is refused by nginx and may keep requests out"
  return guardProblem(configMap, { key, closes: "all", by, state }, doesClose)
}

const outcomes: Readonly<Record<ClosedByKeys, string>> = {
  all: "requests get 503 on all paths of all Ingresses",
  "asked-about": 'requests get 503 on the paths that "global-auth-url" is asked about',
}

function guardProblem(configMap: ConfigMap, guard: FoundGuard, doesClose: boolean): Problem {
  const { key, closes, by } = guard
  const state = `${guard.state}: ${by}`
  return doesClose
    ? keyProblem(configMap, key, "key-guard-closes", `${state}; ${outcomes[closes]}`)
    : keyProblem(configMap, key, "guard-ignored", `${state}; requests are let in, as unsupported-guards says`)
}

/** What one entry of the ConfigMap comes to. */
interface Entry {
  readonly setting?: Partial<Settings>
  readonly problem?: Problem
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
  const unused = unusedKeys[name]
  if (unused !== undefined)
    return { problem: keyProblem(configMap, written, "key-without-effect", `has no effect: ${unused}`) }
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

/** A default that opens is no good value, and neither is what closed before. */
function instead({ whenRefused, initial }: Key, good: Settings[keyof Settings]) {
  const isClosing =
    whenRefused !== undefined &&
    (isDeepStrictEqual(good, initial) || isDeepStrictEqual(good, whenRefused.value))
  return isClosing
    ? { kept: whenRefused.value, state: whenRefused.state }
    : { kept: good, state: keeping(good, initial) }
}

/** What becomes of a key whose value is refused. */
function keeping(kept: unknown, initial: unknown): string {
  if (kept === undefined || kept === null) return "has no effect"
  const applies = isDeepStrictEqual(kept, initial)
    ? "its default applies"
    : "the value before it stays in force"
  return `cannot be used, so ${applies}`
}

function believedFromEverybody(settings: Settings, configMap: ConfigMap): readonly Problem[] {
  const { usesForwardedHeaders, trustedProxies } = settings
  if (!usesForwardedHeaders || trustedProxies === null || !trustsEverybody({ trustedProxies })) return []
  const networks = `${keyOf("trustedProxies")} is ${trustedProxies.join(",")}`
  const state = `trusts X-Forwarded-For, -Host, -Proto and -Port of every client, because ${networks}: clients that reach wick without the proxy choose their route, scheme and address; list the addresses of your proxies there`
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
