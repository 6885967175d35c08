const none: readonly never[] = []

/**
 * The same items in an array without room for more, as `flatMap` and spreading leave it: sixteen more items that never come. Of none it is one array for
 * all. For what is kept a long time, once for each of many thousand objects.
 */
export function compact<T>(items: readonly T[]): readonly T[] {
  return items.length === 0 ? none : items.slice()
}
