// Looks for requests that wick, a backend and an authentication service read in different ways: on 510,000 connections by default, which is a million requests,
// or as many as the first argument says, from the seed on that the second one says. Writes test/one-reading/results.md, unless there is a second argument.
// `build/node test/one-reading/run.ts 10000`
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../harness/paths.ts"
import { acceptedDisagreements } from "./accepted.ts"
import { type Found, search, searchHttp2 } from "./search.ts"
import { OneReading } from "./site.ts"

const [count = 510_000, first = 1] = process.argv.slice(2).map(Number)
execFileSync(join(root, "build/one-reading.sh"), { stdio: "inherit" })
await using site = await OneReading.start()
const begun = performance.now()
const part = 10_000
const isKept = process.argv.length < 4
const all: Found[] = []
const ofHttp2: string[] = []
let http2 = 0
for (let done = 0; done < count && findings().length === 0; done += part) {
  const size = Math.min(part, count - done)
  all.push(await search(site, first + done, size))
  ofHttp2.push(...(await searchHttp2(site, first + done, Math.ceil(size / 50))))
  http2 += Math.ceil(size / 50)
  if (isKept) writeFileSync(join(import.meta.dirname, "results.md"), results())
  process.stderr.write(`${sum("requests")} requests, ${sum("served")} of them served, ${minutes()} min\n`)
}
for (const finding of findings()) process.stdout.write(`${finding}\n\n`)
process.stdout.write(results())
process.exitCode = findings().length === 0 ? 0 : 1

function findings(): readonly string[] {
  const found = all.flatMap(({ findings: some }) => some)
  return [...found.map(({ seed, what, bytes }) => `${seed}: ${what}\n${JSON.stringify(bytes)}`), ...ofHttp2]
}

function sum(what: "cases" | "requests" | "served"): number {
  return all.reduce((total, found) => total + found[what], 0)
}

function minutes(): string {
  return ((performance.now() - begun) / 60_000).toFixed(1)
}

function results(): string {
  const met = (name: string) => all.reduce((total, found) => total + (found.accepted.get(name) ?? 0), 0)
  const rows = acceptedDisagreements.map(({ name, reason }) => `| ${name} | ${met(name)} | ${reason} |`)
  return `# One request, one reading: the latest long run

${sum("requests")} generated requests on ${sum("cases")} connections (seeds ${first} to ${first + sum("cases") - 1}), and ${http2} by HTTP/2, in ${minutes()} minutes. ${sum("served")} answers of backends were compared with the log
and with what the authentication service was asked; the rest was refused. Disagreements that are not accepted: **${findings().length}**.

| accepted | met | why |
| --- | --- | --- |
${rows.join("\n")}
`
}
