/** Random numbers from one seed per instance: the host's seed alone decides the sequence. */
import { begin } from "../../policy-as/assembly/lib/random"
import { random_get } from "./abi"

export { below, bits, scale } from "../../policy-as/assembly/lib/random"

const SEED: usize = memory.data(8, 8)

/** Takes the seed. Not before the host has the instance's memory: it has none while the start section runs. */
export function start(): void {
  random_get(SEED, 8)
  begin(load<u64>(SEED))
}
