import { isDeepStrictEqual } from "node:util"
import type { Flag } from "../../controller/core/options/flag.ts"
import { flagTable, type Options } from "../../controller/core/options/flag-table.ts"
import { camel } from "../../controller/core/options/flags.ts"
import type { Finding } from "./report.ts"

// What the old controller was told and wick does not do.

/** Flags that wick takes, and of which it does not do what they ask for. */
export function idleFlags(options: Options, badFlags: readonly string[]): readonly Finding[] {
  const idle = Object.entries<Flag<unknown>>(flagTable).flatMap(([name, { initial, unused }]) => {
    const value = options[camel(name) as keyof Options]
    if (unused === undefined || "unneeded" in unused || isDeepStrictEqual(value, initial)) return []
    return [`--${name} has no effect: ${unused.refused}`]
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
