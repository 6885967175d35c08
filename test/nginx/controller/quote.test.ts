// What `quote` prints, nginx reads as the text that went in.
import fc from "fast-check"
import { expect, test } from "vitest"
import { quote, quoteWithVariables } from "../../../controller/output/render/quote.ts"
import { startNginx } from "../../../harness/nginx.ts"
import { hostile } from "../../support/hostile.ts"

/** nginx takes no longer argument than its buffer for the file, 4096 bytes; NUL and variables are refused before quoting. */
const isQuotable = (text: string) => text.length < 4000 && text.isWellFormed() && !/[\0$]/.test(text)
const text = fc.string({ unit: "binary", minLength: 1, maxLength: 200 }).filter(isQuotable)

const texts = [...hostile.filter(isQuotable), ...fc.sample(text, { numRuns: 300, seed: 1 })]

test("texts come back unchanged, with both kinds of quoting", async () => {
  const locations = texts.flatMap((some, at) => [
    `location = /plain/${at} { return 200 ${quote(some)}; }`,
    `location = /variables/${at} { return 200 ${quoteWithVariables(`${some}$arg_end`)}; }`,
  ])
  await using nginx = await startNginx(({ port }) => ({
    http: `server { listen 127.0.0.1:${port}; ${locations.join("\n")} }`,
  }))
  for (const [at, some] of texts.entries()) {
    expect((await nginx.get(`/plain/${at}`)).body).toBe(some)
    expect((await nginx.get(`/variables/${at}?end=.`)).body).toBe(`${some}.`)
  }
})
