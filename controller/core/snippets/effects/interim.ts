// RFC 9110, 15.2: behind a status below 200 the answer follows. A proxy in front would take the body for it, and the next answer, which is for somebody
// else, for that to its next request.

export const interim = "a status below 200 is no answer, so that the body would be one to another request"

export function isInterim(code: number): boolean {
  return code < 200
}
