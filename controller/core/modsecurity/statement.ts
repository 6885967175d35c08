// SecLang as text: logical lines of words. What they mean is not known here.

/** A directive with its words. */
export interface Statement {
  /** where it begins: 1 for the first line of the text */
  readonly line: number
  /** as it is written */
  readonly name: string
  readonly words: readonly Word[]
}

export interface Word {
  /** what stands between the quotation marks, escapes as they are written; without any, the word itself */
  readonly text: string
  readonly isQuoted: boolean
}

/** What keeps a text from being used. */
export interface Fault {
  readonly line: number
  /** a phrase that goes on after the line */
  readonly reason: string
  /** a phrase: what to write in its place */
  readonly instead?: string
}

/** A statement, or what is wrong with it. */
export type Split = { readonly statement: Statement } | { readonly fault: Fault }

interface LogicalLine {
  readonly line: number
  readonly text: string
}

/** Of one statement: the longest of the Core Rule Set has 9 kB. */
const maxCharacters = 16_384

/** Splits a text into its statements. Comments and blank lines are none. */
export function statementsIn(text: string): readonly Split[] {
  return logicalLines(text)
    .filter(({ text }) => text !== "" && !text.startsWith("#"))
    .map(split)
}

/** Lines that end in a backslash go on in the next one, which begins behind its blanks. */
function logicalLines(text: string): readonly LogicalLine[] {
  const all: { line: number; text: string; goesOn: boolean }[] = []
  for (const [at, written] of text.split("\n").entries()) {
    const part = written.trim()
    const last = all.at(-1)
    const text = last?.goesOn ? last.text.replace(/\\$/, "") + part : part
    if (last?.goesOn) all.pop()
    const line = last?.goesOn ? last.line : at + 1
    all.push({ line, text, goesOn: part.endsWith("\\") && mayGoOn(text) })
  }
  return all
}

/** As in libmodsecurity: a comment ends with its line, but one that takes a rule out does so as a whole. */
function mayGoOn(text: string): boolean {
  return !text.startsWith("#") || /^#[ \t]?Sec(Rule|Action)/.test(text)
}

function split({ line, text }: LogicalLine): Split {
  if (text.length > maxCharacters)
    return { fault: { line, reason: `a statement has at most ${maxCharacters} characters` } }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is its purpose
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text))
    return { fault: { line, reason: "there is a control character" } }
  if (text.endsWith("\\")) return { fault: { line, reason: "its last line goes on, and there is none" } }
  // Whether the quotation mark is escaped is read differently by libmodsecurity.
  if (/(?<!\\)\\(\\\\)+"/.test(text))
    return {
      fault: {
        line,
        reason: "it is not clear which quotation mark ends the text",
        instead: "\\x22 for one inside of it",
      },
    }
  const words = wordsIn(text)
  if (words === undefined)
    return { fault: { line, reason: "a quotation mark is missing, or stands in a word" } }
  const [first, ...rest] = words
  if (first === undefined || first.isQuoted)
    return { fault: { line, reason: "no directive begins with a quotation mark" } }
  return { statement: { line, name: first.text, words: rest } }
}

/** Undefined when a text in quotation marks has no end, or does not begin or end with its word. */
function wordsIn(text: string): readonly Word[] | undefined {
  const words: Word[] = []
  const pattern = /"((?:[^"\\]|\\.)*)"(?=\s|$)|([^\s"]+)(?=\s|$)|\s+/gy
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text)
    if (found === null) return undefined
    const [, quoted, plain] = found
    if (quoted !== undefined) words.push({ text: quoted, isQuoted: true })
    if (plain !== undefined) words.push({ text: plain, isQuoted: false })
  }
  return words
}

/** Prints statements anew, so that libmodsecurity reads what was read here: nothing of the text around them, each on a line of its own. */
export function printed(statements: readonly Statement[]): string {
  // The blank line: without one libmodsecurity takes what follows a rule without actions for its actions.
  return statements.map((statement) => `${printedOne(statement)}\n\n`).join("")
}

function printedOne({ name, words }: Statement): string {
  return [name, ...words.map(({ text, isQuoted }) => (isQuoted ? `"${text}"` : text))].join(" ")
}

/** The statement that stands at a line of what `printed` has made of them. */
export function statementAt(statements: readonly Statement[], line: number): Statement | undefined {
  return statements[Math.floor((line - 1) / 2)]
}
