import type { EventRecord } from "./event-record.ts"

/** Records that wait to be written, each once: the Warnings first, otherwise in the order they came. */
export class EventQueue {
  readonly #max: number
  readonly #warnings = new Set<EventRecord>()
  readonly #normals = new Set<EventRecord>()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#warnings.size + this.#normals.size
  }

  has(record: EventRecord): boolean {
    return this.#warnings.has(record) || this.#normals.has(record)
  }

  /** @returns the record that had to make room: the oldest that is no Warning, if there is one */
  add(record: EventRecord): EventRecord | undefined {
    const queue = record.event.type === "Warning" ? this.#warnings : this.#normals
    queue.add(record)
    if (this.size <= this.#max) return undefined
    return removeFirst(this.#normals) ?? removeFirst(this.#warnings)
  }

  take(): EventRecord | undefined {
    return removeFirst(this.#warnings) ?? removeFirst(this.#normals)
  }
}

function removeFirst(records: Set<EventRecord>): EventRecord | undefined {
  const [first] = records
  if (first !== undefined) records.delete(first)
  return first
}
