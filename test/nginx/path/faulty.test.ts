// The proofs about faults, and the demo, use a filter that is the balancer and can fault besides. Here it is shown to be one.
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { faultyBalancer } from "../../support/faulty.ts"
import { balancerFile } from "../../support/paths.ts"

async function describeModule(file: string) {
  const module = await WebAssembly.compile(readFileSync(file))
  const exports = WebAssembly.Module.exports(module).map(({ name, kind }) => `${kind} ${name}`)
  const imports = WebAssembly.Module.imports(module).map(({ name }) => name)
  return { exports: exports.sort(), imports: new Set(imports) }
}

test("the filter with faults exports what the balancer exports, and imports nothing more than a header's value", async () => {
  const balancer = await describeModule(balancerFile)
  const faulty = await describeModule(await faultyBalancer())
  expect(faulty.exports).toEqual(balancer.exports)
  expect([
    ...faulty.imports.difference(new Set([...balancer.imports, "proxy_get_header_map_value"])),
  ]).toEqual([])
})
