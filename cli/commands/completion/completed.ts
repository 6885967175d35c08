import { type CommandFlag, commonFlags, type Topics } from "../command.ts"

/** What may stand behind `wick NAME`. */
export interface Completed {
  readonly name: string
  readonly summary: string
  /** its first operand, where that is one of a few words */
  readonly words: readonly string[]
  readonly flags: readonly CommandFlag[]
}

/** Of all commands. */
export async function completedIn(topics: Topics): Promise<readonly Completed[]> {
  const all = Object.values(topics).flat()
  const names = all.map(({ name }) => name)
  return Promise.all(
    all.map(async ({ name, summary, operands, load }) => {
      const command = await load()
      const words = command.words ?? (operands === "[COMMAND]" ? names : [])
      return { name, summary, words, flags: [...(command.flags ?? []), ...commonFlags(command)] }
    }),
  )
}

/** `--name`, and `-n` where there is one. */
export function spellings({ name, short }: CommandFlag): readonly string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`]
}
