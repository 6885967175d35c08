/** Networks of one list that people are shown. */
const maxShown = 5

/** The networks of an address list, as people are shown them. */
export function networks(ranges: readonly string[]): string {
  const more = ranges.length - maxShown
  return `${ranges.slice(0, maxShown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

/** @param id of an address list that a route names, without which its host is not served */
export function missingNote(id: string): string {
  return `address list ${id} is not in force: requests get 503`
}
