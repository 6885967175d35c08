// The proofs about faults, and the demo, use a filter that is the balancer and can fault besides. Here it is shown to be one.
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { faultyBalancer } from "../../../harness/faulty.ts"
import { balancerFile } from "../../../harness/paths.ts"

function describeModule(file: string) {
  const module = new WebAssembly.Module(readFileSync(file))
  const exports = WebAssembly.Module.exports(module).map(({ name, kind }) => `${kind} ${name}`)
  const imports = WebAssembly.Module.imports(module).map(({ name }) => name)
  return { exports: exports.sort(), imports }
}

test("the filter with faults has the balancer's exports, and imports but a header's value besides", async () => {
  const balancer = describeModule(balancerFile)
  const faulty = describeModule(await faultyBalancer())
  expect(faulty.exports).toEqual(balancer.exports)
  const expected = new Set([...balancer.imports, "proxy_get_header_map_value"])
  expect(faulty.imports.filter((name) => !expected.has(name))).toEqual([])
})
