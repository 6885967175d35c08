import { expect, test } from "vitest"
import { flagTable } from "../../../../controller/core/options/flag-table.ts"
import { parseFlags } from "../../../../controller/core/options/flags.ts"
import { ownPorts } from "../../../../controller/core/options/own-ports.ts"

const names = Object.entries(flagTable)
  .filter(([name, flag]) => name.endsWith("-port") && flag.unused === undefined)
  .map(([name]) => `--${name}`)

test("the flag of every port that is opened is in the list", () => {
  const args = names.map((name, at) => `${name}=${20_000 + at}`)
  const command = parseFlags([...args, "--profiling"])
  if (command.kind !== "run") throw new Error(JSON.stringify(command))
  const ports = new Map(ownPorts(command.options).map(({ flag, port }) => [flag, port]))
  expect(names.map((name) => ports.get(name))).toEqual(names.map((_, at) => 20_000 + at))
})
