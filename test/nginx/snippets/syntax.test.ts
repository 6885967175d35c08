// What is text of nginx's configuration, and what is none: wick's reader says what nginx says.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parseNginxSyntax } from "../../../controller/core/snippets/syntax.ts"
import { checkConf } from "../../../harness/nginx.ts"
import { Random } from "../../../harness/random.ts"
import { runs } from "../../support/runs.ts"

/** Directives without a meaning that a change of a few characters could spoil. */
const text = `set $a "one two"; # comment
if ($http_x = 'y') {
  set $b a\\;b;
  set $c \${a}x"y;
}
set $d '\\'"';
`

const pieces = [
  '"',
  "'",
  "\\",
  "{",
  "}",
  ";",
  "#",
  " ",
  "\n",
  "$",
  "${",
  "\t",
  "a",
  "()",
  "\\\\",
  "\\n",
  "\r",
  "a;",
]

test("a text that a few characters spoil is taken by both or by neither", async () => {
  const seen = { none: 0, syntax: 0, meaning: 0 }
  for (let seed = 0; seed < runs(100).numRuns; seed++) {
    const spoilt = spoil(text, new Random(seed))
    const fault = await faultOf(spoilt)
    seen[fault] += 1
    // nginx stops at the first mistake, and one of meaning says nothing about what follows.
    if (fault === "meaning") continue
    expect({ seed, spoilt, isRead: isRead(spoilt) }).toEqual({ seed, spoilt, isRead: fault === "none" })
  }
  expect(Math.min(seen.none, seen.syntax)).toBeGreaterThan(5)
})

function spoil(whole: string, random: Random): string {
  const count = 1 + random.below(3)
  return Array.from({ length: count }).reduce((it: string) => {
    const at = random.below(it.length)
    const piece = pieces[random.below(pieces.length)] ?? ""
    return it.slice(0, at) + piece + it.slice(at + random.below(3))
  }, whole)
}

function isRead(it: string): boolean {
  try {
    parseNginxSyntax(it)
    return true
  } catch {
    return false
  }
}

/** Mistakes in words, quotes and blocks; all others are of what directives mean. */
const ofSyntax = /\[emerg\] \d+#\d+: (unexpected (?!"[^"]*" in condition)|too long parameter)/

async function faultOf(it: string): Promise<"none" | "syntax" | "meaning"> {
  const { ok, output } = await checkConf(({ dir, port }) => {
    // In a file of its own it has to end what it begins.
    writeFileSync(join(dir, "snippet.conf"), it)
    return { http: `server { listen 127.0.0.1:${port}; location / { include ${dir}/snippet.conf; } }` }
  })
  if (ok) return "none"
  return ofSyntax.test(output) ? "syntax" : "meaning"
}
