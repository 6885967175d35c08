import type { AddressList } from "../../model/access.ts"
import { shown } from "../../model/shown.ts"
import { canonicalRange } from "../../support/address-range.ts"
import { contentName } from "../../support/content-name.ts"
import { accepted, type Parser, refused } from "./parser.ts"
import type { Syntax } from "./usage.ts"

/** What the record of a list may have, docs/wire.md. */
const maxRanges = 16_384

/** Addresses and networks separated by commas. One that is none refuses them all: with one less a list would let in, or keep out, others than it should. */
const parse: Parser<AddressList> = (text) => {
  const ranges = new Set<string>()
  for (const item of text.split(",")) {
    const range = canonicalRange(item.trim())
    if (range === undefined)
      return refused(`for ${shown(item.trim())} write an IP address or a network such as 10.0.0.0/8`)
    ranges.add(range)
  }
  if (ranges.size > maxRanges) return refused(`write at most ${maxRanges} networks`)
  const sorted = [...ranges].sort()
  return accepted({ id: contentName(sorted.join(",")), ranges: sorted })
}

export const addressList: Syntax<AddressList> = {
  parse,
  values: "addresses and networks separated by commas",
}
