// What setup makes of the sources. Tests depend on what was made, not on its sources: a comment in Rust changes no module.

import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { balancerFile, modulesDir, root } from "../../harness/paths.ts"
import { crates } from "../support/rust-modules.ts"

/** The workspace of the crates; templates lie beside them. */
export const workspace: readonly string[] = [
  ...["Cargo.toml", "Cargo.lock", ".cargo", "rustfmt.toml"],
  ...crates(),
].map((name) => `nginx/${name}`)

export type Made = "modules" | "filter" | "nginx"

interface Product {
  /** Files and folders of the checkout that it is made of. */
  readonly sources: readonly string[]
  /** A hash of what was made. @throws when it is not there */
  readonly hash: () => string
}

export const made: Readonly<Record<Made, Product>> = {
  modules: {
    sources: [...workspace, "build/modules.sh", "build/cargo-env.sh", "build/lib.sh", "build/versions.env"],
    hash: () =>
      hashOf(
        ...readdirSync(modulesDir)
          .sort()
          .map((name) => join(modulesDir, name)),
      ),
  },
  filter: {
    sources: ["balancer-as", "policy-as/assembly/lib", "build/balancer.sh", "package-lock.json"],
    hash: () => hashOf(balancerFile),
  },
  // Headers and program of a package: its configuration names the version.
  nginx: {
    sources: ["build/nginx.sh", "build/versions.env"],
    hash: () =>
      hashOf(join(root, "out/nginx/usr/sbin/nginx"), join(root, "out/nginx-src/objs/ngx_auto_config.h")),
  },
}

function hashOf(...files: readonly string[]): string {
  const hash = createHash("sha256")
  for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest("hex")
}
