import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseAllDocuments } from "yaml"
import type { Options } from "../../controller/options/flags.ts"
import type { Translation } from "../../controller/translate/translate.ts"
import type { Change } from "../../controller/watch/source.ts"
import { changesOf, optionsOf, translationOf } from "./translation.ts"

/** Folder of the cases: `<family>/<case>/in.yaml` and, when flags matter, `options.json`; `base.yaml` holds what all share. */
export const golden = join(import.meta.dirname, "../golden")
export const cases: readonly string[] = globSync("*/*/in.yaml", { cwd: golden }).map(dirname).sort()

function flagsOf(folder: string): Options {
  const file = join(folder, "options.json")
  return optionsOf(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).flags : [])
}

function changesIn(file: string): Change[] {
  return parseAllDocuments(readFileSync(file, "utf8")).flatMap((document): Change[] => {
    const value: unknown = document.toJS()
    return value === null ? [] : changesOf(value, file.slice(golden.length + 1))
  })
}

/** What the controller makes of one case, or of `base.yaml` alone when `folder` is `golden` itself. */
export function run(folder: string): Translation {
  const files = [join(golden, "base.yaml"), join(folder, "in.yaml")].filter(existsSync)
  return translationOf(files.flatMap(changesIn), flagsOf(folder))
}
