import { type KeyEntry, noObjects, type Section, type UnneededKey } from "./key.ts"
import { families, type Settings } from "./settings.ts"

// The entries of all families as lists, in order of the families.

/** A key that has an effect, and the setting that it fills. */
export interface Key extends KeyEntry {
  readonly field: keyof Settings
  readonly section: Section
  /** the setting when the key is absent */
  readonly initial: unknown
}

const entries = families.flatMap(({ section, entries }) =>
  Object.entries<KeyEntry | UnneededKey>(entries).map(([field, entry]) => ({
    section,
    ...entry,
    field: field as keyof Settings, // only of those that fill one
  })),
)

export const keys: readonly Key[] = entries.flatMap((entry) =>
  "parse" in entry ? [{ ...entry, initial: initialOf(entry) }] : [],
)

function initialOf({ name, parse, default: text }: KeyEntry): unknown {
  const parsed = parse(text, noObjects)
  if (parsed.kind === "refused")
    throw new Error(`default ${JSON.stringify(text)} of ${name}: ${parsed.reason}`)
  return parsed.value
}

export const unneededKeys = entries.filter((entry) => "unneeded" in entry)
