import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { root } from "../../harness/paths.ts"

/**
 * The files that take longest, the longest first (test/measure.ts). Vitest knows durations only where it has run before, and else takes the size of a
 * file for it: in a fresh checkout one of these would begin when all others have ended, and a core would wait for it.
 * They stand in a file of their own, as a source reaches what it names (test/run/reach.ts).
 */
export const longest: readonly string[] = readFileSync(join(import.meta.dirname, "longest.txt"), "utf8")
  .trim()
  .split("\n")

/** Those files, then the others in vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.indexOf(relative(root, moduleId))
  return place < 0 ? longest.length : place
}
