import type { Overrides } from "../../model/overrides.ts"
import type { AccessRule, Replacement, Script } from "../../model/route-records.ts"
import type { TypedDirective } from "../../model/typed-directive.ts"
import type { Becomes } from "./rows.ts"

// What a snippet is when it has been read and understood. Nothing in it is text of the user's that nginx would read as configuration.

/** What one level of nginx's configuration says: a location, or a server. */
export interface CompiledLevel {
  /** the steps of the rewrite module; levels are merged with those around them */
  readonly script?: Script
  /** `location` blocks in it, in the order of the text */
  readonly locations: readonly CompiledLocation[]
  readonly access?: CompiledAccess
  readonly overrides?: Overrides
  readonly text: readonly TypedDirective[]
  /** of ModSecurity; absent: nothing */
  readonly firewall?: CompiledFirewall
}

/** Absent: as annotations and the ConfigMap have it. */
export interface CompiledFirewall {
  readonly isOn?: boolean
  /** texts that `readRules` (core/modsecurity) takes */
  readonly rules?: readonly string[]
  /** a template */
  readonly transactionId?: string
}

export interface CompiledSnippet extends CompiledLevel {
  /** behind "allow-snippet-annotations" and risk level Critical; printed as they are read */
  readonly raw: readonly RawDirective[]
  /** what is not in force */
  readonly refused: readonly Refusal[]
  /** each directive of the text in its order, those in blocks behind the one that has them */
  readonly directives: readonly Verdict[]
  readonly declares: Declarations
}

/** Absent: as the level around has it. */
export interface CompiledAccess {
  readonly rules?: readonly AccessRule[]
  readonly satisfy?: "any" | "all"
  /** "off", or the realm, for which the Ingress has the users */
  readonly authBasic?: "off" | { readonly realm: string }
  /** "off", or the URI of a subrequest */
  readonly authRequest?: "off" | { readonly uri: string }
}

/** A location of nginx's: `=`, `^~`, `~`, `~*`, by the beginning (""), or with a name ("@"). */
export interface CompiledLocation extends CompiledLevel {
  readonly match: "=" | "^~" | "~" | "~*" | "" | "@"
  /** the path or pattern, or the name without its `@` */
  readonly path: string
  /** what may keep requests out of it is not in force: 503 */
  readonly isClosed?: true
  /** absent: nothing serves what no step answers: 404 */
  readonly pass?: Pass
}

/**
 * Where a location hands requests on. Its backend gets the headers of the request and those of the level, and but for `keepsHeaders` nothing that
 * wick would add: the level has all that nginx's proxy module would send.
 */
export interface Pass {
  readonly scheme: "http" | "https" | "grpc" | "grpcs"
  /** of the Ingress's namespace */
  readonly service: string
  /** number or name */
  readonly port: string
  /** takes the place of the part of the path that the location matched. Absent: the path stays */
  readonly uri?: string
  /** what nginx's proxy module does to `Location` by itself (`proxy_redirect default`) */
  readonly redirect?: Replacement
  /** the headers that wick sends to the backend of the location around are sent, too */
  readonly keepsHeaders?: true
}

/** A directive that is not in force. */
export interface Refusal {
  readonly line: number
  readonly column: number
  /** "" where the text as a whole cannot be read */
  readonly directive: string
  /** a phrase that fits behind a colon */
  readonly reason: string
  /** what says the same */
  readonly instead?: string
  /** whether requests may get in that it would have kept out */
  readonly mayGuard: boolean
}

/** A directive that can only be printed as it is; where that is not allowed, it is refused. */
export interface RawDirective extends Refusal {
  readonly text: TypedDirective
}

export interface Verdict {
  readonly line: number
  readonly name: string
  readonly becomes: Exclude<Becomes, "idle">
}

/** What other snippets may name. */
interface Declarations {
  /** in small letters, without `$` */
  readonly variables: readonly string[]
  /** those of them that hold what proves who a client is */
  readonly credentials: readonly string[]
  readonly requestZones: readonly string[]
  readonly connectionZones: readonly string[]
  readonly cacheZones: readonly string[]
  readonly upstreams: readonly string[]
  readonly logFormats: readonly string[]
}

/** Where a snippet stands, and what is known there. */
export interface CompileOptions {
  /** of the Ingress: backends are Services of it. "": the text is the operator's */
  readonly namespace: string
  /** of the backends of the Ingress: headers for others are not sent. Default: http */
  readonly protocol?: "http" | "grpc" | "fastcgi"
  /** whether nginx, wick or another snippet has a variable of this name */
  isVariable(name: string): boolean
  /** the one that was probably meant */
  nearestVariable?(name: string): string | undefined
  /** variables of other snippets that hold what proves who a client is */
  readonly credentials?: ReadonlySet<string>
  /** of limit_req_zone, by name */
  readonly requestZones?: ReadonlySet<string>
  /** of limit_conn_zone, by name */
  readonly connectionZones?: ReadonlySet<string>
  /** of proxy_cache_path and fastcgi_cache_path, by name */
  readonly cacheZones?: ReadonlySet<string>
  /** directives that are in force around the snippet as they are here: to say them again changes nothing. Default: `server_tokens off` */
  readonly around?: ReadonlyMap<string, string>
  /** servers of `stream` may lead to addresses of this machine. Default: no */
  readonly allowsLoopback?: boolean
  /** at which routes are served. Default: 80 and 443 */
  readonly ports?: ReadonlySet<number>
}
