// A change that was acknowledged is seen by every worker's next request.
import { expect, test } from "vitest"
import { answering, startIngress } from "../../../harness/ingress/ingress.ts"

test("four workers see a new route at once", async () => {
  await using ingress = await startIngress({
    workers: 4,
    locations: answering("plain", "$proxy_upstream_name $pid"),
  })
  const seen = new Set<string>()
  for (let change = 0; change < 100; change += 1) {
    const host = `h${change % 3}.test`
    await ingress.route(host, [{ backend: `b${change}` }])
    // Connections of their own, many at once, so that several workers are awake to take them.
    const answers = await Promise.all(Array.from({ length: 16 }, () => ingress.ask(host)))
    expect(new Set(answers.map((answer) => answer.split(" ")[0]))).toEqual(new Set([`b${change}`]))
    for (const answer of answers) seen.add(answer.split(" ")[1] ?? "")
  }
  expect(seen.size).toBe(4)
})
