import type { Becomes, Row } from "../../controller/core/snippets/rows.ts"
import { directiveFamilies } from "../../controller/core/snippets/table.ts"
import { code, linksTo, table } from "./markdown.ts"

const heads = ["directive", "where", "becomes", "remark"]

const words: Readonly<Record<Becomes, string>> = {
  data: "data",
  idle: "nothing",
  typed: "printed",
  raw: "text",
  refused: "refused",
}

/** Text of docs/reference/snippets.md. */
export function snippetsPage(): string {
  const sections = Object.entries(directiveFamilies).map(
    ([title, rows]) => `## ${title}\n\n${table(heads, rows.map(row))}`,
  )
  return `# Directives of snippets

Printed by \`npm run docs\` from \`controller/core/snippets/table.ts\`, which a test holds against nginx's own tables. What becomes of each directive of nginx in a snippet:

- **data**: a part of the path's or host's record. A change is in force without a reload.
- **nothing**: it is understood, and makes no difference to what hands requests on to backends.
- **printed**: written anew from what was read, which takes one reload. No text of the snippet reaches nginx.conf.
- **text**: only as the text that it is, where snippets may have any.
- **refused**: not in force. The Problem says why; where it may keep requests out, what it would guard is closed.

\`add_header\` and its like are data inside of an \`if\`, too; what is printed has no effect there and is refused. Modules that ingress-nginx has and wick does not, as that for Lua, are refused with what to write instead.

${linksTo(Object.keys(directiveFamilies)).join(" · ")}

${sections.join("\n\n")}
`
}

function row({ name, contexts, becomes, reason, instead }: Row): string[] {
  const remark = [reason, instead === undefined ? undefined : `instead: ${instead}`]
  return [code(name), contexts.join(", "), words[becomes], remark.filter((it) => it !== undefined).join("; ")]
}
