import { type Completed, spellings } from "./completed.ts"

// What shells read. Words are those of our own tables: letters, digits and dashes; summaries are quoted.

export const shells = ["bash", "zsh", "fish"] as const

export type Shell = (typeof shells)[number]

export const scripts: Readonly<Record<Shell, (commands: readonly Completed[]) => string>> = {
  bash,
  zsh,
  fish,
}

function bash(commands: readonly Completed[]): string {
  return `# bash completion of wick: source <(wick completion bash)
_wick() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words=
  # bash takes --flag=value for three words
  [ "$current" != = ] || current=
  [ "$previous" != = ] || previous=\${COMP_WORDS[COMP_CWORD-2]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${namesOf(commands)} --help --help-flags --version'
  else
    case "\${COMP_WORDS[1]} $previous" in
${cases(commands, (words) => `words='${words}'`)}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _wick wick
`
}

function zsh(commands: readonly Completed[]): string {
  return `#compdef wick
# zsh completion of wick: source <(wick completion zsh), or a file _wick in a folder of $fpath
_wick() {
  if (( CURRENT == 2 )); then
    compadd -- ${namesOf(commands)} --help --help-flags --version
    return
  fi
  case "\${words[2]} \${words[CURRENT-1]}" in
${cases(commands, (words) => (words === "" ? "_files" : `compadd -- ${words}`))}
  esac
}
if [ "\${funcstack[1]}" = _wick ]; then _wick "$@"; else compdef _wick wick; fi
`
}

function namesOf(commands: readonly Completed[]): string {
  return commands.map(({ name }) => name).join(" ")
}

/** By the command and the word before the one that is completed: values of that flag, else what the command takes. */
function cases(commands: readonly Completed[], offer: (words: string) => string): string {
  const lines = commands.flatMap(({ name, words, flags }) => [
    ...flags
      .filter(({ valueName }) => valueName !== undefined)
      .map(
        (flag) =>
          [
            spellings(flag)
              .map((text) => `'${name} ${text}'`)
              .join(" | "),
            flag.words ?? [],
          ] as const,
      ),
    [`'${name} '*`, [...words, ...flags.flatMap(spellings)]] as const,
  ])
  return lines.map(([pattern, words]) => `      ${pattern}) ${offer(words.join(" "))} ;;`).join("\n")
}

function fish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, summary, words, flags }) => [
    `complete -c wick -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...(words.length > 0 ? [`complete -c wick -n ${within(name)} -f -a ${quoted(words.join(" "))}`] : []),
    ...flags.map(({ name: long, short, valueName, words, meaning }) => {
      const letter = short === undefined ? "" : ` -s ${short}`
      const value = valueName === undefined ? "" : words ? ` -x -a ${quoted(words.join(" "))}` : " -r"
      return `complete -c wick -n ${within(name)} -l ${long}${letter}${value} -d ${quoted(meaning)}`
    }),
  ])
  return ["# fish completion of wick: wick completion fish | source", ...lines, ""].join("\n")
}

function within(name: string): string {
  return quoted(`__fish_seen_subcommand_from ${name}`)
}

/** As fish reads what stands between single quotes. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`
}
