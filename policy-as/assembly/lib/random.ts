/** Random numbers from one seed per instance (SplitMix64). The seed alone decides the sequence. */
import { mix } from "./bytes"

let state: u64 = 0

/** The sequence that belongs to this seed begins. */
export function begin(seed: u64): void {
  state = seed
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
