import type { Location } from "../../model/location.ts"
import type { Header, RouteVariables } from "../../model/route.ts"
import type { BackendRef } from "./backend-ref.ts"
import type { DeclaredBackendTls } from "./backend-tls.ts"

// What becomes of requests of a rule, in the words of the Gateway API. All texts are literal: no variables, no groups.

/** Headers of a request or of a response. What frames a message stays nginx's, and a request's `Host` is `UrlRewrite.hostname`'s. */
export interface HeaderEdits {
  /** each in the place of all of its name */
  readonly set?: readonly Header[]
  /** each as one more line, behind those that there are then */
  readonly add?: readonly Header[]
  /** names; before `add` */
  readonly remove?: readonly string[]
}

/** What takes the place of the path that was asked for; its arguments stay. */
export interface PathReplacement {
  /** of the whole path, or of the rule's own path at its beginning, which is a `prefix` then. A slash at the end of either counts for nothing; a path of which nothing is left is `/` */
  readonly of: "all" | "prefix"
  readonly by: string
}

/** Before requests are passed on. */
export interface UrlRewrite {
  /** `Host` of requests as the backend gets them */
  readonly hostname?: string
  readonly path?: PathReplacement
}

/** An answer in the place of a backend's. */
export interface RedirectParts {
  /** 301, 302, 303, 307 or 308 */
  readonly code: number
  /** absent: that of the listener */
  readonly scheme?: "http" | "https"
  /** absent: that of the request */
  readonly hostname?: string
  /** absent: that of `scheme`, or without one that of the listener. The usual one of a scheme is not written */
  readonly port?: number
  /** absent: that of the request as the client wrote it */
  readonly path?: PathReplacement
  /** what clients asked: its port as they see it, whatever nginx listens on for it */
  readonly listener: { readonly scheme: "http" | "https"; readonly port: number }
}

/** How long an answer may take. 0: as long as it likes, whatever the settings of all say of silent backends. */
export interface RuleTimeouts {
  /** of a request with all of its attempts, from when its first one begins (the body is there then, unless it is passed on as it comes) to the end of the backend's answer */
  readonly requestMs?: number
  /** of each attempt, likewise */
  readonly backendMs?: number
}

/** Which attempts are made again, with another endpoint if there is one. */
export interface RuleRetry {
  /** 400 to 599: answers that lead to another attempt, whatever the method. Connections that fail do so always, and an attempt that takes longer than `RuleTimeouts.backendMs` */
  readonly codes: readonly number[]
  /** beside the first one; 0: none */
  readonly attempts: number
}

/** How one of several backends is reached, where that is not as the rule's `proxying` has it. */
export interface OwnWay {
  /** absent: `proxying.locations.own` */
  readonly location?: Location
  /** goes with `location` */
  readonly backendTls?: DeclaredBackendTls
  /** in the place of those of the same names; absent: none */
  readonly variables?: Pick<RouteVariables, "proxySslName" | "connection">
}

/** Who gets copies of requests; its answers are dropped. */
export interface RuleMirror extends OwnWay {
  readonly ref: BackendRef
  /** where the object names it, below the rule's `field` */
  readonly backendAt: string
  /** which part of the requests: `numerator` of `denominator`, 0 ≤ n ≤ d, d ≥ 1; absent: all */
  readonly part?: { readonly numerator: number; readonly denominator: number }
}

/** What is said of the requests that one of a rule's backends gets, beside what the rule says of all. */
export interface BackendActions {
  readonly requestHeaders?: HeaderEdits
  readonly responseHeaders?: HeaderEdits
  /** its path is in the place of that of the rule */
  readonly rewrite?: UrlRewrite
  readonly mirrors?: readonly RuleMirror[]
}

/** What a rule says of all of its requests. */
export interface RuleActions extends BackendActions {
  /** then nothing is passed on */
  readonly redirect?: RedirectParts
  readonly timeouts?: RuleTimeouts
  /** absent: as the settings of all have it */
  readonly retry?: RuleRetry
}
