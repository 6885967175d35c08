import { shown } from "../../model/shown.ts"
import { nearest } from "../../support/nearest.ts"
import { questionFault } from "./asking.ts"
import { blocks } from "./blocks.ts"
import { keepBounds } from "./bounds.ts"
import type { CompiledSnippet, CompileOptions, Refusal, Verdict } from "./compiled.ts"
import { type Credentials, credentialsIn } from "./credentials.ts"
import { declareIn, isDefinition } from "./declarations.ts"
import { type Refused, refusal } from "./effects/effect.ts"
import { effectOf } from "./effects.ts"
import { finish } from "./finish.ts"
import { readLines } from "./lines.ts"
import { keepAsText } from "./raw.ts"
import { refuse } from "./refusing.ts"
import type { Context, Row } from "./rows.ts"
import { type CompilePlace, Scope, type Session, unknownVariable } from "./scope.ts"
import { sharedFault } from "./shared.ts"
import { streamFault } from "./streams.ts"
import { type Directive, parseNginxSyntax, SyntaxFault } from "./syntax.ts"
import { directiveNames, rowOf } from "./table.ts"

// In comes the text of a snippet, out goes what it says as data, as directives to be printed anew, and as sentences about what is left out. No text
// makes it throw. What the data does to requests is the matter of the ingress module, who may write snippets that of core/ingress.

const contexts: Readonly<Record<CompilePlace, Context>> = {
  location: "location",
  auth: "location",
  server: "server",
  http: "http",
  main: "main",
  stream: "stream",
}

/** Reads a snippet that stands at a place of the reference's configuration. Pure; never throws. */
export function compileSnippet(text: string, place: CompilePlace, options: CompileOptions): CompiledSnippet {
  const parsed = parse(text)
  if (!(parsed instanceof SyntaxFault)) return compileParsed(parsed, place, options)
  const session = sessionOf(place, options, credentialsIn([], options.credentials ?? new Set()))
  session.refused.push(unreadable(parsed))
  return compiled(new Scope(session, contexts[place]))
}

/** So often definitions may be lost for want of others; from then on the text has none. */
const maxRounds = 8

/** What is refused brings no name: what would use it is judged without, as what keeps requests out may be made of it. */
function compileParsed(
  directives: readonly Directive[],
  place: CompilePlace,
  options: CompileOptions,
): CompiledSnippet {
  const credentials = credentialsIn(directives, options.credentials ?? new Set())
  let lost: ReadonlySet<Directive> = new Set()
  for (let round = 1; ; round += 1) {
    const session = sessionOf(place, options, credentials)
    const scope = new Scope(session, contexts[place])
    if (round <= maxRounds) declareIn(directives, session, lost)
    compileBlock(directives, scope)
    const missing = [...session.lost].filter((it) => isDefinition(it) && !lost.has(it))
    if (missing.length === 0 || round > maxRounds) {
      keepBounds(scope)
      return compiled(scope)
    }
    lost = new Set([...lost, ...missing])
  }
}

function compiled(scope: Scope): CompiledSnippet {
  const { session } = scope
  return {
    ...finish(scope),
    raw: session.raw,
    refused: session.refused,
    directives: session.directives,
    declares: {
      variables: [...session.variables],
      credentials: [...session.credentials.variables],
      requestZones: [...session.requestZones],
      connectionZones: [...session.connectionZones],
      cacheZones: [...session.cacheZones],
      upstreams: [...session.upstreams],
      logFormats: [...session.logFormats],
    },
  }
}

function sessionOf(place: CompilePlace, options: CompileOptions, credentials: Credentials): Session {
  return {
    place,
    options,
    credentials,
    refused: [],
    raw: [],
    directives: [],
    variables: new Set(),
    requestZones: new Set(),
    connectionZones: new Set(),
    cacheZones: new Set(),
    upstreams: new Set(),
    logFormats: new Set(),
    lost: new Set(),
  }
}

function parse(text: string): readonly Directive[] | SyntaxFault {
  try {
    return parseNginxSyntax(text)
  } catch (error) {
    if (error instanceof SyntaxFault) return error
    throw error
  }
}

function unreadable({ what, line, column }: SyntaxFault): Refusal {
  return { line, column, directive: "", reason: `it cannot be read: ${what}`, mayGuard: true }
}

function compileBlock(directives: readonly Directive[], scope: Scope): void {
  for (const directive of directives) compileOne(directive, scope)
}

function compileOne(directive: Directive, scope: Scope): void {
  const { session } = scope
  const verdict: { -readonly [K in keyof Verdict]: Verdict[K] } & { column: number } = {
    line: directive.line,
    column: directive.column,
    name: directive.name,
    becomes: "data",
  }
  session.directives.push(verdict)
  const row = rowOf(directive.name, scope.context, directive.block !== undefined)
  const outcome = outcomeOf(directive, row, scope)
  if (outcome === "data" || outcome === "typed" || outcome === "raw") {
    verdict.becomes = outcome
    return
  }
  verdict.becomes = "refused"
  session.lost.add(directive)
  refuse(directive, scope, outcome)
}

function outcomeOf(
  directive: Directive,
  row: Row | undefined,
  scope: Scope,
): "data" | "typed" | "raw" | Refused {
  if (row === undefined) return unknownDirective(directive)
  if (!row.contexts.includes(scope.context)) return elsewhere(directive, row, scope)
  const misplaced = misplacement(directive, row, scope)
  if (misplaced !== undefined) return { refused: misplaced }
  if (row.becomes === "refused") return refusedBy(row)
  if (row.becomes === "raw") {
    return keepAsText(directive, scope, contexts[scope.session.place], refusedBy(row))
  }
  const args = argsOf(directive, row, scope)
  if (typeof args === "string") return { refused: args }
  return applied(directive, row, args, scope)
}

function unknownDirective({ name }: Directive): Refused {
  const meant = nearest(name, directiveNames)
  return refusal("no module of this nginx has it", meant && `${shown(meant)}, if that is meant`)
}

function elsewhere({ name }: Directive, { contexts }: Row, { context, session: { place } }: Scope): Refused {
  const refused = `${shown(name)} directive is not allowed here`
  if (context === "if" || context === "server-if") return { refused, instead: "a place outside of the if" }
  const isOfIngress = place === "location" || place === "server"
  if (!isOfIngress) return { refused }
  if (contexts.includes("location")) return { refused, instead: "a location block" }
  if (contexts.includes("server") && place !== "server")
    return { refused, instead: 'annotation "server-snippet"' }
  return contexts.includes("http") ? { refused, instead: 'ConfigMap key "http-snippet"' } : { refused }
}

/** Source: nginx, ngx_conf_handler. */
function misplacement({ name, block }: Directive, row: Row, { seen }: Scope): string | undefined {
  if (row.hasBlock && block === undefined) return `directive ${shown(name)} has no opening "{"`
  if (!row.hasBlock && block !== undefined) return `directive ${shown(name)} is not terminated by ";"`
  if (seen.has(name) && !row.isRepeatable) return `${shown(name)} directive is duplicate`
  seen.add(name)
  return undefined
}

function refusedBy({ reason = "it is refused", instead }: Row): Refused {
  return refusal(reason, instead)
}

function argsOf({ name, words }: Directive, row: Row, { session }: Scope): readonly string[] | string {
  if (words.length < row.words.min || words.length > row.words.max)
    return `invalid number of arguments in ${shown(name)} directive`
  const args: string[] = []
  for (const [nth, word] of words.entries()) {
    const value = row.words.at(nth)(word)
    if (typeof value === "string") return value
    const unknown = unknownVariable(session, value.variables ?? [])
    if (unknown !== undefined) return unknown
    args.push(value.text)
  }
  return args
}

function applied(
  directive: Directive,
  row: Row,
  args: readonly string[],
  scope: Scope,
): "data" | "typed" | Refused {
  const fault = scope.session.credentials.faultOf(directive)
  if (fault !== undefined) return { refused: fault }
  if (row.becomes === "idle" || isSaidAlready(directive, args, scope)) return "data"
  const inAuth = scope.session.place === "auth" ? questionFault(directive.name) : undefined
  if (inAuth !== undefined) return inAuth === "idle" ? "data" : { refused: inAuth }
  const block = blocks.get(directive.name)
  if (block !== undefined && directive.block !== undefined) return block(directive, args, scope, compileBlock)
  const isHttp = scope.session.place !== "stream" && scope.session.place !== "main"
  const effect = isHttp && scope.context !== "upstream" ? effectOf(directive.name) : undefined
  const outcome = effect === undefined ? "typed" : effect(args, scope, directive)
  return outcome === "typed" ? printed(directive, args, scope) : outcome
}

const usuallyAround: ReadonlyMap<string, string> = new Map([["server_tokens", "off"]])

/** A directive that repeats what is in force around the snippet. */
function isSaidAlready({ name }: Directive, args: readonly string[], { session }: Scope): boolean {
  const around = session.options.around ?? usuallyAround
  return around.get(name) === args.join(" ")
}

function printed(directive: Directive, args: readonly string[], scope: Scope): "typed" | Refused {
  if (scope.context === "if" || scope.context === "server-if")
    return { refused: "it stands in an if, where only what is data has an effect" }
  const { place, options } = scope.session
  const shared = sharedFault(directive, args, place)
  if (shared !== undefined) return shared
  const isStream = place === "stream"
  const fault = isStream
    ? streamFault(directive, scope.session.upstreams, options.allowsLoopback === true)
    : undefined
  if (fault !== undefined) return { refused: fault }
  if (directive.block === undefined) {
    scope.text.push({ name: directive.name, args })
    return "typed"
  }
  const lines = readLines(directive.name, directive.block)
  if (typeof lines === "string") return { refused: lines }
  const unknown = unknownVariable(
    scope.session,
    lines.flatMap(({ variables }) => variables),
  )
  if (unknown !== undefined) return { refused: unknown }
  scope.text.push({ name: directive.name, args, block: lines.map(({ typed }) => typed) })
  return "typed"
}
