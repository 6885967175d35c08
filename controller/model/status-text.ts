/**
 * What this controller says in the status of an object of the Gateway API, in one line: what says the same has the same text, whatever the order of
 * conditions and fields. It is what a status is compared by, for thousands of objects, and what is kept of each.
 */
export type StatusText = string

/** A status, of whichever kind, as it was of one generation of its object. */
export interface GeneralStatus {
  /** 0 where there are no conditions that could be about one */
  readonly generation: number
  readonly status: object
}

/** The text of a status, as it is wanted or was found. */
export function printStatus({ generation, status }: GeneralStatus): StatusText {
  const text = JSON.stringify(ordered(status))
  return JSON.stringify([text.includes('"conditions":[{') ? generation : 0, text])
}

export function parseStatus(text: StatusText): GeneralStatus {
  const [generation, status] = JSON.parse(text)
  return { generation, status: JSON.parse(status) }
}

/** Lists whose order says nothing. */
const unordered = new Set([
  "conditions",
  "parents",
  "ancestors",
  "listeners",
  "supportedFeatures",
  "supportedKinds",
])

function ordered(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => ordered(item))
    return unordered.has(name) ? sortedByText(items) : items
  }
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, ordered(item, key)]))
}

function sortedByText(items: readonly unknown[]): readonly unknown[] {
  return items
    .map((item) => [JSON.stringify(item), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item)
}

const noParents = printStatus({ generation: 0, status: { parents: [] } })
const noAncestors = printStatus({ generation: 0, status: { ancestors: [] } })

/** What is said of an object that has nothing to do with us any more; undefined: of this kind that is nothing that we would take back. */
export function noEntries(kind: string): StatusText | undefined {
  if (kind === "BackendTLSPolicy") return noAncestors
  return kind.endsWith("Route") ? noParents : undefined
}
