import { isRecord } from "../../model/objects/reader.ts"

/** Objects in an answer: some megabytes at most, and nobody has more of them in memory at a time. */
const pageSize = 500

type Query = Readonly<Record<string, string>>

/** Asks for a list page by page. @param list asks for one @throws what `list` does */
export async function* pagesOf(list: (query: Query) => Promise<unknown>): AsyncGenerator<unknown> {
  let next = ""
  do {
    const page = await list(pageQuery(next))
    yield page
    next = nextOf(page)
  } while (next !== "")
}

/** @param next where the page before ended, "" for the first one */
export function pageQuery(next: string): Query {
  return { limit: String(pageSize), ...(next !== "" && { continue: next }) }
}

function nextOf(list: unknown): string {
  const next = isRecord(list) && isRecord(list.metadata) ? list.metadata.continue : undefined
  return typeof next === "string" ? next : ""
}
