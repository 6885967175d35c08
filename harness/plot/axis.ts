/** Axes: from a value to a place, and the values that are written beside it. */
import { scaleLinear, scaleLog } from "d3-scale"

export interface Axis {
  /** What it is, with its unit. */
  readonly label: string
  readonly place: (value: number) => number
  /** Values with a line, and what is written there. */
  readonly ticks: readonly { readonly value: number; readonly text: string }[]
}

/** Least and greatest of what is shown. */
export type Domain = readonly [number, number]
/** Pixels where the domain begins and ends. */
export type Range = readonly [number, number]
export type AxisKind = (label: string, domain: Domain, range: Range) => Axis

export const linear: AxisKind = (label, domain, range) => {
  const scale = scaleLinear(domain, range).nice(5)
  return {
    label,
    place: (value) => scale(value),
    ticks: scale.ticks(5).map((value) => ({ value, text: plain(value) })),
  }
}

/** Of shares from 0 to 1, written as percents. */
export const percent: AxisKind = (label, domain, range) => {
  const axis = linear(label, domain, range)
  return { ...axis, ticks: axis.ticks.map(({ value }) => ({ value, text: `${plain(100 * value)} %` })) }
}

/** Of values above 0. */
export const logarithmic: AxisKind = (label, domain, range) => {
  const [least, greatest] = [stepBelow(domain[0]), stepAbove(domain[1])]
  const scale = scaleLog([least, greatest], range)
  const steps = greatest / least < 1000 ? [1, 2, 5] : [1]
  const ticks = scale.ticks(10).filter((value) => steps.includes(Number(value.toExponential()[0])))
  return {
    label,
    place: (value) => scale(value),
    ticks: ticks.map((value) => ({ value, text: plain(value) })),
  }
}

/** The nearest of 1, 2, 5, 10, 20 … that is not above, or not below. */
function stepBelow(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value))
  return ([5, 2].find((step) => step * decade <= value) ?? 1) * decade
}
function stepAbove(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5].find((step) => step * decade >= value) ?? 10) * decade
}

/** Of shares of requests: 50 % to 90 % takes as much room as 90 % to 99 %, and so on. */
export const nines: AxisKind = (label, domain, range) => {
  const depth = (share: number) => -Math.log10(1 - share)
  const scale = scaleLinear([depth(domain[0]), depth(domain[1])], range)
  const ticks = [0, 0.5, 0.9, 0.99, 0.999, 0.9999].filter((share) => share >= domain[0] && share <= domain[1])
  return {
    label,
    place: (value) => scale(depth(value)),
    ticks: ticks.map((value) => ({ value, text: `${plain(100 * value)} %` })),
  }
}

/** Up to six digits, thousands apart. */
function plain(value: number): string {
  return Number(value.toPrecision(6)).toLocaleString("en-US", { maximumFractionDigits: 6 })
}
