import { type SecretFile, secretFile } from "../../../model/secret-file.ts"
import { accepted, refused } from "../parser.ts"
import type { Syntax } from "../usage.ts"

/** A name, a key for AES and one for HMAC. Source: nginx, ssl_session_ticket_key. */
const lengths: readonly number[] = [48, 80]

const base64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$/

/** 48 or 80 random bytes in base64; absent when empty. The reasons never repeat what was given. */
export const ticketKey: Syntax<SecretFile | undefined> = {
  values: "48 or 80 random bytes in base64",
  parse: (text) => {
    if (text === "") return accepted(undefined)
    if (!base64.test(text)) return refused("write 48 or 80 random bytes in base64")
    const bytes = Buffer.from(text, "base64")
    if (!lengths.includes(bytes.length)) return refused(`write 48 or 80 bytes, these are ${bytes.length}`)
    // The key makes sessions of anybody: a placeholder is no key.
    if (new Set(bytes).size < 8) return refused("write random bytes, these are nearly all alike")
    return accepted(secretFile(text, ".key", "base64"))
  },
}
