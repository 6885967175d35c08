/**
 * Consistent hash rings by the book: every point computed one after the other, all of them sorted. nginx's own
 * (`hash … consistent`) and ingress-nginx's (lua-resty-balancer) share the chain of points; they differ in where it
 * begins, and in which way a key goes.
 */
import { crc32 } from "node:zlib"

const POINTS_PER_WEIGHT = 160

type Point = { hash: number; member: number }

/** What a CRC-32 register holds after four bytes have passed, the lowest first, without the final inversion. */
function passed(register: number, word: number): number {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(word)
  return ~crc32(bytes, ~register >>> 0) >>> 0
}

/** `register` is that from which each point's four bytes of the point before go on. */
function pointsOf(register: number, count: number): number[] {
  const points: number[] = []
  for (let point = 0; points.length < count; ) {
    point = ~passed(register, point) >>> 0
    points.push(point)
  }
  return points
}

/** Sorted; of two equal points the later member's comes last. */
function sorted(registers: readonly number[], counts: readonly number[]): Point[] {
  const points = registers.flatMap((register, member) =>
    pointsOf(register, counts[member] ?? POINTS_PER_WEIGHT).map((hash) => ({ hash, member })),
  )
  return points.sort((a, b) => a.hash - b.hash || a.member - b.member)
}

/** How many points are not above `hash`. */
function countUpTo(points: readonly Point[], hash: number): number {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle] as Point).hash <= hash) low = middle + 1
    else high = middle
  }
  return low
}

export type Ring = {
  /** The member (its place in the list) to which a key belongs. */
  find(key: string): number
  /** All members, in the order in which a key tries them. */
  order(key: string): number[]
}

/** The ring of ingress-nginx: members are called `address:port`. Weights that are not given are 1. */
export function ingressRing(names: readonly string[], weights: readonly number[] = []): Ring {
  const points = sorted(
    names.map((name) => crc32(name)),
    names.map((_, i) => POINTS_PER_WEIGHT * (weights[i] ?? 1)),
  )
  const order = (key: string) => {
    const from = countUpTo(points, crc32(key))
    const downThenUp = [...points.slice(0, from).reverse(), ...points.slice(from)]
    return [...new Set(downThenUp.map(({ member }) => member))]
  }
  const find = (key: string) => (points[Math.max(countUpTo(points, crc32(key)), 1) - 1] as Point).member
  return { find, order }
}

/** The ring of nginx's `hash … consistent`: members are called `host:port`. */
export function nginxRing(names: readonly string[], weights: readonly number[] = []): Pick<Ring, "find"> {
  const points = sorted(
    names.map((name) => ~crc32(name.replace(/:(?=\d+$)/, "\0")) >>> 0),
    names.map((_, i) => POINTS_PER_WEIGHT * (weights[i] ?? 1)),
  )
  return {
    find: (key) => {
      const hash = crc32(key)
      return (points.find((point) => point.hash >= hash) ?? (points[0] as Point)).member
    },
  }
}
