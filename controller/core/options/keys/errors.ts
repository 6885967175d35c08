import { family, key } from "../key.ts"
import { accepted, integer, type Parser, refused } from "../parser.ts"
import type { Syntax } from "../usage.ts"
import { falseByDefault } from "./syntax.ts"
import { listOf } from "./texts.ts"

/** 499 is nginx's own for a client that has gone, and nginx takes no page for it. */
const code: Parser<number> = (text) =>
  text === "499" ? refused("write another status, 499 is of a client that is gone") : integer(300, 599)(text)

/** Each once, in order. */
const codes: Syntax<readonly number[]> = {
  values: "codes separated by commas",
  parse: (text) => {
    const parsed = listOf(code)(text)
    if (parsed.kind === "refused") return parsed
    return { ...parsed, ...accepted([...new Set(parsed.value)].sort((a, b) => a - b)) }
  },
}

/** Error pages where an Ingress says nothing. */
export const errors = family("Proxying", {
  /** as `codes` of model/http/requests.ts */
  errorCodes: key("custom-http-errors", codes, "", {
    example: "404,503",
    description: "default of the annotation",
  }),
  passesErrors: falseByDefault("disable-proxy-intercept-errors", "default of the annotation"),
})
