import { never } from "../reasons.ts"
import { many, type Row, repeatable, typed } from "../rows.ts"
import { either, flag, matching, number, oneOf, seconds, template, text } from "../values.ts"

// Cookies, browsers, mirrors.

const everywhere = "http server location"

export const clients: readonly Row[] = [
  // with one word nginx reads behind the end of its list
  typed(
    "modern_browser",
    everywhere,
    [oneOf("msie", "gecko", "opera", "safari", "konqueror"), text],
    repeatable,
  ),
  typed("ancient_browser", everywhere, [many(text)], repeatable),
  typed("modern_browser_value", everywhere, [text]),
  typed("ancient_browser_value", everywhere, [text]),
  never.mirror("mirror", everywhere, [template], repeatable),
  never.mirror("mirror_request_body", everywhere, [flag]),
  typed("userid", everywhere, [oneOf("off", "log", "v1", "on")]),
  typed("userid_service", everywhere, [number()]),
  typed("userid_name", everywhere, [text]),
  typed("userid_domain", everywhere, [text]),
  typed("userid_path", everywhere, [text]),
  typed("userid_expires", everywhere, [either(oneOf("max", "off"), seconds)]),
  typed(
    "userid_flags",
    everywhere,
    [many(oneOf("off", "secure", "httponly", "samesite=strict", "samesite=lax", "samesite=none"), 1, 3)],
    repeatable,
  ),
  typed("userid_p3p", everywhere, [text]),
  typed("userid_mark", everywhere, [matching(/^(off|[A-Za-z0-9=])$/, "off, a letter, a digit or =")]),
]
