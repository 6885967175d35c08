// A policy reads the headers that the operator lists, and no other; and nothing else of the request.
import { expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { backend, host, startPlane } from "../../../harness/plane.ts"
import { custom, PolicyDirectory } from "../../../harness/policies/policies.ts"
import { policyWat } from "../../../harness/policies/wat.ts"

/** Goes to the first endpoint if the header of this name can be read, else to the second one. */
function readsWat(name: string): string {
  return policyWat({
    more: `(data (i32.const 700) "${name}")`,
    select: `(call $choose (i32.and
      (i32.gt_u (i32.load (i32.add (i32.const 2304) (i32.shl (local.get $root) (i32.const 2)))) (i32.const 1))
      (i32.ne (i32.const 0)
        (call $header (i32.const 0) (i32.const 700) (i32.const ${name.length}) (i32.const 616) (i32.const 620)))))`,
  })
}

const names = [
  "x-listed",
  "X-LISTED",
  ":path",
  ":authority",
  ":method",
  "x-other",
  "authorization",
  "host",
  "cookie",
  ":scheme",
]

test("headers that are listed, and the pseudo headers that say what is asked for", async () => {
  await using backends = await startBackends("read", "hidden")
  await using directory = await PolicyDirectory.make()
  await using plane = await startPlane({
    inWasm: `${directory.directives} policy_readable_headers X-Listed x-third;`,
  })
  const policies = await Promise.all(names.map((name) => directory.add("reads", readsWat(name))))
  await plane.apply({
    backends: {
      set: policies.map((policy, n) => ({ ...backend(`b-${n}`, backends), ...custom(policy) })),
    },
    routes: { set: names.map((_, n) => host(`h-${n}.test`, `b-${n}`)) },
  })
  const headers = { "x-listed": "1", "x-other": "1", authorization: "Basic YTpi", cookie: "a=b" }
  const answers = await Promise.all(
    names.map((_, n) => plane.nginx.get("/", { host: `h-${n}.test`, headers })),
  )
  expect(Object.fromEntries(names.map((name, n) => [name, answers[n]?.body]))).toEqual({
    "x-listed": "read",
    "X-LISTED": "read",
    ":path": "read",
    ":authority": "read",
    ":method": "read",
    "x-other": "hidden",
    authorization: "hidden",
    host: "hidden",
    cookie: "hidden",
    ":scheme": "hidden",
  })
})
