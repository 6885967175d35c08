import type { Overrides } from "../../model/overrides.ts"
import type { Level, Step } from "../../model/route-records.ts"
import type { TypedDirective } from "../../model/typed-directive.ts"
import type {
  CompiledAccess,
  CompiledFirewall,
  CompiledLocation,
  CompileOptions,
  Pass,
  RawDirective,
  Refusal,
  Verdict,
} from "./compiled.ts"
import type { Credentials } from "./credentials.ts"
import type { Context } from "./rows.ts"
import type { Directive, Place } from "./syntax.ts"

// What is being compiled: one `Scope` for each block of nginx's that is a level of configuration, and one `Session` for the whole text.

export type CompilePlace = "location" | "server" | "auth" | "http" | "main" | "stream"

export type Protocol = "http" | "grpc" | "fastcgi"

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export interface Session {
  readonly place: CompilePlace
  readonly options: CompileOptions
  readonly refused: Refusal[]
  readonly raw: RawDirective[]
  readonly directives: (Verdict & Place)[]
  readonly credentials: Credentials
  /** variables that the text itself brings */
  readonly variables: Set<string>
  readonly requestZones: Set<string>
  readonly connectionZones: Set<string>
  readonly cacheZones: Set<string>
  readonly upstreams: Set<string>
  readonly logFormats: Set<string>
  /** what is not in force, and so declares nothing */
  readonly lost: Set<Directive>
}

/** What a block says of itself, without what it has of the blocks around it. */
export class Scope {
  readonly session: Session
  readonly context: Context
  /** the location, or `undefined` in what is around all */
  readonly location: LocationHead | undefined
  /** of the rewrite module, in order; an `if` writes into those of its location */
  readonly steps: Step[]
  /** steps that are run before all others */
  readonly first: Step[] = []
  /** its `if`s, with the index of their step */
  readonly ifs: { readonly scope: Scope; readonly step: number }[] = []
  readonly level: Mutable<Level> = {}
  /** by whom they are sent */
  readonly headers: Record<Protocol, { readonly name: string; readonly value: string }[]> = {
    http: [],
    grpc: [],
    fastcgi: [],
  }
  access: Mutable<CompiledAccess> = {}
  overrides: Mutable<Overrides> = {}
  firewall?: CompiledFirewall
  readonly text: TypedDirective[] = []
  readonly inner: Scope[] = []
  readonly seen = new Set<string>()
  /** words of `valid_referers` */
  readonly referers: string[] = []
  /** requests from outside get 404 */
  isInternal = false
  pass?: Pass
  /** the Host header that nginx would send of itself */
  passHost = ""
  /** what may keep requests out of this location is not in force */
  isClosed = false

  constructor(session: Session, context: Context, location?: LocationHead, steps: Step[] = []) {
    this.session = session
    this.context = context
    this.location = location
    this.steps = steps
  }
}

export type LocationHead = Pick<CompiledLocation, "match" | "path">

/** nginx's words for the first variable that nobody has, with the one that was probably meant. */
export function unknownVariable(
  { options, variables }: Session,
  names: readonly string[],
): string | undefined {
  const unknown = names.find((name) => !variables.has(name) && !options.isVariable(name))
  if (unknown === undefined) return undefined
  const meant = options.nearestVariable?.(unknown)
  return `unknown "${unknown}" variable${meant === undefined ? "" : `, did you mean $${meant}`}`
}
