import type { Command } from "./command.ts"
import { commandHelp, findCommand, overview } from "./command-help.ts"

export const help: Command = {
  name: "help",
  description: [
    "Lists the commands, or says how one of them is used. wick --help-flags lists the flags of the controller.",
  ],
  async run({ operands: [name] }, { write }, { topics }) {
    if (name === undefined) return write(overview(topics))
    const found = findCommand(name, topics)
    write(commandHelp(found, await found.load()))
  },
}
