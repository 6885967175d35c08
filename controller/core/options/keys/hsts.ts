import type { Hsts } from "../../../model/http/hsts.ts"
import { type Keys, key } from "../key.ts"
import { accepted, type Parser, refused } from "../values.ts"
import { onOff } from "./parsers.ts"

/** Digits and nothing else: a browser takes no header with anything else in it. */
const seconds: Parser<number> = (text) =>
  /^\d{1,10}$/.test(text) ? accepted(Number(text)) : refused("write whole seconds, 10 digits at most")

export const hsts: Keys<Hsts> = {
  sendsHsts: key("hsts", onOff, "true"),
  hstsMaxAgeSeconds: key("hsts-max-age", seconds, "31536000"),
  hstsIncludesSubdomains: key("hsts-include-subdomains", onOff, "true"),
  hstsAllowsPreload: key("hsts-preload", onOff, "false"),
}
