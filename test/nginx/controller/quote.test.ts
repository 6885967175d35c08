// What `quote` prints, nginx reads as the text that went in.
import fc from "fast-check"
import { expect, test } from "vitest"
import { quote, quoteWithVariables } from "../../../controller/render/quote.ts"
import { startNginx } from "../../support/nginx.ts"
import { hostile } from "../../unit/render/hostile.ts"

/** nginx takes no longer argument than its buffer for the file, 4096 bytes. */
const text = fc
  .string({ unit: "binary", minLength: 1, maxLength: 200 })
  .filter((candidate) => !/[\0$]/.test(candidate))

const texts = [...hostile, ...fc.sample(text, { numRuns: 300, seed: 1 })]

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
