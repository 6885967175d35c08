import { contentName } from "../support/content-name.ts"

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
  const name = `${contentName(text)}${ending}`
  return { name, text: new SecretText(text), ...(encoding && { encoding }) }
}

/** What is in the file. */
export function bytesOf({ text, encoding }: SecretFile): Buffer {
  return Buffer.from(text.reveal(), encoding ?? "utf8")
}

/** Whether the same is in both, however it is written down here. */
export function isSameFile(a: SecretFile, b: SecretFile): boolean {
  return (a.encoding === b.encoding && a.text.equals(b.text)) || bytesOf(a).equals(bytesOf(b))
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

  equals(other: SecretText): boolean {
    return this.#text === other.#text
  }

  toString(): string {
    return "[redacted]"
  }

  toJSON(): string {
    return "[redacted]"
  }
}
