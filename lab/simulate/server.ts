/** An endpoint as a server: `slots` jobs at a time, a queue in order of arrival, and a record of both. Times are nanoseconds. */

/** A job of `workNs` at a server that is not slowed. */
export interface Job {
  readonly workNs: number
  /** Nobody waits for it any more: its turn is passed over. */
  isGone: boolean
}

export class Server<J extends Job> {
  readonly name: string
  /** Times its work takes longer. */
  slowness = 1
  /** Jobs that were begun, and the time they have waited for it. */
  begun = 0
  waitedNs = 0
  longestQueue = 0
  /** Busy slots, integrated over time. */
  busyNs = 0
  #slots = 1
  #room = 0
  #busy = 0
  #queue: { readonly job: J; readonly sinceNs: number }[] = []
  /** Place in the queue of the job whose turn is next. */
  #head = 0

  constructor(name: string) {
    this.name = name
  }

  /** So many jobs at a time, and room for so many more. */
  resize(slots: number, room: number): void {
    this.#slots = slots
    this.#room = room
  }

  get slots(): number {
    return this.#slots
  }

  /** Busy slots of those that it has (0 to 1), what waits counted as well: more than 1 then. */
  get busyShare(): number {
    return (this.#busy + this.#queue.length - this.#head) / this.#slots
  }

  /** A job comes: begun (nanoseconds that it takes), queued, or refused. */
  offer(job: J, nowNs: number): number | "queued" | "refused" {
    if (this.#busy < this.#slots) return this.#begin(job, 0)
    const waiting = this.#queue.length - this.#head
    if (waiting >= this.#room) return "refused"
    this.#queue.push({ job, sinceNs: nowNs })
    this.longestQueue = Math.max(this.longestQueue, waiting + 1)
    return "queued"
  }

  /** A job is done: the next one and the nanoseconds that it takes, if one waits. */
  finish(nowNs: number): { readonly job: J; readonly takesNs: number } | undefined {
    this.#busy--
    while (this.#head < this.#queue.length) {
      const { job, sinceNs } = this.#shift()
      if (!job.isGone) return { job, takesNs: this.#begin(job, nowNs - sinceNs) }
    }
    return undefined
  }

  #begin(job: J, waitedNs: number): number {
    const takesNs = Math.round(job.workNs * this.slowness)
    this.#busy++
    this.begun++
    this.waitedNs += waitedNs
    this.busyNs += takesNs
    return takesNs
  }

  #shift(): { readonly job: J; readonly sinceNs: number } {
    const first = this.#queue[this.#head++]
    if (!first) throw new Error("The queue is empty")
    if (this.#head > 1000 && this.#head * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head)
      this.#head = 0
    }
    return first
  }
}
