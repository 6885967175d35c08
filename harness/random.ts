/** Random numbers from a seed: the same on every machine. */

/** 32 bits in which every bit depends on all of the number's (MurmurHash3's last step). */
function mixed(number: number): number {
  let bits = number >>> 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** A number from 0 to 1 that belongs to these numbers: asked again, it is the same. */
export function chance(...numbers: readonly number[]): number {
  return numbers.reduce((bits, number) => mixed(bits ^ mixed(number + 0x9e3779b9)), 0x2545f491) / 2 ** 32
}

export class Random {
  readonly #seed: number
  #count = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  /** 0 to 1, without 1. */
  next(): number {
    this.#count++
    return chance(this.#seed, this.#count)
  }

  /** 0 to `bound` − 1. */
  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next())
  }

  /** `sigma`: standard deviation of the logarithm. */
  logNormal(mean: number, sigma: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
    return mean * Math.exp(sigma * normal - (sigma * sigma) / 2)
  }

  /** Infinite variance for `alpha` up to 2; never more than `max`. */
  pareto(mean: number, alpha: number, max: number): number {
    return Math.min(max, (mean * (alpha - 1)) / alpha / (1 - this.next()) ** (1 / alpha))
  }
}
