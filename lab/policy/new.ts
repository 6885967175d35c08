/** Writes the folder of a new policy: the starter, a trace, and where an editor finds the package. */
import { cpSync, existsSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { root } from "../../harness/paths.ts"
import { generate } from "../simulate/scenarios.ts"
import { print } from "../simulate/trace.ts"
import { Failure } from "./failure.ts"

/** A minute in which one of six endpoints becomes slow. */
const scenario = "one-slow-endpoint"
const size = { seed: 1, seconds: 60, endpoints: 6, rate: 20 }

/** As `load-balance: wasm/NAME` demands. */
const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** @returns the folder @throws Failure when the name will not do, or something is there */
export function create(name: string): string {
  if (!dnsLabel.test(name)) {
    throw new Failure(
      `"${name}" cannot be the name of a policy: it must have small letters, digits and hyphens only`,
    )
  }
  const folder = resolve(name)
  if (existsSync(folder)) throw new Failure(`${folder} exists already`)
  const isOwn = (path: string) => basename(path) !== "build"
  cpSync(join(root, "policy-as/starter"), folder, { recursive: true, filter: isOwn })
  writeFileSync(join(folder, "trace.jsonl"), print(generate(scenario, size)))
  writeFileSync(join(folder, "tsconfig.json"), `${JSON.stringify(editor, undefined, 2)}\n`)
  writeFileSync(join(folder, ".gitignore"), "/build/\n")
  return folder
}

/** Types for editors; nothing else reads it. */
const editor = {
  extends: join(root, "node_modules/assemblyscript/std/assembly.json"),
  compilerOptions: { paths: { "wick-policy": [join(root, "policy-as/assembly/index.ts")] } },
  include: ["policy.ts"],
}
