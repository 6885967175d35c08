// Requests that meet what snippets ask for, from a seed.
import type { Random } from "../../../../harness/random.ts"
import type { BackendAnswer, CaseRequest, Header } from "./case.ts"
import * as words from "./words.ts"

export function requestsFor(random: Random, count: number): CaseRequest[] {
  return Array.from({ length: count }, () => requestFrom(random))
}

function requestFrom(random: Random): CaseRequest {
  const method = pick(random, words.methods)
  const from = pick(random, ["127.0.0.1", "127.0.0.1", "127.0.0.2", "127.0.0.5"])
  return {
    method,
    target: pick(random, [...words.paths, ...words.locationPaths]) + pick(random, words.queries),
    headers: headersFrom(random),
    ...(method === "POST" && { body: "k=v" }),
    ...(from !== "127.0.0.1" && { from }),
    answer: answerFrom(random),
  }
}

function headersFrom(random: Random): Header[] {
  const value = () => pick(random, words.values)
  // Arguments are made of it, where blanks are no part of.
  const word = () => value().replace(" ", "-")
  const offered: Header[] = [
    ["X-A", word()],
    ["X-B", value()],
    ["X-A", word()],
    ["Cookie", `c=${value().replaceAll(";", "")}; d=1`],
    ["User-Agent", value()],
    ["Origin", value()],
    ["Content-Type", pick(random, ["text/plain", "application/json"])],
  ]
  // Without one, nginx makes one up.
  return [["X-Request-ID", "id-1"], ...offered.filter(() => random.below(3) === 0)]
}

function answerFrom(random: Random): BackendAnswer {
  const value = () => pick(random, words.values)
  const offered: Header[] = [
    ["X-B", value()],
    ["X-Powered-By", "node"],
    ["Cache-Control", "no-store"],
    ["Content-Type", pick(random, ["text/plain", "text/html; charset=utf-8", "application/json"])],
    ["ETag", '"e"'],
    ["Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT"],
    ["Set-Cookie", "s=1"],
    ["Set-Cookie", "t=2"],
    ["X-Frame-Options", "ALLOWALL"],
  ]
  const status = pick(random, [200, 200, 200, 200, 201, 204, 302, 304, 404, 403, 500, 503])
  return { status, headers: offered.filter(() => random.below(3) === 0), body: `body ${status}` }
}

function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[random.below(items.length)]
  if (item === undefined) throw new Error("Nothing to pick from")
  return item
}
