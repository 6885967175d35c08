import type { VNode } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import uPlot from "uplot"
import { html } from "./html.ts"
import { timeText } from "./texts.ts"

export interface PlotProps {
  readonly title: string
  /** milliseconds since 1970, ascending */
  readonly times: readonly number[]
  /** null: not known */
  readonly values: readonly (number | null)[]
  readonly text: (value: number) => string
  /** moments to mark */
  readonly marks?: readonly number[]
}

const height = 130

/** Distances of times that are written: with uPlot's own a plot of seven minutes has one. */
const tickSeconds = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]

/** One line over time. What it shows is said in words as well. */
export function Plot({ title, times, values, text, marks = [] }: PlotProps): VNode {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const scheme = useScheme()
  const marked = useRef(marks)
  marked.current = marks
  useEffect(() => {
    const box = place.current
    if (box === null) return
    const made = new uPlot(
      optionsOf(box, text, () => marked.current),
      [[], []],
      box,
    )
    plot.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: box.clientWidth, height }))
    observer.observe(box)
    return () => {
      observer.disconnect()
      made.destroy()
    }
  }, [scheme])
  useEffect(() => {
    plot.current?.setData([times.map((ms) => ms / 1000), [...values]])
  }, [times, values, scheme])
  return html`<figure class="plot">
    <figcaption>${title} <strong>${now(values, text)}</strong></figcaption>
    <div ref=${place} role="img" aria-label=${`${title}: ${inWords(values, text)}`}></div>
  </figure>`
}

function now(values: PlotProps["values"], text: PlotProps["text"]): string {
  const last = values.at(-1)
  return last === undefined || last === null ? "–" : text(last)
}

function inWords(values: PlotProps["values"], text: PlotProps["text"]): string {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return "nothing is known yet"
  return `now ${now(values, text)}, between ${text(Math.min(...known))} and ${text(Math.max(...known))}`
}

/** Another object when the colours are others. */
function useScheme(): object {
  const [scheme, setScheme] = useState<object>({})
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)")
    const changed = () => setScheme({})
    query.addEventListener("change", changed)
    return () => query.removeEventListener("change", changed)
  }, [])
  return scheme
}

function optionsOf(box: HTMLElement, text: PlotProps["text"], marks: () => readonly number[]): uPlot.Options {
  const style = getComputedStyle(box)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const axis = { stroke: colour("--quiet"), font: `11px ${style.fontFamily}`, ticks: { show: false } }
  return {
    width: box.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    // Half of the last time on the axis.
    padding: [8, 28, 0, 0],
    scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 80,
        incrs: [...tickSeconds],
        values: (_, splits, __, ___, step) => splits.map((at) => timeText(at, step < 60)),
      },
      {
        ...axis,
        grid: { stroke: colour("--line"), width: 1 },
        size: 52,
        space: 32,
        values: (_, splits) => splits.map(text),
      },
    ],
    series: [
      {},
      { stroke: colour("--accent"), width: 1.5, fill: colour("--accent-area"), points: { show: false } },
    ],
    hooks: { draw: [(plot) => drawMarks(plot, marks(), colour("--warning"))] },
  }
}

function drawMarks({ ctx, bbox, valToPos, scales }: uPlot, marks: readonly number[], colour: string): void {
  ctx.save()
  ctx.fillStyle = colour
  for (const ms of marks) {
    const { min = 0, max = 0 } = scales.x ?? {}
    if (ms / 1000 < (min ?? 0) || ms / 1000 > (max ?? 0)) continue
    ctx.fillRect(Math.round(valToPos(ms / 1000, "x", true)), bbox.top, devicePixelRatio, bbox.height)
  }
  ctx.restore()
}
