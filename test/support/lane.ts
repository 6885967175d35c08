/** Text for stdout that waits until its turn has come, so that programs which run side by side do not speak at once. */
export class Lane {
  #held = ""
  #isOpen = false

  constructor(heading: string) {
    this.#held = heading
  }

  show(text: string): void {
    if (this.#isOpen) process.stdout.write(text)
    else this.#held += text
  }

  /** From now on text is written as it comes, after what was held back. */
  open(): void {
    process.stdout.write(this.#held)
    this.#held = ""
    this.#isOpen = true
  }
}
