import { type Keys, key } from "../key.ts"
import type { ErrorSettings } from "../settings.ts"
import { accepted, integer, type Parser } from "../values.ts"
import { listOf, onOff } from "./parsers.ts"

/** Each once, in order. */
const codes: Parser<readonly number[]> = (text) => {
  const parsed = listOf(integer(300, 599))(text)
  if (parsed.kind === "refused") return parsed
  return { ...parsed, ...accepted([...new Set(parsed.value)].sort((a, b) => a - b)) }
}

/** Error pages where an Ingress says nothing. */
export const errors: Keys<ErrorSettings> = {
  errorCodes: key("custom-http-errors", codes, ""),
  passesErrors: key("disable-proxy-intercept-errors", onOff, "false"),
}
