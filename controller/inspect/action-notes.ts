import type { PostedActions, PostedHeader, PostedMirror } from "../output/control/posted.ts"

// What becomes of the requests of a route, or of one of its backends, in few words each.

/** @param redirects then the path follows where that leads */
export function actionNotes(actions: PostedActions = {}, redirects = false): string[] {
  const { retry_codes: codes = [], mirrors = [] } = actions
  return [
    ...headerNotes("request header", actions.set_request_headers, actions.add_request_headers),
    ...headerNotes("header", actions.set_response_headers, actions.add_response_headers),
    ...pathNote(actions, redirects),
    ...timeNote("a request", actions.request_timeout_ms),
    ...timeNote("an attempt", actions.backend_timeout_ms),
    ...(codes.length === 0 ? [] : [`tries again after ${codes.join(", ")}`]),
    ...mirrors.map(mirrorNote),
  ]
}

function pathNote({ path, path_prefix: isOfPrefix }: PostedActions, redirects: boolean): string[] {
  if (path === undefined) return []
  if (redirects) return [isOfPrefix ? `the path begins with ${path} there` : `leads to ${path} there`]
  return [`replaces ${isOfPrefix ? "the path's beginning" : "the path"} by ${path}`]
}

function headerNotes(
  what: string,
  set: readonly PostedHeader[] = [],
  added: readonly PostedHeader[] = [],
): string[] {
  return [
    ...set.map(({ name, value }) => (value === "" ? `removes ${what} ${name}` : `${what} ${name}: ${value}`)),
    ...added.map(({ name, value }) => `adds ${what} ${name}: ${value}`),
  ]
}

function timeNote(of: string, ms: number | undefined): string[] {
  return ms === undefined ? [] : [`${of} may take ${ms} ms`]
}

function mirrorNote({ backend, numerator, denominator = 100 }: PostedMirror): string {
  const part = numerator === undefined ? "" : `${numerator} of ${denominator} requests `
  return `copies ${part}to ${backend}`
}
