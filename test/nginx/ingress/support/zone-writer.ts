// The test module that puts any bytes into a zone (nginx/ingress/examples/zone_writer.rs), compiled when it is not fresh.
import { execFile } from "node:child_process"
import { homedir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "../../../support/paths.ts"

const cache = process.env.WICK_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "wick")

/** Path of the compiled module. */
export async function zoneWriter(): Promise<string> {
  const target = join(cache, "target")
  const env = {
    ...process.env,
    NGINX_SOURCE_DIR: join(root, "out/nginx-src"),
    NGINX_BUILD_DIR: join(root, "out/nginx-src/objs"),
    CARGO_TARGET_DIR: target,
  }
  const args = [
    "build",
    "--release",
    "--locked",
    "--quiet",
    "--package",
    "wick-ingress",
    "--example",
    "zone_writer",
  ]
  await promisify(execFile)("cargo", args, { cwd: join(root, "nginx"), env })
  // By the processor that it is compiled for when that is another one (build/arm64.sh).
  return join(target, process.env.CARGO_BUILD_TARGET ?? "", "release/examples/libzone_writer.so")
}
