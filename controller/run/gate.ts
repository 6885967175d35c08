import { type Gate, loopbackGate } from "../../ui/gate.ts"
import { readToken } from "../../ui/token.ts"
import { tokenGate } from "../../ui/token-gate.ts"

/**
 * Who may ask on a port that is not for everybody: a token is asked for wherever one is given.
 *
 * @param file "" where none is
 * @throws Failure when it cannot be read
 */
export async function gateOf(file: string): Promise<Gate> {
  if (file === "") return loopbackGate
  await readToken(file)
  return tokenGate(file)
}
