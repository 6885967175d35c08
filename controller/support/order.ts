/**
 * Compares two texts for `sort`, by their UTF-16 code units: the same order on every machine, where `localeCompare` goes by the language that
 * is set.
 */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Compares things for `sort` by a text that each of them has. */
export function byText<T>(textOf: (thing: T) => string): (a: T, b: T) => number {
  return (a, b) => compareText(textOf(a), textOf(b))
}
