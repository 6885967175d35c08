import { shown } from "../../model/shown.ts"
import { actionsIn } from "./actions.ts"
import type { Fault, Statement } from "./statement.ts"

// Ids of rules. libmodsecurity refuses a set in which two SecRule have one id, and takes a SecAction whose id something else has: so does ingress-nginx,
// where snippets say such things as "id:900200" beside the ConfigMap that says it too.

/** Of a rule; of several the last counts. Rules that a chain leads to have none that counts. */
function idOf({ name, words }: Statement): string | undefined {
  if (name.toLowerCase() !== "secrule") return undefined
  const ids = actionsIn(words[2]?.text ?? "").flatMap((action) => /^id:'?(\d+)/i.exec(action)?.[1] ?? [])
  return ids.at(-1)
}

function beginsChain({ name, words }: Statement): boolean {
  const isRule = name.toLowerCase() === "secrule"
  return isRule && actionsIn(words[2]?.text ?? "").some((action) => action.toLowerCase() === "chain")
}

/** Rules of one text whose id another one before them has. */
export function duplicatesIn(statements: readonly Statement[]): readonly Fault[] {
  const lines = new Map<string, number>()
  return statements.flatMap((statement, at) => {
    const before = statements[at - 1]
    const id = before !== undefined && beginsChain(before) ? undefined : idOf(statement)
    if (id === undefined) return []
    const first = lines.get(id)
    if (first === undefined) lines.set(id, statement.line)
    if (first === undefined) return []
    const reason = `${shown(statement.name)}: the rule in line ${first} has the id ${id}, too`
    return [{ line: statement.line, reason, instead: "an id that no other rule has, from 1 to 99999" }]
  })
}

/** The line of a printed text with the rule of this id, from 1; undefined: it has none. */
export function lineOfRule(text: string, id: string): number | undefined {
  const pattern = new RegExp(`^SecRule .*\\bid:'?${id}\\b`, "i")
  const at = text.split("\n").findIndex((line) => pattern.test(line))
  return at === -1 ? undefined : at + 1
}
