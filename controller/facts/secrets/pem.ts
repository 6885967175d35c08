import { Unusable } from "./unusable.ts"

/** A block between `-----BEGIN LABEL-----` and its end. */
export interface PemBlock {
  readonly label: string
  /** with its first and last line, as it stands there */
  readonly text: string
}

const begin = /-----BEGIN ([A-Z0-9 ]{1,64})-----/g

/**
 * The blocks of a text. What stands around them means nothing, as for OpenSSL.
 *
 * @param name the Secret's key, for the reason
 * @throws Unusable when there is no block, or one that does not end
 */
export function pemBlocks(name: string, bytes: Uint8Array): readonly PemBlock[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
  const blocks: PemBlock[] = []
  let from = 0
  for (const match of text.matchAll(begin)) {
    if (match.index < from) throw new Unusable(`"${name}" holds a block that does not end`)
    const [, label = ""] = match
    const end = `-----END ${label}-----`
    const at = text.indexOf(end, match.index)
    if (at < 0) throw new Unusable(`"${name}" holds a block that does not end`)
    from = at + end.length
    blocks.push({ label, text: text.slice(match.index, from) })
  }
  if (blocks.length === 0) throw new Unusable(`"${name}" ${insteadOfPem(text)}`)
  return blocks
}

/** What people put there by mistake. */
function insteadOfPem(text: string): string {
  if (text.trim() === "") return "is empty"
  if (text.startsWith("LS0tLS1")) return "is encoded in base64 twice"
  if (text.startsWith("0\x82")) return "is DER: it has to be PEM"
  return "holds nothing in PEM"
}
