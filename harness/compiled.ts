// Filters that nginx has compiled, kept in out/ for the next nginx that a test starts: to compile the balancer takes most of a start.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { root } from "./paths.ts"

/** Directory for `compilation_cache` of an nginx that runs this filter. */
export function compiledDir(filter: string): string {
  return join(root, "out/compiled", basename(filter, ".wasm"))
}

const kept = join(root, "out/compiled/wick/balancer.cwasm")

const compiledIn = (runtimeDir: string) => join(runtimeDir, "compiled/balancer.cwasm")

/** Gives a wick that is about to start what one before it has compiled. */
export function bringCompiled(runtimeDir: string): void {
  const own = compiledIn(runtimeDir)
  if (!existsSync(kept) || existsSync(own)) return
  mkdirSync(dirname(own), { recursive: true, mode: 0o711 })
  copyFileSync(kept, own)
}

/** Keeps what a wick has compiled, for the next one. */
export function keepCompiled(runtimeDir: string): void {
  const own = compiledIn(runtimeDir)
  if (!existsSync(own) || (existsSync(kept) && readFileSync(kept).equals(readFileSync(own)))) return
  mkdirSync(dirname(kept), { recursive: true })
  copyFileSync(own, `${kept}.${process.pid}`)
  renameSync(`${kept}.${process.pid}`, kept)
}
