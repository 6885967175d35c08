/** Networks of one list that people are shown. */
const maxShown = 5

/** The networks of an address list, as people are shown them. */
export function networks(ranges: readonly string[]): string {
  const more = ranges.length - maxShown
  return `${ranges.slice(0, maxShown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

/** Of a list that a route names, and without which its host is not served. */
export function missingNote(kind: "address" | "user", id: string): string {
  return `${kind} list ${id} is not in force: requests get 503`
}
