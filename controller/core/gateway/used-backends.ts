import { CountedList } from "../../support/incremental/counted-list.ts"
import type { DeclaredBackend } from "../declared/backend.ts"
import type { RouteChange } from "./followed-routes.ts"

/** The backends that routes use, kept from pass to pass. What has one name is the same: the name says all of it. */
export class UsedBackends {
  readonly #all = new CountedList<DeclaredBackend>(
    ({ name }) => name,
    () => true,
  )

  /** @returns each once, in the order of their names; the same list while they are the same */
  follow(changes: readonly RouteChange[]): readonly DeclaredBackend[] {
    // First those that came: what they share with those that went stays the same object.
    for (const { after } of changes) for (const backend of after?.built.backends ?? []) this.#all.add(backend)
    for (const { before } of changes)
      for (const backend of before?.built.backends ?? []) this.#all.remove(backend)
    return this.#all.items()
  }
}
