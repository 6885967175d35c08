/** Random numbers from one seed per instance (SplitMix64). The host's seed alone decides the sequence. */
import { random_get } from "./abi"
import { mix } from "./bytes"

const SEED: usize = memory.data(8, 8)
let state: u64 = 0

/** Takes the seed. Not before the host has the instance's memory: it has none while the start section runs. */
export function start(): void {
  random_get(SEED, 8)
  state = load<u64>(SEED)
}

/** 64 random bits. */
export function bits(): u64 {
  state += 0x9e3779b97f4a7c15
  return mix(state)
}

/** A number below `bound` (1 to 2^31), all equally likely but for 2^-32. */
export function below(bound: u32): u32 {
  return scale(<u32>(bits() >> 32), bound)
}

/** The same of 32 random bits. */
// @ts-ignore: decorator
@inline
export function scale(bits: u32, bound: u32): u32 {
  return <u32>((<u64>bits * bound) >> 32)
}
