/** `POST /configuration/patterns`: which texts nginx would compile. The fake host compiles with JavaScript's words. */
import { expect, test } from "vitest"
import { Worker } from "./host.ts"

const PATTERNS = "/configuration/patterns"

function judged(...patterns: string[]): (string | null)[] {
  const { status, body, headers } = new Worker().post(PATTERNS, patterns)
  expect({ status, headers }).toEqual({ status: 200, headers: { "content-type": "application/json" } })
  return JSON.parse(body)
}

test("null for those that compile, the reason for the others, in the order of the list", () => {
  const bad = 'Invalid regular expression: //"é(/: Unterminated group'
  expect(judged("/a(/|$)(.*)", '/"é(', "/b")).toEqual([null, bad, null])
  expect(judged()).toEqual([])
})

test("a pattern longer than a route may have is not even tried", () => {
  expect(judged(`/${"x".repeat(4095)}`, `/${"x".repeat(4096)}`)).toEqual([null, "more than 4096 bytes"])
})

test("at most 16 at once: a worker has other things to do", () => {
  const sixteen = Array.from({ length: 16 }, (_, i) => `/${i}`)
  expect(judged(...sixteen)).toEqual(sixteen.map(() => null))
  expect(new Worker().post(PATTERNS, JSON.stringify([...sixteen, "/16"]))).toMatchObject({
    status: 400,
    body: `{"error":"At most 16 patterns are judged at once","offset":${JSON.stringify(sixteen).length}}`,
  })
})

test.each([
  ["{}", "An array is expected", 0],
  ['["/a",1]', "A pattern in quotes is expected", 6],
  ['["/a"] []', "Something follows the end of the JSON text", 7],
  ['["/a"', "The JSON text ends too early", 5],
])("%s is refused", (body, error, offset) => {
  expect(new Worker().post(PATTERNS, body)).toMatchObject({
    status: 400,
    body: JSON.stringify({ error, offset }),
  })
})

test("nothing is judged on a host that cannot compile patterns, and nothing can be fetched", () => {
  const worker = new Worker({ abilities: { ours: false } })
  expect(worker.post(PATTERNS, ["/a"])).toMatchObject({
    status: 501,
    body: '{"error":"The host cannot compile patterns"}\n',
  })
  expect(worker.get(PATTERNS).status).toBe(404)
})
