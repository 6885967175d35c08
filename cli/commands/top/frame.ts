import { counted } from "../../../controller/support/counted.ts"
import { percent } from "../endpoint-table.ts"
import { printable, widest } from "../table.ts"
import type { Style } from "../terminal.ts"
import type { Activity } from "./activity.ts"
import type { Looking } from "./looking.ts"
import { rate, type Table, tableOf, viewNames } from "./views.ts"

// An activity as lines of a terminal. Pure.

export interface FrameOptions {
  readonly columns: number
  /** as many as fit; Infinity: all */
  readonly rows: number
  readonly paint: (style: Style, text: string) => string
  /** there is somebody to press keys */
  readonly hasKeys: boolean
}

/** @param trouble a sentence, in the place of the last line */
export function frame(
  activity: Activity,
  looking: Looking,
  { columns, rows, paint, hasKeys }: FrameOptions,
  trouble?: string,
): string[] {
  const table = tableOf(looking.view, activity, looking)
  const head = [...summary(activity).map((line) => cutBetween(line, columns)), ""]
  if (hasKeys) head.push(cut(tabs(looking, table), columns))
  const foot = hasKeys ? [footer(looking, trouble)] : trouble === undefined ? [] : [trouble]
  const room = Math.max(rows - head.length - foot.length - 1, 1)
  const [title, ...lines] = body(table, looking.first, room, columns)
  const isSmall = Number.isFinite(rows)
  const filled = isSmall
    ? [...lines, ...Array.from({ length: Math.max(room - lines.length, 0) }, () => "")]
    : lines
  return [
    ...head.map((line, at) => (at === 0 ? paint("bold", line) : line)),
    paint("bold", cut(title?.text ?? "", columns)),
    ...filled.map((line) =>
      typeof line === "string" ? line : line.isBad ? paint("red", line.text) : line.text,
    ),
    ...foot.map((line) => paint(trouble === undefined ? "dim" : "red", cut(line, columns))),
  ].slice(0, isSmall ? rows : undefined)
}

function summary({ requests, zones, controller, seconds }: Activity): string[] {
  const traffic =
    requests === undefined
      ? "requests are not counted"
      : `${rate(requests.perSecond)} requests/s, ${share(requests.errorsPerSecond, requests.perSecond)} of them 5xx`
  const fills = zones.map(
    ({ name, fill }) => `${name} ${fill > 0 && fill < 0.001 ? "< 0.1 %" : percent(fill)}`,
  )
  return [
    `${controller === undefined ? "wick" : `wick ${controller.versions.wick}`}  ${traffic}, over ${rate(seconds)} s`,
    printable(controllerLine(controller)),
    `zones: ${fills.length === 0 ? "not known" : fills.join(", ")}`,
  ]
}

function controllerLine(controller: Activity["controller"]): string {
  if (controller === undefined)
    return "no controller answers: Problems and reloads are not known; this is what nginx says"
  const { problems, reloads, lastReload, nowMs, trouble } = controller
  const standing = (["error", "warning", "info"] as const)
    .filter((severity) => problems[severity] > 0)
    .map((severity) =>
      severity === "info" ? `${problems.info} info` : counted(problems[severity], severity),
    )
  const last = lastReload && `, the last ${ago(nowMs - lastReload.atMs)} ago${reasonsOf(lastReload)}`
  return [
    `Problems: ${standing.length === 0 ? "none" : standing.join(", ")}`,
    `reloads: ${reloads}${last ?? ""}`,
    ...(trouble === undefined ? [] : [trouble]),
  ].join("  ")
}

function reasonsOf({ kind, reasons }: { kind: string; reasons: readonly string[] }): string {
  if (kind === "start" || kind === "died") return ` (${kind})`
  const what = kind === "failed" ? "failed, " : ""
  return reasons.length === 0 ? "" : ` (${what}${reasons.slice(0, 3).join(", ")})`
}

/** `12 s`, `3 min`, `2 h`, `5 d` */
function ago(ms: number): string {
  const seconds = Math.max(Math.round(ms / 1000), 0)
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`
}

function share(some: number, all: number): string {
  return all === 0 ? "0 %" : percent(some / all)
}

function tabs({ view, filter, isTyping }: Looking, { rows, total }: Table): string {
  const names = viewNames.map((name) => (name === view ? `[${name}]` : name))
  const wanted = isTyping || filter !== "" ? `  filter: ${filter}${isTyping ? "_" : ""}` : ""
  const count = rows.length === total ? counted(total, "row") : `${rows.length} of ${counted(total, "row")}`
  return `${names.join("  ")}  ${count}${wanted}`
}

function footer({ isTyping }: Looking, trouble: string | undefined): string {
  if (trouble !== undefined) return trouble
  return isTyping
    ? "type what rows must have; Enter keeps it, Esc drops it"
    : "Tab, 1-5 view  s sort  r reverse  / filter  ↑↓ move  q quit"
}

interface Line {
  readonly text: string
  readonly isBad: boolean
}

/** The heads, and as many rows as there is room for. */
function body({ heads, rows, nothing }: Table, first: number, room: number, columns: number): Line[] {
  if (nothing !== undefined) return [{ text: cut(nothing, columns), isBad: false }]
  const shown = rows.slice(first, Number.isFinite(room) ? first + room : undefined)
  const titles = heads.map(({ text, isSorted }) => (isSorted ? `${text}*` : text))
  const widths = titles.map((title, at) => widest([title, ...shown.map(({ cells }) => cells[at] ?? "")]))
  const fitting = widths.slice(0, fittingIn(columns, widths))
  const aligned = (cells: readonly string[]) =>
    fitting
      .map((width, at) => {
        const cell = cells[at] ?? ""
        return heads[at]?.isNumber ? cell.padStart(width) : cell.padEnd(width)
      })
      .join(separator)
      .trimEnd()
  return [
    { text: aligned(titles), isBad: false },
    ...shown.map(({ cells, isBad }) => ({ text: cut(aligned(cells), columns), isBad })),
  ]
}

/** How many columns of a table are shown whole: a number that is cut would read as another one. The first one always is there. */
function fittingIn(columns: number, widths: readonly number[]): number {
  let used = -separator.length
  const tooMany = widths.findIndex((width) => {
    used += separator.length + width
    return used > columns
  })
  return tooMany === -1 ? widths.length : Math.max(tooMany, 1)
}

const separator = "  "

/** Between two parts of a line, so that no number is cut. */
function cutBetween(line: string, columns: number): string {
  if (line.length <= columns) return line
  const start = line.slice(0, Math.max(columns - 1, 0))
  const end = Math.max(start.lastIndexOf(","), start.lastIndexOf(separator))
  return end < 1 ? cut(line, columns) : `${start.slice(0, end)}…`
}

function cut(line: string, columns: number): string {
  return line.length > columns ? `${line.slice(0, Math.max(columns - 1, 0))}…` : line
}
