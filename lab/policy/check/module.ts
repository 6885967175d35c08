/** What of a module can be seen without running it: size, exports, imports. */
import { isImport, limits } from "../abi.ts"
import { Failure } from "../failure.ts"

const required = ["memory", "proxy_on_upstream_select"]
const allocators = ["proxy_on_memory_allocate", "malloc"]

/** Hints for what compilers import on their own. */
const hints: Readonly<Record<string, string>> = {
  "env.Date.now": "take request.nowMs",
  "env.console.log": "take log of wick-policy",
}

/** @throws Failure with what is wrong */
export function checkModule(module: WebAssembly.Module, bytes: number): string {
  if (bytes > limits.moduleBytes) throw new Failure(`It has ${bytes} bytes; 4 MiB are allowed`)
  const exported = new Set(WebAssembly.Module.exports(module).map(({ name }) => name))
  const missing = required.find((name) => !exported.has(name))
  if (missing !== undefined) throw new Failure(`It does not export ${missing}`)
  if (!allocators.some((name) => exported.has(name)))
    throw new Failure(`It exports none of ${allocators.join(", ")}`)
  if (![...exported].some((name) => /^proxy_abi_version_0_2_\d$/.test(name))) {
    throw new Failure("It does not export proxy_abi_version_0_2_1, which says that it speaks Proxy-Wasm")
  }
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) checkImport(from, name, kind)
  return `${(bytes / 1024).toFixed(1)} KiB`
}

function checkImport(from: string, name: string, kind: string): void {
  if (kind === "function" && isImport(from, name)) return
  const hint = hints[`${from}.${name}`]
  throw new Failure(`It imports ${from}.${name}, which wick does not have${hint ? `: ${hint}` : ""}`)
}
