// An installation of wick that can be replaced by another build: the same code with other bytes behind it, in the place of what nginx has in memory.
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { balancerFile, modulesDir } from "./paths.ts"

export class InstalledBuilds implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "wick-installed-"))
  #builds = 0

  constructor() {
    this.replace()
    copyFileSync(balancerFile, join(this.#folder, "balancer.wasm"))
  }

  /** By which wick runs from it. */
  get flags(): readonly string[] {
    return [`--module=${this.#folder}`, `--balancer=${join(this.#folder, "balancer.wasm")}`]
  }

  /** At once, as package managers do. */
  replace(): void {
    this.#builds += 1
    const note = Buffer.from(`build ${this.#builds}`)
    for (const file of ["ngx_http_wasm_module.so", "ngx_http_ingress_module.so"]) {
      const path = join(this.#folder, file)
      writeFileSync(`${path}.part`, Buffer.concat([readFileSync(join(modulesDir, file)), note]))
      renameSync(`${path}.part`, path)
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true })
  }
}
