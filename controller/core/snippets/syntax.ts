// Reads nginx's configuration language as nginx does, and as strictly: what it takes for a word, a quote or the end of a directive. Source: nginx,
// ngx_conf_read_token and ngx_conf_parse. What directives mean is not known here.

/** `name word word;`, or with a block in the place of the semicolon. Quotes and escapes are resolved. */
export interface Directive {
  readonly name: string
  readonly words: readonly string[]
  readonly block?: readonly Directive[]
}

type Token = { readonly kind: "word"; readonly text: string } | { readonly kind: ";" | "{" | "}" | "end" }

/** nginx reads by blocks of so many bytes, and a word with its quotes and what ends it has to fit into one. */
const longestWord = 4096

/** Of blocks in blocks. nginx has no bound; what it takes has five or so. */
const maxDepth = 64

/** @throws Error where nginx would refuse the text, with the number of the line */
export function parseNginxSyntax(text: string): Directive[] {
  return readBlock(new Scanner(text), 0)
}

/** @param depth of blocks around; 0: none */
function readBlock(scanner: Scanner, depth: number): Directive[] {
  if (depth > maxDepth) throw scanner.fault("too many blocks are inside of each other")
  const directives: Directive[] = []
  for (let words: string[] = []; ; ) {
    const token = scanner.next()
    if (token.kind === "word") {
      words.push(token.text)
      continue
    }
    const [name, ...rest] = words
    words = []
    if (token.kind === ";" || token.kind === "{") {
      if (name === undefined) throw scanner.fault(`unexpected "${token.kind}"`)
      const block = token.kind === "{" ? { block: readBlock(scanner, depth + 1) } : {}
      directives.push({ name, words: rest, ...block })
      continue
    }
    if (name !== undefined) throw scanner.fault(`"${name}" has no end`)
    if ((token.kind === "}") !== depth > 0) throw scanner.fault(`unexpected "${token.kind}"`)
    return directives
  }
}

class Scanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  next(): Token {
    this.#skip(/(?:[ \t\r\n]|#[^\n]*(?:\n|$))*/y)
    const first = this.#text[this.#at]
    if (first === undefined) return { kind: "end" }
    if (first === ";" || first === "{" || first === "}") {
      this.#at += 1
      return { kind: first }
    }
    return { kind: "word", text: first === '"' || first === "'" ? this.#quoted(first) : this.#bare() }
  }

  /** A backslash takes the next character with it, also where it does not resolve to another one. */
  #quoted(quote: string): string {
    const body = this.#skip(quote === '"' ? /"(?:[^"\\]|\\.)*"/sy : /'(?:[^'\\]|\\.)*'/sy)
    if (body === "") throw this.fault("a quote has no end")
    // Only here, and nowhere else, nginx asks what comes after a word.
    if (!/^[ \t\r\n;{)]/.test(this.#text.slice(this.#at, this.#at + 1)))
      throw this.fault("no blank after a quote")
    return resolved(body.slice(1, -1))
  }

  /**
   * Up to a blank, `;` or `{`, but not the brace of `${`; quotes, `}` and `#` inside mean nothing. A backslash with which the text ends is a
   * part of the word, too: whatever begins a word moves the scanner on.
   */
  #bare(): string {
    const body = this.#skip(/(?:\$\{?|\\.?|[^ \t\r\n;{\\$])+/sy)
    if (this.#at >= this.#text.length) throw this.fault("the text ends in a word")
    return resolved(body)
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ""
    if (!/^[ \t\r\n#]/.test(found) && Buffer.byteLength(found) >= longestWord)
      throw this.fault("a word is too long")
    this.#at += found.length
    return found
  }

  fault(what: string): Error {
    return new Error(`${what} in line ${this.#text.slice(0, this.#at).split("\n").length}`)
  }
}

const escapes: Readonly<Record<string, string>> = { t: "\t", r: "\r", n: "\n" }

function resolved(body: string): string {
  return body.replace(/\\(["'\\trn])/g, (_, character: string) => escapes[character] ?? character)
}
