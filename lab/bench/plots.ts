/** The plots of `npm run bench:balancer`. */
import { logarithmic } from "../plot/axis.ts"
import { chart, color, type Line } from "../plot/chart.ts"
import type { Results, Timed } from "./results.ts"

const size = { width: 860, height: 480, names: 210 }
const x = { kind: logarithmic, label: "endpoints" }

/** Below this the difference of two measurements says nothing. */
const LEAST_NS = 1

export function pickPlot(results: Results): string {
  const lines = linesOf(results, ({ filterNs }) => Math.max(LEAST_NS, filterNs))
  return chart(
    {
      title: "A pick, the filter's share",
      x,
      y: { kind: logarithmic, label: "ns per pick; dashed: the reference's Lua" },
      lines: [...references(results), ...lines],
    },
    size,
  )
}

export function updatePlot(results: Results): string {
  const lines = linesOf(results, ({ updateNs }) => updateNs / 1000)
  const y = { kind: logarithmic, label: "µs from a changed record to the next endpoint" }
  return chart({ title: "One endpoint changes", x, y, lines }, size)
}

export function memoryPlot(results: Results): string {
  const lines = linesOf(results, ({ bytesPerEndpoint }) => Math.max(1, bytesPerEndpoint))
  const y = { kind: logarithmic, label: "bytes of an instance's memory per endpoint" }
  return chart({ title: "Memory, by size of the backend", x, y, lines }, size)
}

function linesOf({ subjects }: Results, value: (timed: Timed) => number): Line[] {
  return subjects.map(({ subject, timed }, i) => ({
    name: subject.name,
    points: timed.map((one) => [one.endpoints, value(one)] as const),
    color: color(i),
    hasDots: true,
  }))
}

/** Level lines: only ewma's figure is of a certain number of endpoints. */
function references({ subjects }: Results): Line[] {
  return subjects.flatMap(({ subject: { name, referenceNs }, timed }, i) => {
    const [first, last] = [timed[0]?.endpoints, timed.at(-1)?.endpoints]
    const isKnown = subjects.findIndex(({ subject }) => subject.referenceNs === referenceNs) < i
    if (referenceNs === undefined || first === undefined || last === undefined || isKnown) return []
    const points = [first, last].map((endpoints) => [endpoints, referenceNs] as const)
    return [{ name: `Lua ${name}`, points, color: "#777", isDashed: true, width: 1.2 }]
  })
}
