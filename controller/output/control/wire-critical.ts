/**
 * Names the fields that a filter has to know to serve the object, as far as it has them: an older one then refuses the post instead of leaving them out
 * (docs/wire.md, "Two versions side by side").
 */
export function withCritical<Posted extends { critical?: readonly string[] }>(
  object: Posted,
  names: readonly (keyof Posted)[],
): Posted {
  const critical = names.filter((name) => object[name] !== undefined).map(String)
  if (critical.length > 0) object.critical = critical
  return object
}
