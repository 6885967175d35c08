import { isCredential } from "../../model/credential-variables.ts"
import { accepted, type Parsed, type Parser, refused } from "./parser.ts"

// Variables that hold what proves who a client is, in values that others get to see.

/** The first such variable of a text, as it is written there. */
export function credentialIn(text: string): string | undefined {
  const names = [...text.matchAll(/\$\{?(\w+)/g)].map(([, name = ""]) => name)
  return names.find(isCredential)
}

/** For values that clients, others or logs get to see: a text with such a variable is refused. */
export function withoutCredentials(parse: Parser<string>): Parser<string> {
  return (text) => {
    const credential = credentialIn(text)
    if (credential === undefined) return parse(text)
    return refused(`${shown(credential)}, which others would see here`)
  }
}

/** A format of log lines with a dash in the place of such variables, as nginx logs what is not there: readers of the lines still find all their parts. */
export function unlogged(format: string): Parsed<string> {
  const credential = credentialIn(format)
  if (credential === undefined) return accepted(format)
  const rest = format.replaceAll(/\$\{(\w+)\}|\$(\w+)/g, (variable, braced, bare) =>
    isCredential(braced ?? bare) ? "-" : variable,
  )
  return { ...accepted(rest), remark: `${shown(credential)}, and is logged as "-"` }
}

function shown(name: string): string {
  return `$${name} may hold passwords or sessions`
}
