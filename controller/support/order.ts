/**
 * Compares two texts for `sort`, by their UTF-16 code units: the same order on every machine, where `localeCompare` goes by the language that
 * is set.
 */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
