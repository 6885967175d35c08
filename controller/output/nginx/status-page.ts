import type { IncomingMessage } from "node:http"
import type { ClientConnections } from "../../model/client-connections.ts"
import { request } from "../../support/http.ts"

/** Asks nginx's stub_status page; undefined when it does not answer within a second, as while it starts: then a scrape lacks the values. */
export function readStatus(url: string): Promise<ClientConnections | undefined> {
  const { promise, resolve } = Promise.withResolvers<ClientConnections | undefined>()
  const failed = () => resolve(undefined)
  const answered = (answer: IncomingMessage) => {
    textOf(answer).then((text) => resolve(answer.statusCode === 200 ? parseStatus(text) : undefined), failed)
  }
  request(url, { agent: false, signal: AbortSignal.timeout(1000) }, answered)
    .on("error", failed)
    .end()
  return promise
}

async function textOf(answer: IncomingMessage): Promise<string> {
  return (await answer.setEncoding("utf8").toArray()).join("")
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
