import { shown } from "../../model/shown.ts"
import { conditionOf } from "./condition.ts"
import type { Refused } from "./effects/effect.ts"
import { limitedSteps } from "./limit-except.ts"
import type { Context } from "./rows.ts"
import { type LocationHead, Scope, unknownVariable } from "./scope.ts"
import type { Directive } from "./syntax.ts"
import { pattern } from "./values.ts"

// Directives with a block that is a level of configuration of its own, or a group of directives.

/** @param compile the directives of a block into its scope */
type Block = (
  directive: Directive,
  args: readonly string[],
  scope: Scope,
  compile: (directives: readonly Directive[], scope: Scope) => void,
) => "data" | "typed" | Refused

const conditional: Block = ({ words, block = [] }, _, scope, compile) => {
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
  compile(block, inner)
  scope.steps[at] = { op: "if", ...condition.step, skip: scope.steps.length - at - 1 }
  if (inner.isClosed) scope.isClosed = true
  scope.ifs.push({ scope: inner, step: at })
  return "data"
}

const nested: Block = ({ block = [] }, args, scope, compile) => {
  const head = headOf(args)
  if (typeof head === "string") return { refused: head }
  const fault = nestingFault(head, scope) ?? duplicateFault(head, scope)
  if (fault !== undefined) return { refused: fault }
  const inner = new Scope(scope.session, "location", head)
  compile(block, inner)
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

/** Of patterns the first wins; of others there is one. Source: nginx, ngx_http_join_exact_locations. */
function duplicateFault({ match, path }: LocationHead, { inner }: Scope): string | undefined {
  if (match === "~" || match === "~*") return undefined
  const kind = (it: LocationHead) => (it.match === "^~" ? "" : it.match)
  const isThere = inner.some(({ location: it }) => it?.path === path && kind(it) === kind({ match, path }))
  return isThere ? `duplicate location ${shown(path)}` : undefined
}

/** Source: nginx, ngx_http_core_location. */
function nestingFault(head: LocationHead, { location, session }: Scope): string | undefined {
  if (head.match === "@" && (location !== undefined || session.place !== "server"))
    return `named location ${shown(head.path)} can be on the server level only`
  if (location === undefined) return undefined
  if (location.match === "=")
    return `location ${shown(head.path)} cannot be inside the exact location ${shown(location.path)}`
  if (location.match === "@")
    return `location ${shown(head.path)} cannot be inside the named location ${shown(location.path)}`
  const isPlain = ["", "=", "^~"].includes(head.match) && ["", "^~"].includes(location.match)
  return isPlain && !head.path.startsWith(location.path)
    ? `location ${shown(head.path)} is outside location ${shown(location.path)}`
    : undefined
}

/** Of what may stand in it, rules are known here. Source: nginx, ngx_http_core_limit_except. */
const limitExcept: Block = ({ block = [], words }, _, scope, compile) => {
  const methods = words.map((it) => it.toUpperCase())
  const wrong = methods.find((it) => !knownMethods.has(it))
  if (wrong !== undefined) return { refused: `invalid method ${shown(wrong)}` }
  const inner = new Scope(scope.session, "limit-except", scope.location)
  compile(block, inner)
  if (inner.isClosed) scope.isClosed = true
  const { rules = [], ...others } = inner.access
  if ([others, inner.level].some((it) => Object.keys(it).length > 0))
    return { refused: "in it only allow and deny are known here", instead: 'an if with "$request_method"' }
  if (scope.access.satisfy === "any")
    return { refused: "beside satisfy any it is not known here", instead: 'an if with "$request_method"' }
  const steps = limitedSteps(methods, rules, scope.location !== undefined)
  if (typeof steps === "string") return { refused: steps, instead: 'an if with "$request_method"' }
  scope.first.push(...steps)
  return "data"
}

/** Source: nginx, ngx_methods_names. */
const knownMethods: ReadonlySet<string> = new Set(
  "GET HEAD POST PUT DELETE MKCOL COPY MOVE OPTIONS PROPFIND PROPPATCH LOCK UNLOCK PATCH".split(" "),
)

function blockOf(context: Context): Block {
  return ({ name, block = [] }, args, scope, compile) => {
    const inner = new Scope(scope.session, context)
    compile(block, inner)
    scope.text.push({ name, args, block: inner.text })
    return "typed"
  }
}

const inUpstream: Block = (directive, args, scope, compile) =>
  blockOf(scope.context === "stream" ? "stream-upstream" : "upstream")(directive, args, scope, compile)

/** By the directive's name. */
export const blocks: ReadonlyMap<string, Block> = new Map([
  ["if", conditional],
  ["location", nested],
  ["limit_except", limitExcept],
  ["upstream", inUpstream],
  ["server", blockOf("stream-server")],
])
