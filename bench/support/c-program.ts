import { execFileSync } from "node:child_process"
import { join } from "node:path"

/** Compiles `<name>.c` of this folder into `folder`. @param libraries as cc has them, `-lssl` @returns the program's path */
export function compileC(name: string, folder: string, ...libraries: readonly string[]): string {
  const program = join(folder, name)
  const source = join(import.meta.dirname, `${name}.c`)
  execFileSync("cc", ["-O2", "-o", program, source, ...libraries], { stdio: "inherit" })
  return program
}
