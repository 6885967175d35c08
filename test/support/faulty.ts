import { execFile } from "node:child_process"
import { mkdtempSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { nodeBinary, root } from "./paths.ts"

/** What the request header `x-wick-fault` may ask for. */
export type FilterFault = "trap" | "loop" | "memory" | "address"

let compiled: Promise<string> | undefined

/** Compiles the balancer with faults on demand (faulty/assembly) and returns its path. Once for each process. */
export function faultyBalancer(): Promise<string> {
  compiled ??= compile()
  return compiled
}

async function compile(): Promise<string> {
  const dir = mkdtempSync(join(root, "out/faulty-"))
  const file = join(dir, "balancer.wasm")
  const asc = join(root, "node_modules/assemblyscript/bin/asc.js")
  const options = [
    "--config",
    join(root, "balancer-as/asconfig.json"),
    "--target",
    "release",
    "--outFile",
    file,
  ]
  // The rest of the options (runtime, features, exports) are the balancer's own, so that this is the same filter.
  await promisify(execFile)(nodeBinary, [asc, "../test/support/faulty/assembly/index.ts", ...options], {
    cwd: join(root, "balancer-as"),
  })
  // Put into place at once: another process may be doing the same.
  const kept = join(root, "out/faulty-balancer.wasm")
  renameSync(file, kept)
  rmSync(dir, { recursive: true })
  return kept
}
