/** What the laboratory's commands have in common. */

/** Runs a command; what goes wrong is one sentence. */
export async function command(main: () => void | Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}

/** @throws Error that says what the option must be */
export function wholeNumber(name: string, text: string, max: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new Error(`--${name} must be a whole number from 1 to ${max}, not "${text}"`)
}
