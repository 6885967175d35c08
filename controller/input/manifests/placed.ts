import type { Parsed } from "../../model/objects/parse.ts"
import type { Problem } from "../../model/problem.ts"
import type { PerObject } from "./field-lines.ts"

/**
 * Objects whose Problems name the line of their field in the place of the document's.
 *
 * @param origin of the document, as it is in the Problems: `cart.yaml:12`
 * @param lines  of each object and Problem; what has none stays as it is
 */
export function placed(
  objects: readonly Parsed[],
  origin: string,
  lines: PerObject<number>,
): readonly Parsed[] {
  const file = origin.replace(/:\d+$/, "")
  return objects.map((parsed, index) => {
    const problems = parsed.problems.map((problem, at) => {
      const line = lines[index]?.[at]
      return line === undefined ? problem : moved(problem, origin, `${file}:${line}`)
    })
    return { ...parsed, problems }
  })
}

function moved(problem: Problem, origin: string, place: string): Problem {
  const { field, message } = problem
  const end = `(${origin})`
  const text = message.endsWith(end)
    ? `${message.slice(0, -end.length)}(${place})`
    : message.replace(origin, () => place)
  return { ...problem, field: field === origin ? place : field, message: text }
}
