// Several ways measured in alternating rounds, and compared round by round: what disturbs a round disturbs all ways in it.
import { median, quantile } from "../../harness/statistics.ts"

/** Measures each way once in every round, each round in another order, so that what the machine does meanwhile hits all alike. */
export async function inRounds<Way>(
  ways: readonly Way[],
  rounds: number,
  measure: (way: Way) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1)
    for (const at of ways.keys()) await measure(ways[(at + round) % ways.length] as Way)
}

/** How many times the base it is: median of the rounds. @param base of the same rounds */
export function pairedRatio(values: readonly number[], base: readonly number[]): number {
  return median(values.map((value, round) => value / (base[round] ?? Number.NaN)))
}

/** Median and quartiles, for two columns. */
export function spread(values: readonly number[]): [median: string, quartiles: string] {
  const [first, third] = [quantile(values, 0.25), quantile(values, 0.75)]
  return [median(values).toFixed(2), `${first.toFixed(2)}–${third.toFixed(2)}`]
}
