// $request_id comes from a generator of each worker's own.
import { expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { answering, startIngress } from "../../../harness/ingress/ingress.ts"

test("no two requests have the same, in no two workers, and a request has one", async () => {
  await using ingress = await startIngress({
    workers: 4,
    locations: answering("plain", "$pid $request_id $request_id"),
    http: "map $request_id $same { default $request_id; }\nadd_header X-Same $same;",
  })
  await ingress.route("a.test", [{}])
  const asked = Array.from({ length: 400 }, () => ask({ port: ingress.port }, { host: "a.test" }))
  const answers = await Promise.all(asked)
  const ids = new Set<string>()
  const workers = new Set<string>()
  for (const { body, headers } of answers) {
    const [pid = "", id = "", again] = body.split(" ")
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect([again, headers["x-same"]]).toEqual([id, id])
    ids.add(id)
    workers.add(pid)
  }
  expect(ids.size).toBe(answers.length)
  expect(workers.size).toBeGreaterThan(1)
})

test("workers that come after a reload do not repeat the ids of those before", async () => {
  await using ingress = await startIngress({ locations: answering("plain", "$request_id") })
  await ingress.route("a.test", [{}])
  const first = await ingress.ask("a.test")
  await ingress.nginx.reload()
  expect(await ingress.ask("a.test")).not.toBe(first)
})
