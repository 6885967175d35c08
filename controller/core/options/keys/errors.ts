import { type Keys, key } from "../key.ts"
import type { ErrorSettings } from "../settings.ts"
import { accepted, integer, type Parser, refused } from "../values.ts"
import { listOf, onOff } from "./parsers.ts"

/** 499 is nginx's own for a client that has gone, and nginx takes no page for it. */
const code: Parser<number> = (text) =>
  text === "499" ? refused("nobody is there to answer") : integer(300, 599)(text)

/** Each once, in order. */
const codes: Parser<readonly number[]> = (text) => {
  const parsed = listOf(code)(text)
  if (parsed.kind === "refused") return parsed
  return { ...parsed, ...accepted([...new Set(parsed.value)].sort((a, b) => a - b)) }
}

/** Error pages where an Ingress says nothing. */
export const errors: Keys<ErrorSettings> = {
  errorCodes: key("custom-http-errors", codes, ""),
  passesErrors: key("disable-proxy-intercept-errors", onOff, "false"),
}
