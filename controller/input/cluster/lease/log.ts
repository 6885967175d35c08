import { reasonOf } from "../../../support/failure.ts"
import type { Log } from "../../../support/log.ts"

/** What is told about a Lease: each thing when it begins, and once. */
export class LeaseLog {
  readonly #log: Pick<Log, "info" | "warn">
  readonly #fields: { readonly lease: string; readonly identity: string }
  #leader = ""
  #trouble = ""
  #isWatchRefused = false

  /** @param lease `namespace/name` @param identity of this replica */
  constructor(log: Pick<Log, "info" | "warn">, lease: string, identity: string) {
    this.#log = log
    this.#fields = { lease, identity }
  }

  leads(isLeader: boolean): void {
    this.#leader = ""
    this.#log.info(this.#fields, isLeader ? "Leading" : "No longer leading")
  }

  released(): void {
    this.#log.info(this.#fields, "Released the Lease")
  }

  notReleased(error: unknown): void {
    this.#log.warn(
      { ...this.#fields, detail: reasonOf(error) },
      "Cannot release the Lease: it runs out by itself",
    )
  }

  /** @param leader "" when there is none */
  follows(leader: string): void {
    if (leader !== "" && leader !== this.#leader)
      this.#log.info({ ...this.#fields, leader }, "Another replica leads")
    this.#leader = leader
  }

  failed(error: unknown): void {
    const detail = reasonOf(error)
    if (detail !== this.#trouble) this.#log.warn({ ...this.#fields, detail }, "Cannot use the Lease")
    this.#trouble = detail
  }

  worked(): void {
    if (this.#trouble !== "") this.#log.info(this.#fields, "The Lease can be used again")
    this.#trouble = ""
  }

  /** Nothing depends on it but how soon a released Lease is taken. */
  watchRefused(error: unknown): void {
    if (this.#isWatchRefused) return
    this.#isWatchRefused = true
    const fields = { ...this.#fields, detail: reasonOf(error) }
    this.#log.warn(fields, "Cannot watch the Lease: it is read now and then instead")
  }
}
