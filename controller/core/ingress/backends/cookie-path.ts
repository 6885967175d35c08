import { fieldPath } from "../../../model/field-path.ts"
import { qualifiedName } from "../../../model/objects/object.ts"
import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import { ruleProblem } from "../../declared/problems.ts"
import { literalBeginning } from "../hosts/patterns.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"

// A session's cookie has the path of the route that issues it, unless an annotation gives one. Browsers compare paths as text, so they would
// never send a cookie back whose path is a pattern.

/** Path of the cookie where one of the backend's paths is a pattern. */
export interface CookiePath {
  /** begins and ends with a slash */
  readonly path: string
  /** the first route whose path is one */
  readonly pattern: ParsedRoute
}

/**
 * The deepest directory that holds whatever the routes match: a backend has one path for its cookie.
 *
 * @param routes where sessions of one backend begin
 * @returns undefined when none is a pattern: each path serves by itself
 */
export function cookiePathOf(routes: readonly ParsedRoute[]): CookiePath | undefined {
  const pattern = routes.find(isPattern)
  if (pattern === undefined) return undefined
  return { path: routes.map(({ path }) => directoryOf(path)).reduce(commonDirectory), pattern }
}

/** @param decider whose annotations decide about the cookie */
export function cookiePathProblem({ path, pattern }: CookiePath, decider: ParsedRoute): Problem {
  const service = shown(pattern.backend?.serviceKey ?? "")
  const other = qualifiedName(decider.source)
  const message = `Cannot use path ${shown(pattern.path)} for the session cookie of Service ${service}: it is a regular expression, and Ingress "${other}" has no annotation "session-cookie-path"; the cookie has Path=${path}`
  return ruleProblem(pattern, fieldPath(pattern.field, "path"), "cookie-path-of-pattern", message)
}

/** A dot alone, as in `/v1.0`, is hardly ever meant as one. */
function isPattern({ path, filters }: ParsedRoute): boolean {
  return filters.isPattern && /[\\^$|?*+()[\]{}]/.test(path)
}

/** Up to a slash, only characters that may stand in a cookie's path, too. */
function directoryOf(path: string): string {
  return upToSlash(literalBeginning(path))
}

function commonDirectory(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return upToSlash(a.slice(0, length))
}

/** @returns "/" at least: the text begins with it, or is empty */
function upToSlash(text: string): string {
  return text.slice(0, text.lastIndexOf("/") + 1) || "/"
}
