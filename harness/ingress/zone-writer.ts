// The test module that puts any bytes into a zone.
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "../paths.ts"

/** Path of the compiled module. All tests find it compiled (test/prepare.ts); for a single file it is compiled now, when it is not fresh. */
export async function zoneWriter(): Promise<string> {
  await promisify(execFile)(join(root, "build/test-modules.sh"), ["nginx/ingress/examples/zone_writer.rs"])
  return join(root, "out/test-modules/zone_writer.so")
}
