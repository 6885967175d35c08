import { expect, test } from "vitest"
import { parseFlags } from "../../../../controller/core/options/flags.ts"
import { translateOptions } from "../../../../controller/core/options/translation.ts"

function optionsOf(...args: readonly string[]) {
  const command = parseFlags(args)
  if (command.kind !== "run") throw new Error("These flags should be taken")
  return translateOptions(command.options)
}

test("every listener of wick's own beside the traffic's is nobody's endpoint", () => {
  const files = ["--validating-webhook-certificate=cert", "--validating-webhook-key=key"]
  expect([...optionsOf().endpoints.ownPorts]).toEqual([80, 443, 8181, 10246, 10254])
  expect([...optionsOf("--validating-webhook=:8443", ...files).endpoints.ownPorts]).toContain(8443)
  expect([...optionsOf("--ui-port=10290").endpoints.ownPorts]).toContain(10_290)
})
