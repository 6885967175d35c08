/** A line chart. Each line has its name written at its end, in its colour: no legend to look up, and none in the way. */
import type { Axis, AxisKind, Domain, Range } from "./axis.ts"
import * as svg from "./svg.ts"

export interface Line {
  /** Written at its end; absent: no name. */
  readonly name?: string
  readonly points: readonly (readonly [number, number])[]
  readonly color: string
  /** For targets and for what was measured elsewhere. */
  readonly isDashed?: boolean
  readonly width?: number
  /** Marks the points themselves. */
  readonly hasDots?: boolean
}

export interface Chart {
  readonly title: string
  readonly x: { readonly kind: AxisKind; readonly label: string; readonly domain?: Domain }
  readonly y: { readonly kind: AxisKind; readonly label: string; readonly domain?: Domain }
  readonly lines: readonly Line[]
  /** Parts of the x axis that are shaded, in its values. */
  readonly spans?: readonly Domain[]
}

export interface Size {
  readonly width: number
  readonly height: number
  /** Room for the names at the lines' ends. */
  readonly names: number
}

const TOP = 44
const BOTTOM = 48
const LEFT = 62
const NAME_HEIGHT = 14

/** Colours that stay apart for most colour-blind eyes, for lines on white. */
const colors = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#a63d8f",
  "#b8860b",
  "#4b4b4b",
  "#56b4e9",
  "#8b1a1a",
] as const
export const quiet = "#b5b5b5"

/** The n-th colour; after the last comes the first. */
export function color(index: number): string {
  return colors[index % colors.length] as string
}

/** One chart as a file of its own. */
export function chart(of: Chart, size: Size = { width: 760, height: 420, names: 140 }): string {
  return svg.drawing(of.title, size.width, size.height, body(of, size))
}

/** Several charts side by side, `columns` in a row. */
export function panels(title: string, charts: readonly Chart[], columns: number, size: Size): string {
  const rows = Math.ceil(charts.length / columns)
  const place = (i: number) =>
    `translate(${(i % columns) * size.width} ${Math.floor(i / columns) * size.height})`
  const placed = charts.map((chart, i) => svg.element("g", { transform: place(i) }, body(chart, size)))
  return svg.drawing(title, columns * size.width, rows * size.height, ...placed)
}

function body(of: Chart, { width, height, names }: Size): string {
  const right = width - names
  const bottom = height - BOTTOM
  const x = axisOf(of, "x", [LEFT, right])
  const y = axisOf(of, "y", [bottom, TOP])
  return [
    svg.text(of.title, LEFT, 20, { "font-size": 14, "font-weight": 600 }),
    ...(of.spans ?? []).map((span) => shade(span, x, bottom)),
    ...horizontal(y, right),
    ...vertical(x, bottom),
    ...of.lines.map((line) => drawLine(line, x, y)),
    ...drawNames(of.lines, x, y),
  ].join("\n")
}

type Ends = "x" | "y"

function axisOf(of: Chart, by: Ends, range: Range): Axis {
  const { kind, label, domain } = of[by]
  const values = of.lines.flatMap(({ points }) => points.map(([x, y]) => (by === "x" ? x : y)))
  if (values.length === 0) return kind(label, domain ?? [0.1, 1], range)
  const min = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const max = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  return kind(label, domain ?? [min, max], range)
}

function shade([from, to]: Domain, { place }: Axis, bottom: number): string {
  const [x, width] = [place(from), place(to) - place(from)]
  return svg.element("rect", { x, y: TOP, width, height: bottom - TOP, fill: "#f6f1e4" })
}

/** Lines across, their values at the left, the axis's name above them. */
function horizontal({ label, ticks, place }: Axis, right: number): string[] {
  return [
    svg.text(label, LEFT, TOP - 8, { "font-size": 11, fill: "#666" }),
    ...ticks.flatMap(({ value, text }) => [
      svg.path(
        [
          [LEFT, place(value)],
          [right, place(value)],
        ],
        { stroke: "#e4e4e4" },
      ),
      svg.text(text, LEFT - 6, place(value) + 4, { "text-anchor": "end", "font-size": 11 }),
    ]),
  ]
}

/** Marks below, with their values and the axis's name. */
function vertical({ label, ticks, place }: Axis, bottom: number): string[] {
  const middle = (place(ticks[0]?.value ?? 0) + place(ticks.at(-1)?.value ?? 0)) / 2
  return [
    svg.text(label, middle, bottom + 36, { "text-anchor": "middle", "font-size": 11, fill: "#666" }),
    ...ticks.flatMap(({ value, text }) => [
      svg.path(
        [
          [place(value), bottom],
          [place(value), bottom + 4],
        ],
        { stroke: "#888" },
      ),
      svg.text(text, place(value), bottom + 18, { "text-anchor": "middle", "font-size": 11 }),
    ]),
  ]
}

function drawLine({ points, color, isDashed, width = 1.8, hasDots }: Line, x: Axis, y: Axis): string {
  const places = points.map(([a, b]) => [x.place(a), y.place(b)] as const)
  const dash = isDashed ? { "stroke-dasharray": "5 4" } : {}
  const line = svg.path(places, { stroke: color, "stroke-width": width, "stroke-linejoin": "round", ...dash })
  const dots = hasDots ? places.map(([cx, cy]) => svg.element("circle", { cx, cy, r: 3, fill: color })) : []
  return [line, ...dots].join("\n")
}

/** Beside the lines' last points, pushed apart where they would cover each other. */
function drawNames(lines: readonly Line[], x: Axis, y: Axis): string[] {
  const named = lines
    .flatMap(({ name, points, color }) => {
      const last = points.at(-1)
      return name && last ? [{ name, color, x: x.place(last[0]), y: y.place(last[1]) }] : []
    })
    .toSorted((a, b) => a.y - b.y)
  const places = apart(named.map(({ y }) => y))
  return named.map(({ name, color, x }, i) => svg.text(name, x + 8, (places[i] ?? 0) + 4, { fill: color }))
}

/** The same places in the same order, each `NAME_HEIGHT` from the next; groups stay around their middle. */
function apart(places: readonly number[]): number[] {
  const groups: { middle: number; count: number }[] = []
  for (const place of places) {
    let group = { middle: place, count: 1 }
    while (true) {
      const before = groups.at(-1)
      if (!before || group.middle - before.middle >= (NAME_HEIGHT * (group.count + before.count)) / 2) break
      groups.pop()
      const count = group.count + before.count
      group = { middle: (group.middle * group.count + before.middle * before.count) / count, count }
    }
    groups.push(group)
  }
  return groups.flatMap(({ middle, count }) =>
    Array.from({ length: count }, (_, i) => middle + (i - (count - 1) / 2) * NAME_HEIGHT),
  )
}
