import type { Secret } from "../objects/secret.ts"

/** The Secrets, and which of them anybody names: nobody is to see any other. */
export class NamedSecrets {
  readonly #names: () => Iterable<string>
  readonly #all = new Map<string, Secret>()
  #view: ReadonlyMap<string, Secret> | undefined

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
    if (isNamed) this.#view = undefined
  }

  /** Others may be named now. */
  rename(): void {
    this.#view = undefined
  }

  /** Those that are named; the same object while none of them changes. */
  view(): ReadonlyMap<string, Secret> {
    this.#view ??= this.#found()
    return this.#view
  }

  #found(): ReadonlyMap<string, Secret> {
    const found = new Map<string, Secret>()
    for (const name of this.#names()) {
      const secret = this.#all.get(name)
      if (secret !== undefined) found.set(name, secret)
    }
    return found
  }
}
