// Each example of the guides that says what clients get, applied to wick as it stands there, and asked for.
import { globSync } from "node:fs"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Answer, ask } from "../../../harness/http.ts"
import { root } from "../../../harness/paths.ts"
import { tlsAgent } from "../../support/agents.ts"
import { GuideSite } from "./guide-site.ts"
import { type Promised, promisesOf } from "./promises.ts"

const sections = globSync("docs/guides/*.md", { cwd: root })
  .sort()
  .flatMap((page) => [...promisesOf(page)].map(([heading, promises]) => ({ page, heading, promises })))

let site: GuideSite
beforeAll(async () => {
  site = await GuideSite.start(sections)
})
afterAll(() => site[Symbol.asyncDispose]())

test("guides promise something", () => expect(sections.length).toBeGreaterThan(10))

test.each(sections)("$page, $heading", async ({ page, heading, promises }) => {
  await site.apply(page, heading)
  for (const promised of promises) expect(await outcome(promised), promised.text).toEqual(promised.answer)
})

async function outcome({ url, headers, answer }: Promised): Promise<unknown> {
  const reply = await request(url, headers)
  if (answer.kind === "nginx" || reply.status !== 200)
    return { kind: "nginx", status: reply.status, location: withoutPort(reply.headers.location) }
  const { lastUrl, lastHeaders } = site.site.backend(reply.body)
  const path = answer.path === undefined ? undefined : lastUrl
  const header = answer.header && ([answer.header[0], lastHeaders[answer.header[0]]] as const)
  return { kind: "backend", name: reply.body, path, header }
}

/** The usual ones cannot be had here. */
function withoutPort(location: string | undefined): string | undefined {
  const { port, httpsPort } = site.site.wick
  return location?.replace(new RegExp(`^(http:.*?):${port}|(https:.*?):${httpsPort}`), "$1$2")
}

function request(url: URL, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const { port, httpsPort } = site.site.wick
  const target = url.protocol === "https:" ? { port: httpsPort, agent: tlsAgent(url.hostname) } : { port }
  return ask(target, { path: `${url.pathname}${url.search}`, host: url.hostname, headers })
}
