import { eventReason, type ProblemCode, problemFamilies } from "../../controller/model/problems/catalogue.ts"
import type { ProblemEntry } from "../../controller/model/problems/entry.ts"
import { anchored, code, linksTo, table } from "./markdown.ts"

const heads = ["code", "severity", "what it means", "what to do"]

/** Text of docs/reference/problems.md. */
export function problemsPage(): string {
  const sections = Object.entries(problemFamilies).map(([title, family]) => section(title, family))
  return `# Problems

Printed by \`npm run docs\` from \`controller/model/problems/\`. A Problem says that an object is wrong: which object, which field, one of the codes
below, and a sentence with the names and values in question. Everything else keeps working.

- Log: one line "Problem" when it appears, with \`object\` (\`kind\`, \`namespace\`, \`name\`), \`field\`, \`code\`, \`severity\`, \`detail\` and \`remedy\`; its level is \`error\`, \`warn\` or \`info\`, as the severity; one line "Problem settled" when it is gone.
- Metric: \`wick_problems{code="…"}\` counts those that stand.
- Events: a Warning on the object. The reason is the code in another spelling, such as \`${eventReason("path-taken")}\` for \`path-taken\`; about annotations it is
  \`AnnotationParsingFailed\`.

Severity: \`error\`: something is left out, closed, or will be refused by clients. \`warning\`: it works, but not as it was written, or not for long.
\`info\`: nothing is lost.

Each code is also the name of an anchor, as in [problems.md#path-taken](#path-taken); \`wick problem CODE\` prints the same. By what they are about:
${linksTo(Object.keys(problemFamilies)).join(" · ")}

${sections.join("\n\n")}
`
}

function section(title: string, family: Readonly<Partial<Record<ProblemCode, ProblemEntry>>>): string {
  const rows = Object.entries(family).map(([name, entry]) => row(name, entry))
  return `## ${title}\n\n${table(heads, rows)}`
}

function row(name: string, { severity, meaning, remedy }: ProblemEntry): string[] {
  return [anchored(name, code(name)), severity, meaning, remedy]
}
