import { shown } from "../../model/shown.ts"
import { nearest } from "../../support/nearest.ts"
import type { CompiledSnippet, CompileOptions, Refusal, Verdict } from "./compiled.ts"
import { conditionOf } from "./condition.ts"
import { declareIn } from "./declarations.ts"
import type { Outcome } from "./effects/effect.ts"
import { effectOf } from "./effects.ts"
import { finish } from "./finish.ts"
import { guardIn } from "./guards.ts"
import { isHarmless, type SnippetPlace } from "./harmless.ts"
import { readLines } from "./lines.ts"
import { asWritten, rawFault } from "./raw.ts"
import type { Context, Row } from "./rows.ts"
import { type CompilePlace, type LocationHead, Scope, type Session, unknownVariable } from "./scope.ts"
import { streamFault } from "./streams.ts"
import { type Directive, parseNginxSyntax, SyntaxFault } from "./syntax.ts"
import { directiveNames, rowOf } from "./table.ts"
import { pattern } from "./values.ts"

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
  const session = sessionOf(place, options)
  const scope = new Scope(session, contexts[place])
  const parsed = parse(text)
  if (parsed instanceof SyntaxFault) session.refused.push(unreadable(parsed))
  else {
    declareIn(parsed, session)
    compileBlock(parsed, scope)
    tooLong(scope)
  }
  return {
    ...finish(scope),
    raw: session.raw,
    refused: session.refused,
    directives: session.directives,
    declares: {
      variables: [...session.variables],
      requestZones: [...session.requestZones],
      connectionZones: [...session.connectionZones],
      cacheZones: [...session.cacheZones],
      upstreams: [...session.upstreams],
      logFormats: [...session.logFormats],
    },
  }
}

function sessionOf(place: CompilePlace, options: CompileOptions): Session {
  return {
    place,
    options,
    refused: [],
    raw: [],
    directives: [],
    variables: new Set(),
    requestZones: new Set(),
    connectionZones: new Set(),
    cacheZones: new Set(),
    upstreams: new Set(),
    logFormats: new Set(),
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
  refuse(directive, scope, outcome)
}

type Refused = Exclude<Outcome, string>

function outcomeOf(
  directive: Directive,
  row: Row | undefined,
  scope: Scope,
): "data" | "typed" | "raw" | Refused {
  if (row === undefined) return unknownDirective(directive)
  const misplaced = misplacement(directive, row, scope)
  if (misplaced !== undefined) return { refused: misplaced }
  if (row.becomes === "refused") return refusedBy(row)
  if (row.becomes === "raw") {
    return rawOf(directive, row, scope)
  }
  const args = argsOf(directive, row, scope)
  if (typeof args === "string") return { refused: args }
  return applied(directive, row, args, scope)
}

function unknownDirective({ name }: Directive): Refused {
  const meant = nearest(name, directiveNames)
  return {
    refused: "no module of this nginx has it",
    ...(meant !== undefined && { instead: `${shown(meant)}, if that is meant` }),
  }
}

/** Source: nginx, ngx_conf_handler. */
function misplacement({ name, block }: Directive, row: Row, { context, seen }: Scope): string | undefined {
  if (!row.contexts.includes(context)) return `${shown(name)} directive is not allowed here`
  if (row.hasBlock && block === undefined) return `directive ${shown(name)} has no opening "{"`
  if (!row.hasBlock && block !== undefined) return `directive ${shown(name)} is not terminated by ";"`
  if (seen.has(name) && !row.isRepeatable) return `${shown(name)} directive is duplicate`
  seen.add(name)
  return undefined
}

function refusedBy({ reason = "it is refused", instead }: Row): Refused {
  return { refused: reason, ...(instead !== undefined && { instead }) }
}

/** Only what stands around all has a place to be printed at. */
function rawOf(directive: Directive, row: Row, scope: Scope): "raw" | Refused {
  const refused = refusedBy(row)
  if (scope.location !== undefined || scope.context !== contexts[scope.session.place]) return refused
  const fault = rawFault(directive, scope.session.place)
  if (fault !== undefined) return { ...refused, refused: fault }
  scope.session.raw.push({ ...refusalOf(directive, scope, refused), text: asWritten(directive) })
  return "raw"
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
  if (row.becomes === "idle" || isSaidAlready(directive, args, scope)) return "data"
  const inAuth = scope.session.place === "auth" ? authFault(directive.name) : undefined
  if (inAuth !== undefined) return inAuth === "idle" ? "data" : { refused: inAuth }
  const block = blocks.get(directive.name)
  if (block !== undefined && directive.block !== undefined) return block(directive, args, scope)
  const isHttp = scope.session.place !== "stream" && scope.session.place !== "main"
  const effect = isHttp && scope.context !== "upstream" ? effectOf(directive.name) : undefined
  const outcome = effect === undefined ? "typed" : effect(args, scope, directive)
  return outcome === "typed" ? printed(directive, args, scope) : outcome
}

/** A directive that repeats what is in force around the snippet. */
function isSaidAlready({ name }: Directive, args: readonly string[], { session }: Scope): boolean {
  const around = session.options.around ?? new Map([["server_tokens", "off"]])
  return around.get(name) === args.join(" ")
}

function printed(directive: Directive, args: readonly string[], scope: Scope): "typed" | Refused {
  if (scope.context === "if" || scope.context === "server-if")
    return { refused: "it stands in an if, where only what is data has an effect" }
  const { place, options } = scope.session
  const isStream = place === "stream"
  const fault = isStream
    ? streamFault(directive, upstreamsOf(scope), options.allowsLoopback === true)
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

function upstreamsOf({ session: { upstreams, options } }: Scope): ReadonlySet<string> {
  return new Set([...upstreams, ...(options.upstreams ?? [])])
}

/** Its answer is for nginx alone: what changes it has no effect, and what would decide in its place is no part of a question. */
function authFault(name: string): "idle" | string | undefined {
  if (
    /^(add_header|add_trailer|expires|more_(set|clear)_headers|\w+_(hide|pass)_header|access_log|default_type)$/.test(
      name,
    )
  )
    return "idle"
  if (/^(\w+_set_header|fastcgi_param|proxy_\w+|grpc_\w+|fastcgi_\w+|client_\w+|send_timeout)$/.test(name))
    return undefined
  return "an authentication service is asked as annotations say, and only headers and numbers of the question may be added"
}

type Block = (directive: Directive, args: readonly string[], scope: Scope) => "data" | "typed" | Refused

/** @see conditionOf */
const conditional: Block = ({ words, block = [] }, _, scope) => {
  const condition = conditionOf(words)
  if (typeof condition === "string") return { refused: condition }
  const unknown = unknownVariable(scope.session, condition.variables)
  if (unknown !== undefined) return { refused: unknown }
  const at = scope.steps.push({ op: "if", ...condition.step }) - 1
  const inner = new Scope(
    scope.session,
    scope.context === "server" ? "server-if" : "if",
    scope.location,
    scope.steps,
  )
  compileBlock(block, inner)
  scope.steps[at] = { op: "if", ...condition.step, skip: scope.steps.length - at - 1 }
  if (inner.isClosed) scope.isClosed = true
  scope.ifs.push({ scope: inner, step: at })
  return "data"
}

const nested: Block = ({ block = [] }, args, scope) => {
  const head = headOf(args)
  if (typeof head === "string") return { refused: head }
  const fault = nestingFault(head, scope)
  if (fault !== undefined) return { refused: fault }
  const inner = new Scope(scope.session, "location", head)
  compileBlock(block, inner)
  scope.inner.push(inner)
  return "data"
}

/** Source: nginx, ngx_http_core_location: the modifier is a word of its own, or the beginning of the only one. */
function headOf(args: readonly string[]): LocationHead | string {
  const [first = "", second] = args
  const glued = second === undefined ? /^(=|\^~|~\*|~)(.+)$/s.exec(first) : null
  const [match, path] = second === undefined ? [glued?.[1] ?? "", glued?.[2] ?? first] : [first, second]
  if (match === "" && path.startsWith("@")) return { match: "@", path: path.slice(1) }
  if (match === "" || match === "=" || match === "^~")
    return path.startsWith("/") ? { match, path } : `location ${shown(path)} does not begin with "/"`
  if (match !== "~" && match !== "~*") return `invalid location modifier ${shown(match)}`
  const parsed = pattern(path)
  return typeof parsed === "string" ? parsed : { match, path }
}

/** Source: nginx, ngx_http_core_location. */
function nestingFault(head: LocationHead, { location }: Scope): string | undefined {
  if (location === undefined) return undefined
  if (location.match === "=")
    return `location ${shown(head.path)} cannot be inside the exact location ${shown(location.path)}`
  if (location.match === "@")
    return `location ${shown(head.path)} cannot be inside the named location ${shown(location.path)}`
  if (head.match === "@") return `named location ${shown(head.path)} can be on the server level only`
  const isPlain = ["", "=", "^~"].includes(head.match) && ["", "^~"].includes(location.match)
  return isPlain && !head.path.startsWith(location.path)
    ? `location ${shown(head.path)} is outside location ${shown(location.path)}`
    : undefined
}

/**
 * Other methods get the block's own configuration, in which no step of the location is run (ngx_http_update_location_config comes before the rewrite
 * phase). So `deny all` in it is the answer to them before everything else. GET brings HEAD. Source: nginx, ngx_http_core_limit_except.
 */
const limitExcept: Block = ({ block = [], words }, _, scope) => {
  const methods = words.map((it) => it.toUpperCase())
  const wrong = methods.find((it) => !knownMethods.has(it))
  if (wrong !== undefined) return { refused: `invalid method ${shown(wrong)}` }
  const inner = new Scope(scope.session, "limit-except", scope.location)
  compileBlock(block, inner)
  if (inner.isClosed) scope.isClosed = true
  const rules = inner.access.rules ?? []
  if (rules[0]?.from !== "all" || inner.pass !== undefined || inner.access.authBasic !== undefined)
    return rules.length === 0 && inner.access.authBasic === undefined
      ? "data"
      : {
          refused: "in it only deny all is known here",
          instead: 'an if with "$request_method" and return 403',
        }
  if (rules[0].action === "deny") {
    const all = methods.includes("GET") ? [...methods, "HEAD"] : methods
    const test = { value: "$request_method", test: "mismatch", pattern: `^(?:${all.join("|")})$` } as const
    scope.first.push({ op: "if", ...test, skip: 1 }, { op: "return", code: 403 })
  }
  return "data"
}

/** Source: nginx, ngx_methods_names. */
const knownMethods: ReadonlySet<string> = new Set(
  "GET HEAD POST PUT DELETE MKCOL COPY MOVE OPTIONS PROPFIND PROPPATCH LOCK UNLOCK PATCH".split(" "),
)

function blockOf(context: Context): Block {
  return ({ name, block = [] }, args, scope) => {
    const inner = new Scope(scope.session, context)
    compileBlock(block, inner)
    scope.text.push({ name, args, block: inner.text })
    return "typed"
  }
}

const inUpstream: Block = (directive, args, scope) =>
  blockOf(scope.context === "stream" ? "stream-upstream" : "upstream")(directive, args, scope)

const blocks: ReadonlyMap<string, Block> = new Map([
  ["if", conditional],
  ["location", nested],
  ["limit_except", limitExcept],
  ["upstream", inUpstream],
  ["server", blockOf("stream-server")],
])

/** What stands in a location of the snippet's own guards nothing but that. */
function refuse(directive: Directive, scope: Scope, outcome: Refused): void {
  const refusal = refusalOf(directive, scope, outcome)
  const isInside = scope.location !== undefined
  if (refusal.mayGuard && isInside) scope.isClosed = true
  scope.session.refused.push({ ...refusal, mayGuard: refusal.mayGuard && !isInside })
}

function refusalOf(directive: Directive, scope: Scope, { refused, instead, guards }: Refused): Refusal {
  return {
    line: directive.line,
    column: directive.column,
    directive: directive.name,
    reason: refused,
    ...(instead !== undefined && { instead }),
    mayGuard: guards ?? mayGuard(directive, scope),
  }
}

function mayGuard(directive: Directive, { session, context }: Scope): boolean {
  const { place } = session
  if (place === "main" || place === "stream") return false
  if (directive.name === "server" && place === "http") return serverGuards(directive, session)
  const where: SnippetPlace =
    context === "http" || context === "server" ? context : place === "auth" ? "auth" : "location"
  return !isHarmless(directive.name, where, directive.block !== undefined)
}

function serverGuards({ block = [] }: Directive, { options }: Session): boolean {
  const listens = block
    .filter(({ name }) => name === "listen")
    .map(({ words }) => `listen ${words.join(" ")};`)
  return guardIn(`server { ${listens.join(" ")} }`, "http", options.ports) !== undefined
}

/** What a record takes: docs/wire.md, SCRIPT, LEVEL and ACCESS. */
const most = { steps: 256, levels: 64, items: 256, rules: 1024 }

function tooLong(scope: Scope): void {
  for (const inner of scope.inner) tooLong(inner)
  const { first, steps, referers, ifs, access } = scope
  // a referer is up to four steps, and before them all there is one
  const isLong =
    first.length + steps.length + 4 * referers.length + 1 > most.steps ||
    ifs.length >= most.levels ||
    (access.rules?.length ?? 0) > most.rules ||
    [scope, ...ifs.map((it) => it.scope)].some(hasLongList)
  if (!isLong) return
  Object.assign(scope, { isClosed: true, access: {} })
  for (const list of [first, steps, referers, ifs]) list.length = 0
  const reason = `a location may have ${most.steps} steps, ${most.levels} ifs, ${most.rules} rules and ${most.items} headers`
  scope.session.refused.push({ line: 1, column: 1, directive: "", reason, mayGuard: true })
}

function hasLongList({ level, headers }: Scope): boolean {
  const lists = [...Object.values(level), ...Object.values(headers)]
  return lists.some((it) => Array.isArray(it) && it.length > most.items)
}
