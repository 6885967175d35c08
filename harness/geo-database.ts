// Databases in MaxMind's format (MaxMind DB, version 2.0), as small as a test needs them.

/** A number with a point, which the format tells from whole ones. */
export class Fraction {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** A whole number in two or eight bytes; others have four. */
class Whole {
  readonly value: number
  readonly bytes: 2 | 8
  constructor(value: number, bytes: 2 | 8) {
    this.value = value
    this.bytes = bytes
  }
}

export type GeoValue =
  | Whole
  | string
  | number
  | boolean
  | Fraction
  | readonly GeoValue[]
  | { readonly [key: string]: GeoValue }

export interface GeoDatabaseOptions {
  readonly ipVersion?: 4 | 6
  readonly recordBits?: 24 | 28 | 32
  /** seconds since 1970 */
  readonly built?: number
}

/**
 * A database of these networks; none lies within another one.
 *
 * @param type as `GeoLite2-City`
 * @param networks what is said of each, by `address/bits`
 */
export function geoDatabase(
  type: string,
  networks: Readonly<Record<string, GeoValue>>,
  options: GeoDatabaseOptions = {},
): Buffer {
  const { ipVersion = 6, recordBits = 24, built = 1_795_000_000 } = options
  const tree = new Tree()
  const data: Buffer[] = []
  let offset = 0
  for (const [network, value] of Object.entries(networks)) {
    const bytes = encoded(value)
    tree.add(bitsOf(network, ipVersion), offset)
    data.push(bytes)
    offset += bytes.length
  }
  const metadata = encoded({
    node_count: tree.nodes.length,
    record_size: new Whole(recordBits, 2),
    ip_version: new Whole(ipVersion, 2),
    database_type: type,
    languages: ["en"],
    binary_format_major_version: new Whole(2, 2),
    binary_format_minor_version: new Whole(0, 2),
    build_epoch: new Whole(built, 8),
    description: { en: "made by a test" },
  })
  const marker = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1")
  return Buffer.concat([tree.bytes(recordBits), Buffer.alloc(16), ...data, marker, metadata])
}

/** What a half of a node leads to. */
type Leaf = { readonly node: number } | { readonly data: number } | undefined

class Tree {
  readonly nodes: [Leaf, Leaf][] = [[undefined, undefined]]

  add(bits: readonly (0 | 1)[], data: number): void {
    let at = 0
    for (const bit of bits.slice(0, -1)) at = this.#below(at, bit)
    const node = this.nodes[at]
    const last = bits.at(-1)
    if (node !== undefined && last !== undefined) node[last] = { data }
  }

  #below(at: number, bit: 0 | 1): number {
    const node = this.nodes[at]
    const leaf = node?.[bit]
    if (leaf !== undefined && "node" in leaf) return leaf.node
    const next = this.nodes.push([undefined, undefined]) - 1
    if (node !== undefined) node[bit] = { node: next }
    return next
  }

  bytes(recordBits: 24 | 28 | 32): Buffer {
    return Buffer.concat(
      this.nodes.map(([left, right]) => nodeBytes(this.#record(left), this.#record(right), recordBits)),
    )
  }

  #record(leaf: Leaf): number {
    if (leaf === undefined) return this.nodes.length
    return "node" in leaf ? leaf.node : this.nodes.length + 16 + leaf.data
  }
}

function nodeBytes(left: number, right: number, recordBits: 24 | 28 | 32): Buffer {
  const record = (value: number) => value.toString(16).padStart(8, "0")
  if (recordBits !== 28) {
    const digits = recordBits / 4
    return Buffer.from(record(left).slice(-digits) + record(right).slice(-digits), "hex")
  }
  const [high, low] = [record(left), record(right)]
  return Buffer.from(`${high.slice(2)}${high[1]}${low[1]}${low.slice(2)}`, "hex")
}

function bitsOf(network: string, ipVersion: 4 | 6): readonly (0 | 1)[] {
  const [address = "", length] = network.split("/")
  const isV4 = !address.includes(":")
  const text = isV4 ? v4Bits(address) : v6Bits(address)
  const inTree = isV4 && ipVersion === 6 ? "0".repeat(96) + text : text
  return [...inTree.slice(0, inTree.length - text.length + Number(length))].map((bit) =>
    bit === "1" ? 1 : 0,
  )
}

function v4Bits(address: string): string {
  return address
    .split(".")
    .map((part) => Number(part).toString(2).padStart(8, "0"))
    .join("")
}

function v6Bits(address: string): string {
  const [head = "", tail = ""] = address.split("::")
  const groups = (text: string) => text.split(":").filter((group) => group !== "")
  const [before, after] = [groups(head), groups(tail)]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0")
  return [...before, ...zeros, ...after]
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, "0"))
    .join("")
}

const [text, double, uint16, uint32, map, uint64, array, boolean] = [2, 3, 5, 6, 7, 9, 11, 14]

function encoded(value: GeoValue): Buffer {
  if (typeof value === "string")
    return Buffer.concat([head(text, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === "boolean") return head(boolean, value ? 1 : 0)
  if (typeof value === "number") return numberBytes(value)
  if (value instanceof Whole) return wholeBytes(value)
  if (value instanceof Fraction) return fractionBytes(value.value)
  if (Array.isArray(value)) return Buffer.concat([head(array, value.length), ...value.map(encoded)])
  const members = Object.entries(value).flatMap(([key, member]) => [encoded(key), encoded(member)])
  return Buffer.concat([head(map, members.length / 2), ...members])
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return Buffer.concat([head(uint32, 4), bytes])
}

function wholeBytes({ value, bytes }: Whole): Buffer {
  const all = Buffer.alloc(8)
  all.writeBigUInt64BE(BigInt(value))
  return Buffer.concat([head(bytes === 2 ? uint16 : uint64, bytes), all.subarray(8 - bytes)])
}

function fractionBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return Buffer.concat([head(double, 8), bytes])
}

/** The byte that says type and size, and those that it needs behind it. */
function head(type: number, size: number): Buffer {
  const [small, more] = size < 29 ? [size, []] : [29, [size - 29]]
  if (size > 284) throw new RangeError("a value of at most 284 bytes or items")
  return Buffer.from(type > 7 ? [small, type - 7, ...more] : [(type << 5) | small, ...more])
}
