import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { nodeBinary, root } from "./paths.ts"

/** What the request header `x-wick-fault` may ask for. */
export type FilterFault = "trap" | "loop" | "memory" | "address"

const kept = join(root, "out/faulty-balancer.wasm")
const sources = [
  "balancer-as/assembly",
  "policy-as/assembly/lib",
  "balancer-as/asconfig.json",
  "test/support/faulty",
]

let ready: Promise<string> | undefined

/** Path of the balancer with faults on demand (faulty/assembly); compiled when a source is newer than the last one. */
export function faultyBalancer(): Promise<string> {
  ready ??= isFresh() ? Promise.resolve(kept) : compile()
  return ready
}

function isFresh(): boolean {
  if (!existsSync(kept)) return false
  const madeMs = statSync(kept).mtimeMs
  const files = sources.flatMap((source) => filesOf(join(root, source)))
  return files.every((file) => statSync(file).mtimeMs < madeMs)
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name))
}

async function compile(): Promise<string> {
  const startedAt = new Date()
  const dir = mkdtempSync(join(root, "out/faulty-"))
  const file = join(dir, "balancer.wasm")
  const asc = join(root, "node_modules/assemblyscript/bin/asc.js")
  // The rest of the options (runtime, features, exports) are the balancer's own, so that this is the same filter.
  const options = [
    "--config",
    join(root, "balancer-as/asconfig.json"),
    "--target",
    "release",
    "--outFile",
    file,
  ]
  const entry = "../test/support/faulty/assembly/index.ts"
  await promisify(execFile)(nodeBinary, [asc, entry, ...options], { cwd: join(root, "balancer-as") })
  // As old as what it was made from, so that an edit meanwhile counts; put into place at once, since another process may do the same.
  utimesSync(file, startedAt, startedAt)
  renameSync(file, kept)
  rmSync(dir, { recursive: true })
  return kept
}
