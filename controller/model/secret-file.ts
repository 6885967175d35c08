/** What nginx reads from a file of its own. */
export interface SecretFile {
  /** hash of the text, so that a file's content never changes */
  readonly name: string
  readonly text: SecretText
}

/** A text that goes into such a file and nowhere else: printed in any other way it is `[redacted]`. */
export class SecretText {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return "[redacted]"
  }

  toJSON(): string {
    return "[redacted]"
  }
}
