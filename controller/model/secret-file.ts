import { createHash } from "node:crypto"

/** What nginx reads from a file of its own. */
export interface SecretFile {
  /** hash of the text, so that a file's content never changes */
  readonly name: string
  readonly text: SecretText
  /** absent: the file holds the text as it is; otherwise the bytes that it stands for */
  readonly encoding?: "base64"
}

/** @param ending of the name, with its dot */
export function secretFile(text: string, ending: string, encoding?: "base64"): SecretFile {
  const name = `${createHash("sha256").update(text).digest("hex").slice(0, 32)}${ending}`
  return { name, text: new SecretText(text), ...(encoding && { encoding }) }
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
