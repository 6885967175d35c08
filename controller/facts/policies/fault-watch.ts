/** How often a policy has failed so far, in all workers. */
export interface PolicyFaults {
  readonly digest: string
  readonly faults: number
}

interface Sample {
  readonly atMs: number
  readonly faults: number
}

const windowMs = 60_000

/** Finds the policies that fail too often. It has no clock of its own: the reader of the counters says when that was. */
export class FaultWatch {
  /** by digest, the oldest first: those of a minute, and the one before, which they are compared with */
  readonly #samples = new Map<string, readonly Sample[]>()
  #isFirst = true

  /**
   * @param max faults in a minute that are still bearable
   * @returns the digests of those that had more, with their faults in that minute
   */
  note(counters: readonly PolicyFaults[], atMs: number, max: number): ReadonlyMap<string, number> {
    const faulty = new Map<string, number>()
    for (const { digest, faults } of counters) {
      const recent = this.#add(digest, { atMs, faults })
      if (recent > max) faulty.set(digest, recent)
    }
    this.#isFirst = false
    return faulty
  }

  /** @returns its faults within a minute */
  #add(digest: string, sample: Sample): number {
    const known = this.#samples.get(digest) ?? this.#beginning(sample)
    // another nginx begins at 0
    const before = known.some(({ faults }) => faults > sample.faults) ? [{ ...sample, faults: 0 }] : known
    const isRecent = ({ atMs }: Sample) => atMs > sample.atMs - windowMs
    const old = before.findLast((one) => !isRecent(one))
    const samples = [...(old ? [old] : []), ...before.filter(isRecent), sample]
    this.#samples.set(digest, samples)
    return sample.faults - (samples[0]?.faults ?? 0)
  }

  /** What failed before this controller began to look may be long ago; of one that appears later everything counts. */
  #beginning({ atMs }: Sample): readonly Sample[] {
    return this.#isFirst ? [] : [{ atMs, faults: 0 }]
  }
}
