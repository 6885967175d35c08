import { shown } from "../../model/shown.ts"

// Reads nginx's configuration language as nginx does, and as strictly: what it takes for a word, a quote or the end of a directive. Source: nginx,
// ngx_conf_read_token and ngx_conf_parse. What directives mean is not known here.

/** Where something begins; both count from 1, columns in characters. */
export interface Place {
  readonly line: number
  readonly column: number
}

interface WordPlace extends Place {
  readonly isQuoted: boolean
}

/** `name word word;`, or with a block in the place of the semicolon. Quotes and escapes are resolved. */
export interface Directive extends Place {
  readonly name: string
  readonly words: readonly string[]
  /** of each of `words` */
  readonly places: readonly WordPlace[]
  readonly block?: readonly Directive[]
}

/** A text that nginx would refuse. */
export class SyntaxFault extends Error implements Place {
  readonly line: number
  readonly column: number
  /** the message without its place */
  readonly what: string

  constructor(what: string, { line, column }: Place) {
    super(`${what} in line ${line}, column ${column}`)
    this.name = "SyntaxFault"
    this.what = what
    this.line = line
    this.column = column
  }
}

type Word = WordPlace & { readonly kind: "word"; readonly text: string }
type Token = Word | (Place & { readonly kind: ";" | "{" | "}" | "end" })

/** nginx reads by blocks of so many bytes, and a word with its quotes and what ends it has to fit into one. */
const longestWord = 4096

/** Of blocks in blocks. nginx has no bound; what it takes has five or so. */
const maxDepth = 64

/** @throws SyntaxFault where nginx would refuse the text */
export function parseNginxSyntax(text: string): Directive[] {
  return readBlock(new Scanner(text), 0)
}

/** @param depth of blocks around; 0: none */
function readBlock(scanner: Scanner, depth: number): Directive[] {
  if (depth > maxDepth) throw scanner.fault("too many blocks are inside of each other")
  const directives: Directive[] = []
  for (let words: Word[] = []; ; ) {
    const token = scanner.next()
    if (token.kind === "word") {
      words.push(token)
      continue
    }
    const [name, ...rest] = words
    words = []
    if (token.kind === ";" || token.kind === "{") {
      if (name === undefined) throw new SyntaxFault(`unexpected "${token.kind}"`, token)
      const block = token.kind === "{" ? { block: blockOf(name.text, scanner, depth) } : {}
      directives.push({ ...headOf(name, rest), ...block })
      continue
    }
    if (name !== undefined) throw new SyntaxFault(`${shown(name.text)} has no end`, name)
    if ((token.kind === "}") !== depth > 0) throw new SyntaxFault(`unexpected "${token.kind}"`, token)
    return directives
  }
}

function blockOf(name: string, scanner: Scanner, depth: number): Directive[] {
  if (!name.endsWith("_by_lua_block")) return readBlock(scanner, depth + 1)
  scanner.passCode()
  return []
}

function headOf(name: Word, rest: readonly Word[]): Directive {
  return {
    name: name.text,
    line: name.line,
    column: name.column,
    words: rest.map(({ text }) => text),
    places: rest.map(({ line, column, isQuoted }) => ({ line, column, isQuoted })),
  }
}

/** A comment, a string, a brace, or what is none of them. */
const luaPiece =
  /--\[(=*)\[.*?\]\1\]|--[^\n]*|\[(=*)\[.*?\]\2\]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{}]|[^-["'{}]+|./sy

class Scanner {
  readonly #text: string
  #at = 0
  #line = 1
  /** where the line begins */
  #begin = 0

  constructor(text: string) {
    this.#text = text
  }

  next(): Token {
    this.#skip(/(?:[ \t\r\n]|#[^\n]*(?:\n|$))*/y)
    const place = this.#place()
    const first = this.#text[this.#at]
    if (first === undefined) return { kind: "end", ...place }
    if (first === ";" || first === "{" || first === "}") {
      this.#at += 1
      return { kind: first, ...place }
    }
    const isQuoted = first === '"' || first === "'"
    return { kind: "word", ...place, isQuoted, text: isQuoted ? this.#quoted(first) : this.#bare() }
  }

  /** Lua up to the brace that closes the block; braces in its strings and comments are none. Source: Lua 5.1 manual, 2.1. */
  passCode(): void {
    for (let depth = 1; depth > 0; ) {
      const piece = this.#skip(luaPiece)
      if (piece === "") throw this.fault("a block of Lua has no end")
      if (piece === "{") depth += 1
      if (piece === "}") depth -= 1
    }
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
    if (pattern !== luaPiece && !/^[ \t\r\n#]/.test(found) && Buffer.byteLength(found) >= longestWord)
      throw this.fault("a word is too long")
    const lines = found.split("\n")
    if (lines.length > 1) {
      this.#line += lines.length - 1
      this.#begin = this.#at + found.lastIndexOf("\n") + 1
    }
    this.#at += found.length
    return found
  }

  #place(): Place {
    return { line: this.#line, column: this.#at - this.#begin + 1 }
  }

  fault(what: string): SyntaxFault {
    return new SyntaxFault(what, this.#place())
  }
}

const escapes: Readonly<Record<string, string>> = { t: "\t", r: "\r", n: "\n" }

function resolved(body: string): string {
  return body.replace(/\\(["'\\trn])/g, (_, character: string) => escapes[character] ?? character)
}
