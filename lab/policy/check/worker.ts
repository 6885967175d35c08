// Runs the properties in a thread of its own, which check.ts ends when a policy does not come back.
import { parentPort, workerData } from "node:worker_threads"
import type { Description } from "../description.ts"
import { checkModule } from "./module.ts"
import { properties } from "./properties.ts"

export interface Work {
  readonly wasm: Uint8Array
  readonly description: Description
}

/** `seen` or `problem`: the end of the property that was begun. */
export type Message = { readonly begun: string } | { readonly seen: string } | { readonly problem: string }

const { wasm, description } = workerData as Work
const tell = (message: Message) => parentPort?.postMessage(message)

/** @returns false after a problem */
function run(name: string, check: () => string): boolean {
  tell({ begun: name })
  try {
    tell({ seen: check() })
    return true
  } catch (error) {
    tell({ problem: error instanceof Error ? error.message : String(error) })
    return false
  }
}

let module: WebAssembly.Module | undefined
const isModule = run("is a module that wick can load", () => {
  module = new WebAssembly.Module(wasm)
  return checkModule(module, wasm.length)
})
if (isModule && module) {
  const tried = { module, description }
  for (const { name, promise, check } of properties) {
    if (promise === undefined || description.promises[promise]) run(name, () => check(tried))
  }
}
