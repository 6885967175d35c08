import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { isDeepStrictEqual } from "node:util"

// Names that are a hash of what they name. Equal things get equal names wherever they come from, so code that joins lists by name need not compare
// contents. That holds only while nobody finds two contents with one name: names are long enough for that, and wherever two things of one name meet
// they are compared all the same. A difference is an assertion that fails before anything is changed: no thing takes the place of another.

/** 32 hex digits, 128 bits of SHA-256: two texts with one name take 2^64 attempts, a second one for a given name 2^128. */
export function contentName(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32)
}

/** A content name as a number that JSON and metrics can show exactly: 48 bits. For people who compare; names are compared whole. */
export function checksumOf(name: string): number {
  return Number.parseInt(name.slice(0, 12), 16)
}

/** Whether two different objects say the same. */
type IsSame<T> = (a: T, b: T) => boolean

/** @throws AssertionError when two things with one name differ */
export function assertSame<T>(name: string, a: T, b: T, isSame: IsSame<T> = isDeepStrictEqual): void {
  assert(a === b || isSame(a, b), `Two different things have the name "${name}"`)
}

/** Whether two things are the same, which their names say. @throws AssertionError when two with one name differ */
export function isSameById<T extends { readonly id: string }>(a: T, b: T, isSame?: IsSame<T>): boolean {
  if (a.id !== b.id) return false
  assertSame(a.id, a, b, isSame)
  return true
}

/** Whether a thing is in a map. @throws AssertionError when a different one of its name is */
export function isAmong<T>(
  byName: ReadonlyMap<string, T>,
  name: string,
  thing: T,
  isSame?: IsSame<T>,
): boolean {
  const known = byName.get(name)
  if (known === undefined) return false
  if (known !== thing) assertSame(name, known, thing, isSame)
  return true
}

/** Things by their names, the first of equal ones. @throws AssertionError when two with one name differ */
export function byContentName<T extends { readonly name: string }>(
  things: Iterable<T>,
  isSame?: IsSame<T>,
): Map<string, T> {
  const byName = new Map<string, T>()
  for (const thing of things) if (!isAmong(byName, thing.name, thing, isSame)) byName.set(thing.name, thing)
  return byName
}
