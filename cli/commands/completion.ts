import { type Command, usage } from "./command.ts"
import { completedIn } from "./completion/completed.ts"
import { scripts, shells } from "./completion/scripts.ts"

export const completion: Command = {
  name: "completion",
  description: [
    "Prints a script that makes a shell complete commands, flags and the codes of Problems:",
    "",
    "  bash  source <(wick completion bash), in ~/.bashrc",
    "  zsh   source <(wick completion zsh), in ~/.zshrc behind compinit",
    "  fish  wick completion fish > ~/.config/fish/completions/wick.fish",
  ],
  words: shells,
  async run({ operands: [wanted] }, { write }, { topics }) {
    const shell = shells.find((name) => name === wanted)
    if (shell === undefined)
      throw usage(
        completion,
        `${wanted === undefined ? "The shell is missing" : `There is no completion for "${wanted}"`}, it is one of ${shells.join(", ")}`,
      )
    write(scripts[shell](await completedIn(topics)))
  },
}
