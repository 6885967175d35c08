import type { ClientConnections } from "../../model/client-connections.ts"

/** Asks nginx's stub_status page; undefined when it does not answer within a second, as while it starts. */
export async function readStatus(url: string): Promise<ClientConnections | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1000) })
    return answer.ok ? parseStatus(await answer.text()) : undefined
  } catch {
    return undefined // the scrape shows it: the values are missing
  }
}

/** Reads the page's text; undefined when it is another page. */
export function parseStatus(text: string): ClientConnections | undefined {
  const page =
    /Active connections: (\d+) \nserver accepts handled requests\n (\d+) (\d+) (\d+) \nReading: (\d+) Writing: (\d+) Waiting: (\d+)/
  const [, ...numbers] = (page.exec(text) ?? []).map(Number)
  const [active, accepted, handled, requests, reading, writing, waiting] = numbers
  if (active === undefined || accepted === undefined || handled === undefined || requests === undefined)
    return undefined
  if (reading === undefined || writing === undefined || waiting === undefined) return undefined
  return { active, accepted, handled, requests, reading, writing, waiting }
}
