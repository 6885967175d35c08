// Which parts of `npm test` have to run: all but those that passed on this machine with the same inputs.
import { made } from "./made.ts"
import type { ByFile, Part } from "./parts.ts"
import { fingerprintOf, type Pass, type Passed } from "./passed.ts"
import type { Reach } from "./reach.ts"
import { hashesOf, type Tree } from "./tree.ts"

/** A part, or one of its files, with all that it depends on. */
export interface Item {
  /** path of the file of tests; absent: the part as a whole */
  readonly file?: string
  /** every file of the checkout that it depends on; in order */
  readonly inputs: readonly string[]
  /** `undefined`: nothing is remembered of it */
  readonly fingerprint: string | undefined
}

/** What is to be done of a part. */
export interface Task {
  readonly part: Part
  /** what runs; none: nothing does */
  readonly items: readonly Item[]
  /** what passed before, with the same inputs */
  readonly unchanged: readonly Pass[]
}

export interface Known {
  readonly tree: Tree
  readonly reach: Reach
  /** what else decides: versions of programs, environment */
  readonly surroundings: readonly string[]
}

/** All of a part, each with its inputs. */
export function itemsOf(part: Part, known: Known): readonly Item[] {
  const { tree, reach, surroundings } = known
  const hashOf = hashesOf(tree)
  const common = (part.inputs ?? []).flatMap((path) => tree.files(path))
  const around = [...surroundings, ...part.made.map((name) => `${name} ${made[name].hash()}`)]
  const item = (inputs: readonly string[], file?: string): Item => {
    const all = [...new Set([...common, ...inputs])].sort()
    const fingerprint =
      part.inputs === undefined ? undefined : fingerprintOf(file ?? part.name, around, all, hashOf)
    return { ...(file === undefined ? {} : { file }), inputs: all, fingerprint }
  }
  if (part.kind === "whole") return [item([])]
  return testsOf(part, tree).map((file) => item(reach.of(file), file))
}

function testsOf(part: ByFile, tree: Tree): readonly string[] {
  return tree.files("test").filter((path) => part.isTest(path))
}

/** @param isWanted says which items concern the caller at all; the others are left out of the task */
export function taskOf(
  part: Part,
  items: readonly Item[],
  passed: Passed | undefined,
  isWanted: (item: Item, part: Part) => boolean = () => true,
): Task {
  const unchanged: Pass[] = []
  const open: Item[] = []
  for (const item of items.filter((each) => isWanted(each, part))) {
    const pass = item.fingerprint === undefined ? undefined : passed?.find(item.fingerprint)
    if (pass === undefined) open.push(item)
    else unchanged.push(pass)
  }
  return { part, items: open, unchanged }
}
