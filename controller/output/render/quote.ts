// nginx's syntax knows words and quoted strings. What leaves this file is always exactly one of them, whatever went in, so no value can end
// its directive or begin another. Source: nginx, ngx_conf_read_token.

/** Characters that mean nothing to nginx's reader, anywhere in a word. */
const plainWord = /^[A-Za-z0-9_.:@/[\]*+=,-]+$/

/** Inside quotes nginx turns these pairs back into one character; every other character stands for itself. */
const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
}

/**
 * A number, or a text without variables, as one argument: a bare word when it can be one, otherwise in double quotes.
 *
 * @throws Error for anything else, and for a text with `$`: nginx has no escape for it, so the template must say `| variables` if they are meant
 */
export function quote(value: unknown): string {
  if (typeof value === "number" && Number.isFinite(value)) return String(value)
  if (typeof value !== "string") throw new Error(`Cannot print ${typeof value} into nginx.conf`)
  if (value.includes("$"))
    throw new Error(`Cannot print ${JSON.stringify(value)} into nginx.conf: it has a "$"`)
  return plainWord.test(value) ? value : inQuotes(value)
}

/** The same with variables. */
const plainTemplate = /^[A-Za-z0-9_.:@/[\]*+=,$-]+$/

/** A text in which `$name` is meant as nginx's variable, as one argument: a bare word when it can be one, otherwise in double quotes. */
export function quoteWithVariables(value: unknown): string {
  if (typeof value !== "string") throw new Error(`Cannot print ${typeof value} into nginx.conf as a text`)
  return plainTemplate.test(value) ? value : inQuotes(value)
}

function inQuotes(text: string): string {
  // nginx keeps directives as C strings in places: what follows a NUL would be lost without a word.
  if (text.includes("\0")) throw new Error("Cannot print a NUL character into nginx.conf")
  return `"${text.replace(/[\\"\n\r\t]/g, (character) => escapes[character] ?? character)}"`
}
