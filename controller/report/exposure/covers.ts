/** Whether all that is wanted is there: the API server, and others, add fields of their own. Lists have to be as long as they are wanted. */
export function covers(found: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) &&
      found.length === wanted.length &&
      wanted.every((item, at) => covers(found[at], item))
    )
  if (typeof wanted !== "object" || wanted === null) return found === wanted
  return Object.entries(wanted).every(([name, value]) => covers(Object(found)[name], value))
}
