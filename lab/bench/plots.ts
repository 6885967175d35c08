/** The plots of `npm run bench:balancer`. */
import { logarithmic } from "../../harness/plot/axis.ts"
import { chart, color, type Line } from "../../harness/plot/chart.ts"
import { policies } from "../simulate/policies.ts"
import type { Results, Sized } from "./results.ts"
import type { Subject } from "./subjects.ts"

const size = { width: 860, height: 480, names: 210 }
const x = { kind: logarithmic, label: "endpoints" }

/** Below this the difference of two measurements says nothing. */
const LEAST_NS = 1

export function pickPlot(results: Results): string {
  const lines = results.subjects.map(({ subject, timed }) =>
    line(
      subject,
      timed.map(({ endpoints, filterNs }) => [endpoints, Math.max(LEAST_NS, filterNs)]),
    ),
  )
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
  const lines = sizedLines(results, ({ updateNs }) => updateNs / 1000)
  const y = { kind: logarithmic, label: "µs from a changed record to the next endpoint" }
  return chart({ title: "One endpoint changes", x, y, lines }, size)
}

export function memoryPlot(results: Results): string {
  const lines = sizedLines(results, ({ bytesPerEndpoint }) => Math.max(1, bytesPerEndpoint))
  const y = { kind: logarithmic, label: "bytes of an instance's memory per endpoint" }
  return chart({ title: "Memory, by size of the backend", x, y, lines }, size)
}

function sizedLines({ subjects }: Results, value: (sized: Sized) => number): Line[] {
  const shown = subjects.filter(({ sized }) => sized.length > 0)
  return shown.map(({ subject, sized }) =>
    line(
      subject,
      sized.map((one) => [one.endpoints, value(one)]),
    ),
  )
}

/** A line with a dot for each size. Subjects of one policy have one colour, those that get new cookies a thinner line. */
function line({ name, cookie, policy }: Subject, points: Line["points"]): Line {
  const isNew = cookie === "new"
  return {
    name,
    points,
    color: color(Object.keys(policies).indexOf(policy)),
    hasDots: true,
    width: isNew ? 0.9 : 1.8,
  }
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
