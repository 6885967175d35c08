import type { AnnotationValues } from "../../controller/core/annotations/values.ts"
import type { Subject } from "../lint/subject.ts"
import type { Canary } from "./canaries.ts"
import type { Json, Remarks } from "./conversion.ts"
import type { Listeners } from "./listeners.ts"
import type { ServedHosts } from "./served-hosts.ts"

/** What an Ingress is converted with. */
export interface RouteContext {
  readonly listeners: Listeners
  /** of a path, by namespace and host (lower-case, "" for all others) */
  readonly canaries: (namespace: string, host: string, path: string) => readonly Canary[]
  /** whether the paths of a host are regular expressions */
  readonly hasPatterns: (host: string) => boolean
  /** what all hosts came to */
  readonly served: ServedHosts
  /** for wick: annotations that it reads there stay on the routes */
  readonly keepsAnnotations: boolean
  /** its paths lead nowhere, so that no other route gets their requests */
  readonly isClosed: boolean
}

/** One Ingress while it is converted. */
export interface Converting extends RouteContext {
  readonly subject: Subject
  readonly values: AnnotationValues
  readonly remarks: Remarks
  /** filters of all rules that lead to a backend */
  readonly filters: readonly Json[]
  readonly vhost: string | undefined
}
