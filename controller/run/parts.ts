/**
 * A part of the process. It starts with what the parts before it have given, and leaves on `stops` what is to be done at the end.
 *
 * @returns what the parts behind it may use
 */
export type Part<Before, Gives extends object> = (
  before: Before,
  stops: AsyncDisposableStack,
) => Gives | Promise<Gives>

/** A list of parts: they are started from left to right, each when those before it have been, and `stops` has them stopped from right to left. */
export class Parts<Has extends object> {
  readonly #started: Promise<Has>
  readonly #stops: AsyncDisposableStack

  private constructor(started: Promise<Has>, stops: AsyncDisposableStack) {
    this.#started = started
    this.#stops = stops
  }

  /** @param has what the first part may use */
  static with<Has extends object>(has: Has, stops: AsyncDisposableStack): Parts<Has> {
    return new Parts(Promise.resolve(has), stops)
  }

  /** One more. After a part that could not be started none is. */
  and<Gives extends object>(part: Part<Has, Gives>): Parts<Has & Gives> {
    return new Parts(this.#add(part), this.#stops)
  }

  /** What all of them give. @throws what the first one threw that could not be started */
  started(): Promise<Has> {
    return this.#started
  }

  async #add<Gives extends object>(part: Part<Has, Gives>): Promise<Has & Gives> {
    const has = await this.#started
    return { ...has, ...(await part(has, this.#stops)) }
  }
}
