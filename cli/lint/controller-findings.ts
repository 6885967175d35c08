import { isDeepStrictEqual } from "node:util"
import { capabilities } from "../../controller/core/options/capabilities.ts"
import type { Flag } from "../../controller/core/options/flag.ts"
import { flagTable, type Options } from "../../controller/core/options/flag-table.ts"
import { plannedKeys } from "../../controller/core/options/key-table.ts"
import { isOff } from "../../controller/core/options/keys/snippets.ts"
import { fieldPath } from "../../controller/model/field-path.ts"
import { nameOf } from "../../controller/model/objects/object.ts"
import { problemCatalogue } from "../../controller/model/problems/catalogue.ts"
import type { Finding } from "./report.ts"
import type { Surroundings } from "./subject.ts"

// What the old controller was told and wick does not do.

/** Keys without effect. */
export function idleKeys({ configMap }: Surroundings): readonly Finding[] {
  return Object.entries(configMap?.data ?? {}).flatMap(([written, value]) => {
    const key = plannedKeys.find(({ name }) => name === written.toLowerCase())
    if (configMap === undefined || key === undefined || saysNothing(key.name, value)) return []
    const field = fieldPath("data", [written])
    return {
      rule: "key-without-effect",
      relation: "different",
      what: problemCatalogue["key-without-effect"].meaning,
      now: `Key "${written}" has no effect yet: planned with ${capabilities[key.planned]}`,
      change: problemCatalogue["key-without-effect"].remedy,
      evidence: [{ object: nameOf(configMap), field }],
    }
  })
}

/** A switch that is off asks for nothing. */
function saysNothing(name: string, value: string): boolean {
  return value.trim() === "" || (/^(?:enable|use)-/.test(name) && isOff(value))
}

/** Flags that wick takes, and of which it does not do what they ask for. */
export function idleFlags(options: Options, badFlags: readonly string[]): readonly Finding[] {
  const idle = Object.entries<Flag<unknown>>(flagTable).flatMap(([name, { initial, unused }]) => {
    const value = options[camel(name) as keyof Options]
    if (unused === undefined || "unneeded" in unused || isDeepStrictEqual(value, initial)) return []
    const reason = "refused" in unused ? unused.refused : `planned with ${capabilities[unused.planned]}`
    return [`--${name} has no effect: ${reason}`]
  })
  const change = "Remove the flag"
  return [
    ...badFlags.map((now) =>
      ofFlag("flag-refused", now, "Correct or remove the flag: wick does not start with it"),
    ),
    ...idle.map((now) => ofFlag("flag-without-effect", now, change)),
  ]
}

function ofFlag(rule: string, now: string, change: string): Finding {
  const name = /--[\w-]+/.exec(now)?.[0] ?? ""
  const evidence = [{ object: { kind: "Controller", namespace: "", name }, field: "" }]
  return { rule, relation: "different", what: "A flag of the controller", now, change, evidence }
}

function camel(name: string): string {
  return name.replace(/[-_](.)/g, (_, letter: string) => letter.toUpperCase())
}
