import type { Secret } from "../objects/secret.ts"

/** The Secrets, and which of them anybody names: nobody is to see any other. */
export class NamedSecrets {
  readonly #names: () => Iterable<string>
  readonly #all = new Map<string, Secret>()
  #view: ReadonlyMap<string, Secret> | undefined
  /** named Secrets that are other ones than in the view */
  readonly #changed = new Set<string>()

  /** @param names `namespace/name` of each that is named now, whether it exists or not */
  constructor(names: () => Iterable<string>) {
    this.#names = names
  }

  get(name: string): Secret | undefined {
    return this.#all.get(name)
  }

  /** Replaces or removes a Secret. @param isNamed whether anybody names it */
  put(name: string, secret: Secret | undefined, isNamed: boolean): void {
    if (secret === undefined) this.#all.delete(name)
    else this.#all.set(name, secret)
    if (isNamed) this.#changed.add(name)
  }

  /** Others may be named now. */
  rename(): void {
    this.#view = undefined
  }

  /** Those that are named; the same object while none of them changes. */
  view(): ReadonlyMap<string, Secret> {
    if (this.#view === undefined) this.#view = this.#found(new Map(), this.#names())
    else if (this.#changed.size > 0) this.#view = this.#found(new Map(this.#view), this.#changed)
    this.#changed.clear()
    return this.#view
  }

  /** Puts the Secrets of these names into a view, as they are now. */
  #found(view: Map<string, Secret>, names: Iterable<string>): ReadonlyMap<string, Secret> {
    for (const name of names) {
      const secret = this.#all.get(name)
      if (secret === undefined) view.delete(name)
      else view.set(name, secret)
    }
    return view
  }
}
