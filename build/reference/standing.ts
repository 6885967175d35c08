import { readFileSync } from "node:fs"
import { join } from "node:path"
import { annotations } from "../../controller/core/annotations/table.ts"
import type { Flag } from "../../controller/core/options/flag.ts"
import { flagTable } from "../../controller/core/options/flag-table.ts"
import { logging } from "../../controller/core/options/flags/klog.ts"
import { keys, unneededKeys } from "../../controller/core/options/key-table.ts"
import { unusedKeys } from "../../controller/core/options/keys/unused.ts"

// What becomes of everything that ingress-nginx 1.15 can be told. The lists of names are ingress-nginx's, the rest is what the tables of the code say.

/** What becomes of an annotation, a key or a flag of ingress-nginx. */
export type Standing =
  | { readonly kind: "effective" }
  /** what it is about does not arise, or what it asks for is not done: why, and what to do instead (Markdown) */
  | { readonly kind: "unneeded" | "refused"; readonly reason: string }

/** Annotations, keys or flags. */
export interface Kind {
  readonly name: "annotations" | "keys" | "flags"
  readonly title: string
  /** the page that says the rest */
  readonly page: string
  readonly standings: ReadonlyMap<string, Standing>
}

const names: Readonly<Record<Kind["name"], readonly string[]>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "ingress-nginx.json"), "utf8"),
)

const effective: Standing = { kind: "effective" }

const ofAnnotations = new Map<string, Standing>([
  ...annotations.map(
    ({ name, idle, description }) => [name, idle ? { kind: idle, reason: description } : effective] as const,
  ),
])

const ofKeys = new Map<string, Standing>([
  ...keys.map(({ name }) => [name, effective] as const),
  ...unneededKeys.map(
    ({ name, unneeded }) => [name, { kind: "unneeded", reason: linkedTo("configmap.md", unneeded) }] as const,
  ),
  ...Object.entries(unusedKeys).map(
    ([name, instead]) =>
      [name, { kind: "unneeded", reason: `ingress-nginx does nothing with it either: ${instead}` }] as const,
  ),
])

const ofFlags = new Map(
  Object.entries<Flag<unknown>>(flagTable).map(([name, { unused }]) => [name, ofFlag(unused)] as const),
)

function ofFlag(unused: Flag<unknown>["unused"]): Standing {
  if (unused === undefined) return effective
  return "unneeded" in unused
    ? { kind: "unneeded", reason: unused.unneeded }
    : { kind: "refused", reason: unused.refused }
}

/** A link within its page, for another. */
function linkedTo(page: string, text: string): string {
  return text.replaceAll("](#", `](${page}#`)
}

/** @throws Error when the code does not know one of the names */
function standings(
  kind: Kind["name"],
  known: ReadonlyMap<string, Standing>,
  isCounted: (name: string) => boolean = () => true,
): ReadonlyMap<string, Standing> {
  const rows = names[kind].filter(isCounted).map((name) => {
    const standing = known.get(name)
    if (standing === undefined) throw new Error(`${name}, one of the ${kind}, has no entry in the code`)
    return [name, standing] as const
  })
  return new Map(rows)
}

/** Flags without those of the logging library. */
export const kinds: readonly Kind[] = [
  {
    name: "annotations",
    title: "Annotations",
    page: "annotations.md",
    standings: standings("annotations", ofAnnotations),
  },
  {
    name: "keys",
    title: "Keys of the ConfigMap",
    page: "configmap.md",
    standings: standings("keys", ofKeys),
  },
  {
    name: "flags",
    title: "Flags",
    page: "flags.md",
    standings: standings("flags", ofFlags, (name) => !(name in logging)),
  },
]
