/** What `npm run bench:balancer` prints and writes. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { markdownTable, textTable } from "../support/table.ts"
import { memoryPlot, pickPlot, updatePlot } from "./plots.ts"
import type { Counted, Results, SubjectResult, Timed } from "./results.ts"
import { ENOUGH_PICKS, growth } from "./subjects.ts"

interface Table {
  readonly title: string
  readonly about: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** What keeps times from saying anything: a sentence. */
export function doubtAbout(picks: number): string | undefined {
  if (picks >= ENOUGH_PICKS) return undefined
  const [given, enough] = [picks, ENOUGH_PICKS].map((count) => count.toLocaleString("en-US"))
  return `With ${given} picks a round is too short: times are noise. Take ${enough} at least.`
}

/** For the terminal. */
export function text(results: Results): string {
  const shown = tables(results).map(({ title, columns, rows }) => `${title}\n${textTable(columns, rows)}`)
  const doubt = doubtAbout(results.picks)
  return [...(doubt === undefined ? [] : [`${doubt}\n`]), ...shown].join("\n")
}

/** Writes `results.json`, `report.md` and the plots into a folder, which is made if need be. */
export function write(folder: string, results: Results, machine: string): void {
  const files = {
    "results.json": `${JSON.stringify({ machine, ...results }, null, 1)}\n`,
    "report.md": markdown(results, machine),
    "pick.svg": pickPlot(results),
    "update.svg": updatePlot(results),
    "memory.svg": memoryPlot(results),
  }
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
}

function markdown(results: Results, machine: string): string {
  const sections = tables(results).map(
    ({ title, about, columns, rows }) => `## ${title}\n\n${about}\n\n${markdownTable(columns, rows)}`,
  )
  return `${[
    "# The balancers alone, in Node",
    `The release balancer.wasm in Node's V8, each measurement in a process of its own, the best of its rounds. A host in JavaScript is around the filter; what it
takes by itself is measured with an empty filter that makes the same calls, and shown apart. The filter's share is the difference: what the
targets are about, and what the reference's figures (ingress-nginx's Lua in its LuaJIT, without nginx around it) compare with.`,
    ...[doubtAbout(results.picks) ?? []].flat(),
    "![Nanoseconds per pick by number of endpoints](pick.svg)",
    ...sections,
    "![Time from a changed record to the next endpoint](update.svg)",
    "![Memory per endpoint](memory.svg)",
    `${machine} Made by \`npm run bench:balancer\`.`,
  ].join("\n\n")}\n`
}

function tables({ subjects, control }: Results): Table[] {
  return [
    picks(subjects),
    wholes(subjects),
    infos(subjects),
    updates(subjects),
    memories(subjects),
    spreads(subjects),
    moves(subjects),
    {
      title: "The control role",
      about: "Reading and checking what is posted, and packing it into records.",
      columns: ["what", "each"],
      rows: [
        ["pick after something else changed", ns(control.noticeNs)],
        ["posted change, backends of 10 endpoints", perByte(control.backends)],
        ["posted change, hosts of one route", perByte(control.routes)],
      ],
    },
  ].filter(({ rows }) => rows.length > 0)
}

/** What is left when the host's part is taken away: nothing, where both are noise. */
const filterText = (value: number) => (value > 0 ? ns(value) : "too few picks")
const ns = (value: number | undefined) =>
  value === undefined ? "–" : `${value.toFixed(value < 100 ? 1 : 0)} ns`
const percent = (share: number) => `${(100 * share).toFixed(2)} %`
const perByte = ({ bytes, ns }: { bytes: number; ns: number }) =>
  `${(ns / 1000).toFixed(0)} µs for ${bytes} bytes, ${(ns / bytes).toFixed(1)} ns each`

type BySize = { readonly columns: string[]; readonly rows: string[][] }

/** A row per subject, a column per size. */
function bySize(subjects: readonly SubjectResult[], cell: (timed: Timed) => string): BySize {
  return tabled(subjects, ({ timed }) => timed, cell)
}

function tabled<T extends { readonly endpoints: number }>(
  subjects: readonly SubjectResult[],
  cells: (result: SubjectResult) => readonly T[],
  cell: (one: T) => string,
): BySize {
  const shown = subjects.filter((result) => cells(result).length > 0)
  const columns = shown
    .slice(0, 1)
    .flatMap((result) => cells(result).map(({ endpoints }) => thousands(endpoints)))
  return { columns, rows: shown.map((result) => [result.subject.name, ...cells(result).map(cell)]) }
}

const thousands = (value: number) => value.toLocaleString("en-US")

function picks(subjects: readonly SubjectResult[]): Table {
  const { columns, rows } = bySize(subjects, ({ filterNs }) => filterText(filterNs))
  const judged = subjects.map((result, i) => [...(rows[i] ?? []), ...judgement(result)])
  return {
    title: "Nanoseconds per pick, the filter's share",
    about: `By number of endpoints. The target is for up to 1,000; growth is the time at ${thousands(growth.to)} endpoints over that at ${growth.from}, at most ${growth.atMost}. The last column is what the
reference's Lua took (ewma: at 1,000 endpoints).`,
    columns: ["algorithm", ...columns, "target", "", "growth", "", "Lua"],
    rows: judged,
  }
}

function judgement({ subject: { targetNs, referenceNs }, timed }: SubjectResult): string[] {
  const at = (size: number) => timed.find(({ endpoints }) => endpoints === size)?.filterNs
  const [from, to] = [at(growth.from), at(growth.to)]
  const isKnown = timed.every(({ filterNs }) => filterNs > 0)
  const grown = isKnown && from !== undefined && to !== undefined ? to / from : undefined
  const slowest = Math.max(
    ...timed.filter(({ endpoints }) => endpoints <= 1000).map(({ filterNs }) => filterNs),
  )
  const verdict = (isReached: boolean | undefined) =>
    isReached === undefined ? "–" : isReached ? "reached" : "missed"
  return [
    targetNs === undefined ? "–" : `≤ ${targetNs}`,
    verdict(targetNs === undefined || !isKnown ? undefined : slowest <= targetNs),
    grown?.toFixed(2) ?? "–",
    verdict(grown === undefined ? undefined : grown <= growth.atMost),
    ns(referenceNs),
  ]
}

function wholes(subjects: readonly SubjectResult[]): Table {
  const { columns, rows } = bySize(
    subjects,
    ({ wholeNs, hostNs }) => `${wholeNs.toFixed(0)} (${hostNs.toFixed(0)})`,
  )
  return {
    title: "Nanoseconds per pick with the host in Node",
    about: "In brackets: of that the host's JavaScript and the borders between it and WebAssembly.",
    columns: ["algorithm", ...columns],
    rows,
  }
}

function infos(subjects: readonly SubjectResult[]): Table {
  const wanting = subjects.filter(({ timed }) => timed.some(({ info }) => info))
  const { columns, rows } = bySize(wanting, ({ info }) =>
    info ? `${filterText(info.filterNs)} (${info.hostNs.toFixed(0)})` : "–",
  )
  return {
    title: "Nanoseconds to learn from an attempt's end",
    about: "For the algorithms that want it: the filter's share; in brackets what the host in Node adds.",
    columns: ["algorithm", ...columns],
    rows,
  }
}

const sizedOf = ({ sized }: SubjectResult) => sized

function updates(subjects: readonly SubjectResult[]): Table {
  const { columns, rows } = tabled(subjects, sizedOf, ({ updateNs }) => `${(updateNs / 1000).toFixed(1)} µs`)
  return {
    title: "Time per update",
    about:
      "One endpoint changed its port: from the notice through reading the record to the next endpoint chosen, without the host's bookkeeping of slots.",
    columns: ["algorithm", ...columns],
    rows,
  }
}

function memories(subjects: readonly SubjectResult[]): Table {
  const { columns, rows } = tabled(subjects, sizedOf, ({ bytesPerEndpoint }) => bytesPerEndpoint.toFixed(0))
  return {
    title: "Bytes per endpoint",
    about:
      "Growth of an instance's memory over 10,000 endpoints, in backends of so many each: with one endpoint it is the whole backend.",
    columns: ["algorithm", ...columns],
    rows,
  }
}

/** A row per subject and size. */
function byCount(
  subjects: readonly SubjectResult[],
  cells: (counted: Counted) => string[] | undefined,
): string[][] {
  return subjects.flatMap(({ subject, counted }) =>
    counted.flatMap((one) => {
      const row = cells(one)
      return row ? [[subject.name, thousands(one.endpoints), ...row]] : []
    }),
  )
}

function spreads(subjects: readonly SubjectResult[]): Table {
  return {
    title: "How evenly picks fall",
    about: `Most over mean: what the endpoint with most picks got beyond the mean. Fair dice stay below the bound in 999 of 1,000 runs. χ² per degree of freedom is about 1 for
fair dice, less for an order that is better than chance, more where an endpoint's part of the ring or its keys are unequal.`,
    columns: ["algorithm", "endpoints", "picks", "most over mean", "fair dice", "χ²"],
    rows: byCount(subjects, ({ endpoints, spread: { picks, excess, chiSquare } }) => [
      thousands(picks),
      percent(excess),
      percent(diceBound(picks, endpoints)),
      chiSquare.toFixed(2),
    ]),
  }
}

/** What the fullest of `endpoints` bins stays below with probability 0.999: normal approximation, union over the bins. */
function diceBound(picks: number, endpoints: number): number {
  return Math.sqrt((2 * Math.log(1000 * endpoints) * endpoints) / picks)
}

function moves(subjects: readonly SubjectResult[]): Table {
  return {
    title: "Keys that move",
    about:
      "Share of the keys (or cookies) that get another endpoint when one goes and when one comes; needlessly: though their own stayed, or to another one than that which came.",
    columns: ["algorithm", "endpoints", "one goes", "needlessly", "one comes", "needlessly", "ideal"],
    rows: byCount(
      subjects,
      ({ endpoints, moved }) =>
        moved && [
          percent(moved.removed),
          percent(moved.removedNeedlessly),
          percent(moved.added),
          percent(moved.addedNeedlessly),
          percent(1 / endpoints),
        ],
    ),
  }
}
