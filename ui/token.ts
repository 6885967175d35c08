import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { readFile } from "node:fs/promises"
import { Failure, reasonOf } from "../controller/support/failure.ts"

/** What nobody guesses. */
const minLength = 16

const maxLength = 1024

/** How long a session lasts. */
export const sessionSeconds = 12 * 3600

/** Read anew each time, so that another token takes effect at once, and ends all sessions. @throws Failure `ui-token` */
export async function readToken(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((cause) => {
    throw new Failure("ui-token", `Cannot read --ui-token-file "${file}": ${reasonOf(cause)}`, { cause })
  })
  const token = text.trim()
  if (token.length >= minLength && token.length <= maxLength) return token
  const wanted = `${minLength} to ${maxLength} characters`
  throw new Failure("ui-token", `Cannot use --ui-token-file "${file}": write a token of ${wanted} into it`)
}

/** In a time that says nothing of either. */
export function isSame(a: string, b: string): boolean {
  const [first, second] = [a, b].map((text) => createHash("sha256").update(text).digest())
  return first !== undefined && second !== undefined && timingSafeEqual(first, second)
}

/** What a cookie holds in the place of the token: until when it is good, and that we say so. */
export function sessionOf(token: string, nowMs: number): string {
  const untilMs = nowMs + sessionSeconds * 1000
  return `${untilMs}.${seal(token, untilMs)}`
}

export function isSession(session: string, token: string, nowMs: number): boolean {
  const [, until = "", sealed = ""] = /^(\d{1,16})\.([0-9a-f]{64})$/.exec(session) ?? []
  return until !== "" && isSame(sealed, seal(token, Number(until))) && nowMs < Number(until)
}

function seal(token: string, untilMs: number): string {
  return createHmac("sha256", token).update(`wick-ui ${untilMs}`).digest("hex")
}
