/** One flag as it stands on the command line. */
interface Occurrence {
  /** without dashes; the long name even when the letter stood there */
  readonly name: string
  readonly text: string
}

/** What has to be known about a flag to find where its value is. */
export interface Shape {
  readonly isToggle: boolean
}

export interface Arguments {
  readonly occurrences: readonly Occurrence[]
  /** one sentence for each argument that cannot be read */
  readonly errors: readonly string[]
}

/**
 * Takes arguments apart as Go's pflag does: `--name=value`, `--name value`, `-n value`, `-n=value`, `-nvalue`. A switch takes no separate
 * value, so `--switch false` is the switch and a stray word.
 *
 * @param shapes the known flags by their long name; @param letters long names by their one-letter form
 */
export function readArguments(
  args: readonly string[],
  shapes: ReadonlyMap<string, Shape>,
  letters: ReadonlyMap<string, string>,
): Arguments {
  const occurrences: Occurrence[] = []
  const errors: string[] = []
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const { written, name, attached } = takeApart(arg, letters)
    const shape = shapes.get(name)
    if (written === "") errors.push(`Unexpected argument ${JSON.stringify(arg)}: flags start with two dashes`)
    else if (!shape) errors.push(`Unknown flag ${written}: --help lists all of them`)
    else if (attached !== undefined) occurrences.push({ name, text: attached })
    else if (shape.isToggle) occurrences.push({ name, text: "true" })
    else if (rest.length === 0) errors.push(`Flag ${written} lacks its value: write ${written}=VALUE`)
    else occurrences.push({ name, text: rest.shift() ?? "" })
  }
  return { occurrences, errors }
}

/** `written` is the flag with its dashes, "" when the argument is none; `attached` the value within the same argument. */
function takeApart(arg: string, letters: ReadonlyMap<string, string>) {
  const [, long, longValue] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? []
  if (long !== undefined) return { written: `--${long}`, name: long, attached: longValue }
  const [, letter, equals, rest] = /^-([^-=])(=?)(.*)$/s.exec(arg) ?? []
  if (letter === undefined) return { written: "", name: "", attached: undefined }
  const attached = equals === "=" || rest !== "" ? rest : undefined
  return { written: `-${letter}`, name: letters.get(letter) ?? "", attached }
}
