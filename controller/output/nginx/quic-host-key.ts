import { randomBytes } from "node:crypto"
import { stat } from "node:fs/promises"
import { type Layout, writeWhole } from "./files.ts"

/** nginx asks for some bytes; these are as many as it makes up itself. */
const keyBytes = 32

/**
 * Makes sure that the runtime directory has a key for QUIC. nginx would make up another with every reload, and neither know the tokens that it has given
 * to clients before, nor be able to tell clients that a connection of theirs is gone.
 */
export async function provideQuicHostKey(layout: Pick<Layout, "quicHostKey">): Promise<void> {
  const size = await stat(layout.quicHostKey).then(
    ({ size }) => size,
    () => 0, // there is none
  )
  if (size !== keyBytes) await writeWhole(layout.quicHostKey, randomBytes(keyBytes))
}
