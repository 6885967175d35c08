import { isCredential } from "../../model/credential-variables.ts"
import { shown } from "../../model/shown.ts"
import { conditionOf } from "./condition.ts"
import type { Directive } from "./syntax.ts"
import { groupNamesOf, type Piece, piecesOf } from "./variables.ts"

// What proves who a client is may go to the backend, and back to the client in a response; not to other hosts in an address, and not into a log,
// neither by its own name nor by that of a variable or a group that was made of it.

/** A variable that is made of one that is made of one …: longer chains than anybody writes would take time. */
const maxRounds = 16

export interface Credentials {
  /** that hold them, in small letters */
  readonly variables: ReadonlySet<string>
  /** why a directive is refused: it would show them */
  faultOf(directive: Directive): string | undefined
}

/** @param others variables of other snippets that hold credentials */
export function credentialsIn(directives: readonly Directive[], others: ReadonlySet<string>): Credentials {
  const walk = new Walk(others)
  // what one step has set another may have read before, in a text or in the next pass
  for (let round = 0, before = -1; before < walk.variables.size; round += 1) {
    before = walk.variables.size
    if (round === maxRounds) walk.suspectAll()
    walk.through(directives)
  }
  return { variables: walk.variables, faultOf: (directive) => faultOf(directive, walk) }
}

function faultOf(directive: Directive, walk: Walk): string | undefined {
  const areGroups = walk.withGroups.has(directive) || (walk.hasAnyGroups && directive.name === "error_page")
  const found = seenByOthers(directive)
    .flatMap(piecesIn)
    .find((piece) => walk.holds(piece, areGroups))
  if (found === undefined || found.kind === "text") return undefined
  const name = found.kind === "group" ? `$${found.number}` : `$${found.name}`
  return `${shown(name)} may hold passwords or sessions, which others would see here`
}

/** Addresses of other hosts, and what is logged. */
function seenByOthers({ name, words }: Directive): readonly string[] {
  const [first = "", second] = words
  if (name === "log_format") return words.slice(1)
  if (name === "return" && second === undefined) return addresses(first)
  if (name === "return") return /^30[12378]$/.test(first) ? addresses(second ?? "") : []
  if (name === "proxy_redirect") return addresses(second ?? "")
  if (name === "rewrite") return isRedirect(words) ? addresses(second ?? "") : []
  return name === "error_page" ? addresses(words.at(-1) ?? "") : []
}

function isRedirect([, to = "", flag]: readonly string[]): boolean {
  return flag === "redirect" || flag === "permanent" || /^(https?:|\$scheme)/.test(to)
}

/** A path is one of the host that was asked, as is what begins with its name. */
function addresses(text: string): readonly string[] {
  const isPath = /^\/(?!\/)/.test(text)
  const isOwn = /^(https?|\$\{?scheme\}?):\/\/\$\{?(http_)?host\}?([/?:]|$)/i.test(text)
  return isPath || isOwn ? [] : [text]
}

function piecesIn(text: string): readonly Piece[] {
  const pieces = piecesOf(text)
  return typeof pieces === "string" ? [] : pieces
}

/** Through the text in the order in which its steps are run; groups are those of the last pattern that was tried. */
class Walk {
  readonly variables: Set<string>
  /** directives at which groups hold credentials */
  readonly withGroups = new Set<Directive>()
  hasAnyGroups = false
  #hasGroups = false
  #isSuspicious = false

  constructor(others: ReadonlySet<string>) {
    this.variables = new Set(others)
  }

  /** From here on whatever is assigned may be a credential. */
  suspectAll(): void {
    this.#isSuspicious = true
  }

  through(directives: readonly Directive[]): void {
    this.#hasGroups = false
    this.#inside(directives)
  }

  #inside(directives: readonly Directive[]): void {
    for (const directive of directives) this.#one(directive)
  }

  holds(piece: Piece, areGroups: boolean): boolean {
    if (piece.kind === "group") return areGroups
    return piece.kind === "variable" && (isCredential(piece.name) || this.variables.has(piece.name))
  }

  #one(directive: Directive): void {
    const { name, words, block = [] } = directive
    if (this.#hasGroups) this.withGroups.add(directive)
    const [first = "", second = ""] = words
    if (name === "set" || name === "auth_request_set") this.#assign(first, [second])
    else if (name === "map") this.#assign(second, [first, ...block.flatMap((line) => line.words)])
    else if (name === "if") this.#condition(words, block)
    else if (name === "location") this.#location(block)
    else if (name === "rewrite") this.#hasGroups = false
  }

  #assign(variable: string, texts: readonly string[]): void {
    const isHeld = texts.flatMap(piecesIn).some((piece) => this.holds(piece, this.#hasGroups))
    if (isHeld || this.#isSuspicious) this.variables.add(variable.slice(1).toLowerCase())
  }

  #condition(words: readonly string[], block: readonly Directive[]): void {
    const condition = conditionOf(words)
    if (typeof condition !== "string") this.#compare(condition.step.value ?? "", condition.step.pattern)
    const before = this.#hasGroups
    this.#inside(block)
    // the body may have been passed over
    this.#hasGroups ||= before
  }

  #compare(value: string, pattern: string | undefined): void {
    if (pattern === undefined) return
    this.#hasGroups = piecesIn(value).some((piece) => this.holds(piece, false))
    if (!this.#hasGroups) return
    this.hasAnyGroups = true
    for (const name of groupNamesOf(pattern)) this.variables.add(name)
  }

  #location(block: readonly Directive[]): void {
    const before = this.#hasGroups
    this.#hasGroups = false
    this.#inside(block)
    this.#hasGroups = before
  }
}
