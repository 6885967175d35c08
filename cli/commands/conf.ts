import { readConf } from "../../controller/inspect/in-force.ts"
import { checksumOf } from "../../controller/support/content-name.ts"
import { type Command, withRunning } from "./command.ts"
import { writeJson } from "./terminal.ts"

export const conf: Command = {
  name: "conf",
  description: [
    "Prints the nginx.conf that nginx runs with. Hosts, paths and endpoints are not in it: see wick routes and wick backends.",
    "With --json: where it lies, its checksum, and the settings and locations from which it was printed.",
  ],
  run: (asked, terminal) =>
    withRunning(asked, async ({ layout, hash }) => {
      const { text, fixed } = await readConf(layout)
      if (asked.json) writeJson(terminal, { file: layout.conf, checksum: checksumOf(hash), ...fixed })
      else terminal.write(text)
    }),
}
