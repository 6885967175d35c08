// Snippets, damaged, through the compiler: `build/node test/fuzz/snippets.ts SECONDS [SEED]`. They begin as those of the generator that holds them
// against nginx; those that reach code which none has reached before are kept and damaged further. A finding is an exception, steps or settings that a
// record does not take, something printed that nginx would read as something else, a message that could forge lines of a log, or a text that takes
// long. Ends with 1 and the text when there is one.
import { compileSnippet } from "../../controller/core/snippets/compile.ts"
import type { CompileOptions } from "../../controller/core/snippets/compiled.ts"
import { directiveNames } from "../../controller/core/snippets/table.ts"
import { caseOf } from "../nginx/snippets/support/grammar.ts"
import { checkCompiled } from "../support/compiled-snippets.ts"
import { hostile } from "../support/hostile.ts"
import { startCoverage } from "./support/coverage.ts"
import { randomFrom } from "./support/random.ts"

const [seconds = 60, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)

/** Texts between two looks at what was reached. */
const batch = 256
const maxKept = 20_000
/** Of this thread's processor time, for a text of some kilobytes. */
const maxMs = 2000
/** Kept texts grow no further. */
const maxLength = 16_384

const { below, one } = randomFrom(seed)
const places = ["location", "server", "auth", "http", "main", "stream"] as const
const options: CompileOptions = {
  namespace: "shop",
  isVariable: (name) => /^(host|uri|args|scheme|(http|arg|cookie)_\w+)$/.test(name),
  requestZones: new Set(["z"]),
}

const seeds = Array.from({ length: 500 }, (_, nth) => {
  const { server = "", location = "" } = caseOf(nth)
  return `${server}\n${location}`
})
const kept = [...seeds]

const pieces = [
  ...["{", "}", ";", " ", "\n", '"', "'", "\\", "$", "${", "#", "(", ")", "~", "=", "@", "|", "\0", "$1"],
  // what every object of JavaScript has under a name
  ...["constructor", "__proto__", "toString"],
  ...["if ($host) {", "location /a {", "proxy_pass http://cart;", "limit_except GET {", "map $host $a {"],
  ...["valid_referers none a.test;", "deny all;", "return 403;", "more_set_headers", "-s", "always", "10m"],
  ...["off", "$a", "http://"],
  ...hostile,
]

function damaged(text: string): string {
  let it = text
  for (let n = below(4); n >= 0; n -= 1) {
    const at = below(it.length + 1)
    const end = Math.min(it.length, at + below(8))
    it = it.slice(0, at) + inserted() + it.slice(below(3) === 0 ? end : at)
  }
  return it.slice(0, maxLength)
}

function inserted(): string {
  const kind = below(6)
  if (kind === 0) return ""
  if (kind === 1) return `${one(directiveNames)} ${one(pieces)};`
  if (kind > 2) return one(pieces)
  const other = one(kept)
  const from = below(other.length + 1)
  return other.slice(from, from + below(80))
}

/** @throws Error when it is a finding */
function check(text: string): void {
  const startMs = workedMs()
  checkCompiled(compileSnippet(text, one(places), options), text)
  const tookMs = workedMs() - startMs
  if (tookMs > maxMs) throw new Error(`it took ${tookMs} ms of processor time`)
}

function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const reached = await startCoverage()
const until = performance.now() + seconds * 1000
let count = 0
let reachedPlaces = 0
while (performance.now() < until) {
  const texts = Array.from({ length: batch }, () => damaged(one(below(4) === 0 ? seeds : kept)))
  for (const text of texts) {
    try {
      check(text)
    } catch (error) {
      process.stdout.write(
        `snippets: ${(error as Error).stack}\nseed ${seed}, text: ${JSON.stringify(text)}\n`,
      )
      process.exit(1)
    }
    count += 1
  }
  const more = await reached()
  reachedPlaces += more
  if (more > 0 && kept.length < maxKept) kept.push(...texts)
}
process.stdout.write(
  `snippets: ${count} executions in ${seconds} s, seed ${seed}, ${reachedPlaces} places reached, ${kept.length} texts kept, no finding\n`,
)
