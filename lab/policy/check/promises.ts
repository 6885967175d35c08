/** What a policy may promise in its policy.yaml. */
import { Backend, type Endpoint } from "../backend.ts"
import { Failure } from "../failure.ts"
import { Instance } from "../instance.ts"
import { ask, backendOf, endpointsOf, type Tried, times } from "./given.ts"

/** Picks of each endpoint may differ from its share by so much. */
const UNEVEN = 0.1

export function even({ module, description }: Tried): string {
  const weights = [1, 2, 5, 10, 10, 10, 20, 20, 50, 100]
  let worst = 0
  for (const list of [weights.map(() => 1), weights]) {
    const instance = new Instance(module)
    const backend = new Backend(
      endpointsOf(10).map((endpoint, i) => ({ ...endpoint, weight: list[i] ?? 1 })),
      description.config,
    )
    const sum = list.reduce((a, b) => a + b)
    const counts = list.map(() => 0)
    const picks = 100_000
    for (let i = 0; i < picks; i++) {
      const { index } = ask(instance, backend, description, i)
      if (index >= 0) counts[index] = (counts[index] as number) + 1
    }
    for (const [i, weight] of list.entries()) {
      const due = (picks * weight) / sum
      // Chance alone moves a share by some standard deviations.
      const off = Math.max(0, Math.abs((counts[i] as number) - due) - 4 * Math.sqrt(due)) / due
      worst = Math.max(worst, off)
      if (off > UNEVEN) {
        throw new Failure(
          `Of ${picks} picks an endpoint of weight ${weight} (of ${sum}) got ${counts[i]}; about ${Math.round(due)} are its share`,
        )
      }
    }
  }
  return worst === 0
    ? "100,000 picks, equal weights and others"
    : `100,000 picks, off by ${(worst * 100).toFixed(1)} % at most`
}

const KEYS = 5000
/** Of the keys that need not move so many may. */
const MOVED = 0.05

export function sticky({ module, description }: Tried): string {
  const [one, other] = [new Instance(module, 1), new Instance(module, 2)]
  const backend = backendOf(50, description)
  const chosen = (instance: Instance) => {
    const { endpoints } = backend.list
    return times(KEYS, (n) => endpoints[ask(instance, backend, description, n).index]?.address)
  }
  const before = chosen(one)
  const differ = (a: readonly unknown[], b: readonly unknown[]) =>
    a.filter((address, i) => address !== b[i]).length
  if (differ(before, chosen(one)) > 0) throw new Failure("The same key did not get the same endpoint twice")
  if (differ(before, chosen(other)) > 0)
    throw new Failure("Two workers send the same key to different endpoints: chance must have no part in it")
  const gone = backend.list.endpoints[25] as Endpoint
  backend.change(backend.list.endpoints.filter((endpoint) => endpoint !== gone))
  const after = chosen(one)
  const moved = before.filter((address, i) => address !== gone.address && address !== after[i]).length
  if (moved > KEYS * MOVED) {
    throw new Failure(`When one of 50 endpoints went, ${moved} of ${KEYS} keys moved whose endpoint stayed`)
  }
  return `${KEYS} keys; when one of 50 endpoints went, ${moved} moved that had no need to`
}
