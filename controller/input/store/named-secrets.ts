import type { Secret } from "../../model/objects/secret.ts"

/** The Secrets, and which of them anybody names: nobody is to see any other. */
export class NamedSecrets {
  readonly #isNamed: (name: string) => boolean
  readonly #all = new Map<string, Secret>()
  #view: ReadonlyMap<string, Secret> = new Map()
  /** those that may be other ones in the next view */
  readonly #changed = new Set<string>()

  /** @param isNamed whether anybody names it now, by `namespace/name` */
  constructor(isNamed: (name: string) => boolean) {
    this.#isNamed = isNamed
  }

  get(name: string): Secret | undefined {
    return this.#all.get(name)
  }

  /** Replaces or removes a Secret. @returns whether anybody names it */
  put(name: string, secret: Secret | undefined): boolean {
    if (secret === undefined) this.#all.delete(name)
    else this.#all.set(name, secret)
    this.#changed.add(name)
    return this.#isNamed(name)
  }

  /** It is named now and was not before, or the other way round. */
  rename(name: string): void {
    this.#changed.add(name)
  }

  /** Those that are named; the same object while none of them changes. */
  view(): ReadonlyMap<string, Secret> {
    const changes = [...this.#changed]
      .map((name) => [name, this.#isNamed(name) ? this.#all.get(name) : undefined] as const)
      .filter(([name, secret]) => this.#view.get(name) !== secret)
    this.#changed.clear()
    if (changes.length === 0) return this.#view
    const view = new Map(this.#view)
    for (const [name, secret] of changes) {
      if (secret === undefined) view.delete(name)
      else view.set(name, secret)
    }
    this.#view = view
    return view
  }
}
