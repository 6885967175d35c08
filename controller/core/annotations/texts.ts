import { shown } from "../../model/shown.ts"
import { checkHost } from "../../support/host-name.ts"
import { withoutCredentials } from "../options/credentials.ts"
import { unknownVariableIn, withKnownVariables } from "../options/known-variables.ts"
import { accepted, type Parser, refused } from "../options/parser.ts"
import { maxPartBytes, maxTextBytes } from "../options/text-sizes.ts"
import { type AnnotationParser, trimmed } from "./parse.ts"

// Parsers of texts: by the characters that ingress-nginx lets through.

/** What ingress-nginx lets through as plain: safe in a header, whatever stands around it. Blanks may stand between. */
export const basicText: AnnotationParser<string> = characters(/^[/\-._~a-zA-Z0-9: ]+$/, "- . _ ~ / :")

/** What a record takes as a name (docs/wire.md). */
const maxNameCharacters = 253

/** The name of a header, a cookie or a domain: with blanks it could never be found. */
export const nameText: AnnotationParser<string> = trimmed((text) => {
  if (text.length > maxNameCharacters) return refused(`write at most ${maxNameCharacters} characters`)
  return text.includes(" ") ? refused("remove the blanks") : basicText(text)
})

/** A path or URL. */
export const urlText: AnnotationParser<string> = characters(
  /^[-._~a-zA-Z0-9/:,?&= ]+$/,
  "- . _ ~ / : , ? & =",
)

const pathWithVariables = withoutCredentials(
  characters(/^[-._~a-zA-Z0-9/:$]+$/, "- . _ ~ / : $", maxPartBytes),
)

/** A path or its beginning, with `$1` … `$9` and nginx's variables: a template, docs/wire.md. */
export const pathTemplate: AnnotationParser<string> = (text) => {
  const parsed = pathWithVariables(text)
  const fault = parsed.kind === "refused" ? undefined : unknownVariableIn(parsed.value)
  return fault === undefined ? parsed : { ...parsed, remark: `${fault}; it is empty` }
}

/** Host names separated by commas, in lower case, each once and in order. Those that are none are left out, with a remark. */
export const hostNames: AnnotationParser<readonly string[]> = (text) => {
  const items = text.split(",").map((item) => item.trim().toLowerCase())
  const names = [...new Set(items.filter((item) => item !== ""))].sort()
  const good = names.filter((name) => checkHost(name) === undefined)
  if (good.length === names.length) return accepted(names)
  const bad = names.filter((name) => !good.includes(name))
  const reason = bad.some((name) => name.startsWith("~"))
    ? "write names, regular expressions have no effect"
    : 'write DNS names, or "*." and DNS names'
  if (good.length === 0) return refused(reason)
  return { ...accepted(good), remark: `${bad.map(shown).join(", ")} left out: ${reason}` }
}

/** A regular expression, by the characters that ingress-nginx lets through; whether it compiles shows at the first request. */
export const pattern: AnnotationParser<string> = characters(
  /^[/\-._~a-zA-Z0-9:^$[\](){}*+?|&=\\]+$/,
  "- . _ ~ / : ^ $ [ ] ( ) { } * + ? | & = \\",
)

/** The name of a Service: DNS-1035, a label that begins with a letter. */
export const serviceName: AnnotationParser<string> = (text) =>
  /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)
    ? accepted(text)
    : refused("write the name of a Service of the same namespace")

/** Text with nginx's variables, `$name` or `${name}`, of which each is known: an empty one would make all requests the same. */
export const template: AnnotationParser<string> = (text) => {
  const parsed = characters(/^[A-Za-z0-9\-_${} ]+$/, "- _ $ { }")(text)
  if (parsed.kind === "refused") return parsed
  return withKnownVariables(parsed.value)
}

/** Whatever fits into a text of a record (docs/wire.md). */
export const anyText: AnnotationParser<string> = (text) => {
  if (!text.isWellFormed()) return refused("it holds half of a character")
  return Buffer.byteLength(text) <= maxTextBytes
    ? accepted(text)
    : refused(`write at most ${maxTextBytes} bytes`)
}

function characters(allowed: RegExp, special: string, max = maxTextBytes): Parser<string> {
  return (text) => {
    const value = text.trim()
    if (value.length > max) return refused(`write at most ${max} characters`)
    return allowed.test(value) ? accepted(value) : refused(`write letters, digits and ${special} only`)
  }
}
