import { join } from "node:path"
import { assembled } from "../../../../harness/assembly.ts"
import { root } from "../../../../harness/paths.ts"

const sources = "test/nginx/wasm/filters/assembly"

/** `probe` does what its configuration says, `rotate` goes round a posted list, `plain` has no callbacks, `mistyped` has a wrong one. */
export const filterNames = ["probe", "rotate", "plain", "mistyped", "foreigner"] as const
export type FilterName = (typeof filterNames)[number]

/** Path of a compiled test filter (filters/assembly). */
export function filter(name: FilterName): Promise<string> {
  const options = ["--runtime", "incremental", "-O3"]
  const inputs = [sources, "policy-as/assembly/lib/abi.ts"]
  return assembled({ name, folder: join(root, sources), entry: `${name}.ts`, options, inputs })
}
