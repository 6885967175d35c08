/**
 * Finds what makes nginx refuse a configuration, by taking changed fields back: first each alone, then all together.
 *
 * @param wanted   the settings with which it was refused
 * @param good     settings that were taken before
 * @param isTaken  asks nginx
 * @returns the fields to be taken back so that the rest is taken; none when it is not about these settings
 */
export async function findCulprits<T extends object>(
  wanted: T,
  good: T,
  isTaken: (candidate: T) => Promise<boolean>,
): Promise<readonly (keyof T)[]> {
  const changed = (Object.keys(wanted) as (keyof T)[]).filter((field) => wanted[field] !== good[field])
  for (const field of changed) if (await isTaken({ ...wanted, [field]: good[field] })) return [field]
  return changed.length > 1 && (await isTaken(good)) ? changed : []
}
