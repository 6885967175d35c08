import { getOrMake } from "../../../support/maps.ts"

// Which of the things in a zone fit into the shares of the namespaces that they are for. Nothing is known here of what things are.

/** Something that others may name, too; each that names it is charged with all of it, once. */
export interface Shared {
  readonly id: string
  readonly bytes: number
}

export interface Item {
  /** the namespaces that it is for; none: the operator's, which is never left out. It is in force if one of them has room for it */
  readonly owners: readonly string[]
  /** the object that asks for it, with others; the larger all of that is, the later it fits */
  readonly group: string
  readonly bytes: number
  /** what it takes when it is closed; 0: who leaves it out closes it */
  readonly closedBytes: number
  readonly needs: readonly Shared[]
}

/** What becomes of the things of a namespace that wants more than its share. */
export interface Grant<T extends Item> {
  readonly granted: ReadonlySet<T>
  /** the smallest that does not fit as a whole, and how many bytes a part of it may take */
  readonly next?: { readonly item: T; readonly bytes: number; readonly has: ReadonlySet<string> }
  /** whether there is no room even for it closed */
  readonly isLeftOut: (item: T) => boolean
}

/** What there is in a zone, and how much of it is whose. */
export interface Account<T extends Item> {
  readonly items: readonly T[]
  readonly byOwner: ReadonlyMap<string, readonly T[]>
  /** bytes that each namespace wants */
  readonly wanted: ReadonlyMap<string, number>
  /** bytes that belong to none */
  readonly taken: number
}

export function accountOf<T extends Item>(items: readonly T[]): Account<T> {
  const byOwner = new Map<string, T[]>()
  for (const item of items)
    for (const owner of item.owners) getOrMake(byOwner, owner, (): T[] => []).push(item)
  const wanted = new Map([...byOwner].map(([owner, own]) => [owner, wantedBytes(own)] as const))
  return { items, byOwner, wanted, taken: wantedBytes(items.filter(({ owners }) => owners.length === 0)) }
}

/** Things of which an owner has room, or that have none. @param shares of the namespaces that want more than that */
export function within<T extends Item>(
  { items, byOwner }: Account<T>,
  shares: ReadonlyMap<string, number>,
): readonly T[] {
  if (shares.size === 0) return items
  const granted = new Map(
    [...shares].map(([owner, bytes]) => [owner, grant(byOwner.get(owner) ?? [], bytes, () => false).granted]),
  )
  const hasRoom = (item: T) => (owner: string) => granted.get(owner)?.has(item) ?? true
  return items.filter((item) => item.owners.length === 0 || item.owners.some(hasRoom(item)))
}

/** Bytes of all things of one namespace, or of some of them, with what they name. */
export function wantedBytes(items: readonly Item[]): number {
  const needs = new Map(items.flatMap(({ needs }) => needs.map(({ id, bytes }) => [id, bytes] as const)))
  const own = items.reduce((sum, { bytes }) => sum + bytes, 0)
  return [...needs.values()].reduce((sum, bytes) => sum + bytes, own)
}

/**
 * Those of small objects fit first: a large one does not keep out what has nothing to do with it. Where there is no room to close all others, only
 * those are closed that have to be; where there is none for these, there is to be nothing.
 *
 * @param items of one namespace
 * @param hasToClose whether something else of the namespace would be there in its place
 */
export function grant<T extends Item>(
  items: readonly T[],
  shareBytes: number,
  hasToClose: (item: T) => boolean,
): Grant<T> {
  const whatCloses = [(item: T) => item.closedBytes, (item: T) => (hasToClose(item) ? item.closedBytes : 0)]
  const sumOf = (bytesOf: (item: T) => number) => items.reduce((sum, item) => sum + bytesOf(item), 0)
  const closedOf = whatCloses.find((bytesOf) => sumOf(bytesOf) <= shareBytes)
  if (closedOf === undefined) return { granted: new Set(), isLeftOut: () => true }
  return {
    ...filled(items, shareBytes - sumOf(closedOf), closedOf),
    isLeftOut: (item) => closedOf(item) === 0,
  }
}

/** @param room beside all of them closed */
function filled<T extends Item>(
  items: readonly T[],
  room: number,
  closedOf: (item: T) => number,
): Pick<Grant<T>, "granted" | "next"> {
  const granted = new Set<T>()
  const has = new Set<string>()
  let left = room
  for (const item of smallGroupsFirst(items)) {
    const more = moreBytes(item, has) - closedOf(item)
    if (more > left) return { granted, next: { item, bytes: left + closedOf(item), has } }
    left -= more
    granted.add(item)
    for (const { id } of item.needs) has.add(id)
  }
  return { granted }
}

/** Within a group in the order that they have. */
function smallGroupsFirst<T extends Item>(items: readonly T[]): readonly T[] {
  const groups = [...Map.groupBy(items, ({ group }) => group).values()]
  const sized = groups.map((group) => ({ group, bytes: wantedBytes(group) }))
  return sized.sort((a, b) => a.bytes - b.bytes).flatMap(({ group }) => group)
}

/** Of a thing, with what it names that is not there yet. */
export function moreBytes({ bytes, needs }: Pick<Item, "bytes" | "needs">, has: ReadonlySet<string>): number {
  return needs.reduce((sum, { id, bytes }) => sum + (has.has(id) ? 0 : bytes), bytes)
}
