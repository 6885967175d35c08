// Which items files that changed can break: those that depend on one of them, or on what is made of one.
import { execFileSync } from "node:child_process"
import { made } from "./made.ts"
import type { Part } from "./parts.ts"
import type { Item } from "./plan.ts"

/** Paths that differ from a revision of git: committed since, not committed, or new. @throws when there is no such revision */
export function changedSince(root: string, revision: string): readonly string[] {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" })
      .split("\0")
      .filter((path) => path !== "")
  return [
    ...git("diff", "--name-only", "--no-renames", "-z", revision, "--"),
    ...git("ls-files", "--others", "--exclude-standard", "-z"),
  ]
}

/** @returns whether an item of a part may be broken by these changes */
export function breaks(changed: readonly string[]): (item: Item, part: Part) => boolean {
  const files = new Set(changed)
  const isBelow = (folder: string) => changed.some((path) => path === folder || path.startsWith(`${folder}/`))
  return (item, part) =>
    // Checkers read everything.
    (part.kind === "whole" && part.inputs === undefined) ||
    item.inputs.some((path) => files.has(path)) ||
    // A file that is gone is nobody's input any more: whoever names its folder is concerned.
    part.made.some((name) => made[name].sources.some(isBelow))
}
