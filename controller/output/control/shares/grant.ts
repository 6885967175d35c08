import { getOrMake } from "../../../support/maps.ts"

// Which of the things in a zone fit into the shares of the namespaces that they are for. Nothing is known here of what things are.

/** Something that others may name, too; whoever names it is charged with all of it, once. */
export interface Shared {
  readonly id: string
  readonly bytes: number
}

export interface Item {
  /** the namespaces that it is for; none: the operator's, which is never left out. It is in force if one of them has room for it */
  readonly owners: readonly string[]
  readonly bytes: number
  /** what it takes when it is closed, which every owner has to have room for; 0: it can be left out */
  readonly closedBytes: number
  readonly needs: readonly Shared[]
}

/** What becomes of the things of a namespace that wants more than its share. */
export interface Grant<T extends Item> {
  readonly granted: ReadonlySet<T>
  /** the smallest that does not fit as a whole, and how many bytes a part of it may take */
  readonly next?: { readonly item: T; readonly bytes: number; readonly has: ReadonlySet<string> }
  /** not even closed things fit: there is to be none */
  readonly isNothing: boolean
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
    [...shares].map(([owner, bytes]) => [owner, grant(byOwner.get(owner) ?? [], bytes).granted]),
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

/** The small ones fit first: one large thing does not keep out what has nothing to do with it. @param items of one namespace */
export function grant<T extends Item>(items: readonly T[], shareBytes: number): Grant<T> {
  const granted = new Set<T>()
  const has = new Set<string>()
  let left = shareBytes - items.reduce((sum, { closedBytes }) => sum + closedBytes, 0)
  if (left < 0) return { granted, isNothing: true }
  for (const item of items.toSorted((a, b) => wantedBytes([a]) - wantedBytes([b]))) {
    const more = moreBytes(item, has) - item.closedBytes
    if (more > left) return { granted, isNothing: false, next: { item, bytes: left + item.closedBytes, has } }
    left -= more
    granted.add(item)
    for (const { id } of item.needs) has.add(id)
  }
  return { granted, isNothing: false }
}

/** Of a thing, with what it names that is not there yet. */
export function moreBytes({ bytes, needs }: Pick<Item, "bytes" | "needs">, has: ReadonlySet<string>): number {
  return needs.reduce((sum, { id, bytes }) => sum + (has.has(id) ? 0 : bytes), bytes)
}
