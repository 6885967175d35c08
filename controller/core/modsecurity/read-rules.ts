import { shown } from "../../model/shown.ts"
import { judge } from "./directives.ts"
import { duplicatesIn } from "./duplicates.ts"
import { type Fault, type Statement, statementsIn } from "./statement.ts"

// Rules of users, read before libmodsecurity sees them: what could reach files, programs, other machines, other Ingresses or more memory than
// is theirs is refused, and with it the whole text. What comes out is printed anew.

/** Files that a text may include, by what they are. */
export type KnownFile = "recommended" | "crs"

/** A piece of a text, in its order. */
export type Piece = { readonly statements: readonly Statement[] } | { readonly file: KnownFile }

export type ReadRules =
  | { readonly kind: "rules"; readonly pieces: readonly Piece[] }
  | { readonly kind: "refused"; readonly faults: readonly Fault[] }

const maxStatements = 2000
const maxBytes = 256 * 1024

/** Paths of ingress-nginx's image: users have them in their snippets. */
const knownFiles: Readonly<Record<string, KnownFile>> = {
  "/etc/nginx/modsecurity/modsecurity.conf": "recommended",
  "/etc/nginx/owasp-modsecurity-crs/nginx-modsecurity.conf": "crs",
}

interface Found {
  readonly statement: Statement
  readonly isSetting: boolean
  readonly file?: KnownFile
}

/** Reads the rules of a snippet, a key or a ConfigMap. */
export function readRules(text: string): ReadRules {
  if (Buffer.byteLength(text) > maxBytes) return refusedFor(`there are more than ${maxBytes} bytes`)
  const split = statementsIn(text)
  if (split.length > maxStatements) return refusedFor(`there are more than ${maxStatements} directives`)
  const found: Found[] = []
  const faults: Fault[] = []
  for (const one of split) {
    const read = "fault" in one ? one : readOne(one.statement)
    if ("fault" in read) faults.push(read.fault)
    else found.push(read)
  }
  faults.push(...duplicatesIn(found.map(({ statement }) => statement)))
  return faults.length > 0 ? { kind: "refused", faults } : { kind: "rules", pieces: piecesOf(found) }
}

function refusedFor(reason: string): ReadRules {
  return { kind: "refused", faults: [{ line: 1, reason }] }
}

function readOne(statement: Statement): Found | { readonly fault: Fault } {
  const { line, name, words } = statement
  if (name.toLowerCase() === "include") return includeOf(statement)
  const { fault, isSetting } = judge(name, words)
  if (fault === undefined) return { statement, isSetting }
  return { fault: { line, ...fault, reason: `${shown(name)}: ${fault.reason}` } }
}

function includeOf(statement: Statement): Found | { readonly fault: Fault } {
  const [path] = statement.words
  const file = Object.hasOwn(knownFiles, path?.text ?? "") ? knownFiles[path?.text ?? ""] : undefined
  if (file !== undefined && statement.words.length === 1) return { statement, isSetting: false, file }
  const reason = `"Include": it reads a file of nginx's machine; there are ${Object.keys(knownFiles).join(" and ")}`
  return { fault: { line: statement.line, reason, instead: "what stands in that file" } }
}

/**
 * What says a setting first counts for libmodsecurity, and of one text what says it last: so of each setting only the last stays, and it comes before
 * the files that the text includes.
 */
function piecesOf(found: readonly Found[]): readonly Piece[] {
  const pieces: Piece[] = []
  let rules = lastSettings(found)
  const close = () => {
    if (rules.length > 0) pieces.push({ statements: rules })
    rules = []
  }
  for (const { statement, isSetting, file } of found) {
    if (file !== undefined) {
      close()
      pieces.push({ file })
    } else if (!isSetting) rules.push(statement)
  }
  close()
  return pieces
}

/** Types of bodies add up. */
function lastSettings(found: readonly Found[]): Statement[] {
  const settings = found.filter(({ isSetting }) => isSetting).map(({ statement }) => statement)
  const keyOf = ({ name, line }: Statement) =>
    /^secresponsebodymimetype/i.test(name) ? `${name.toLowerCase()}:${line}` : name.toLowerCase()
  const last = new Map(settings.map((statement) => [keyOf(statement), statement]))
  return settings.filter((statement) => last.get(keyOf(statement)) === statement)
}
