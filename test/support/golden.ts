import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseAllDocuments } from "yaml"
import type { Translation } from "../../controller/core/translate/translate.ts"
import type { Change } from "../../controller/input/provider/source.ts"
import type { NameAnswer } from "../../controller/model/name-answer.ts"
import type { PolicyState } from "../../controller/model/policy-state.ts"
import { changesOf, optionsOf, translationOf } from "../../harness/translation.ts"

/**
 * Folder of the cases: `<family>/<case>/in.yaml` and, when flags or DNS matter, `options.json` with `flags` and `names` (what DNS says about
 * each) and `policies` (what is known of balancing policies); `base.yaml` holds what all share.
 */
export const golden = join(import.meta.dirname, "../golden")
export const cases: readonly string[] = globSync("*/*/in.yaml", { cwd: golden }).map(dirname).sort()

/** What a case says besides its objects. */
interface Surroundings {
  readonly flags?: readonly string[]
  readonly names?: Readonly<Record<string, NameAnswer>>
  readonly policies?: Readonly<Record<string, PolicyState>>
}

function surroundingsOf(folder: string): Surroundings {
  const file = join(folder, "options.json")
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}
}

/** Every object of a case, as it is written. */
export function objectsIn(file: string): unknown[] {
  const documents = parseAllDocuments(readFileSync(file, "utf8")).map((document): unknown => document.toJS())
  return documents.filter((value) => value !== null)
}

function changesIn(file: string): Change[] {
  return objectsIn(file).flatMap((value) => changesOf(value, file.slice(golden.length + 1)))
}

/** What the controller makes of one case, or of `base.yaml` alone when `folder` is `golden` itself. */
export function run(folder: string): Translation {
  const files = [join(golden, "base.yaml"), join(folder, "in.yaml")].filter(existsSync)
  const { flags = [], names, policies } = surroundingsOf(folder)
  return translationOf(files.flatMap(changesIn), optionsOf(flags), names, policies)
}
