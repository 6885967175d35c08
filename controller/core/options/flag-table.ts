import { admission } from "./flags/admission.ts"
import { apiServer } from "./flags/api-server.ts"
import { content } from "./flags/content.ts"
import { gateway } from "./flags/gateway.ts"
import { geoip } from "./flags/geoip.ts"
import { logging } from "./flags/klog.ts"
import { listeners } from "./flags/listeners.ts"
import { metrics } from "./flags/metrics.ts"
import { own } from "./flags/own.ts"
import { process } from "./flags/process.ts"
import { scope } from "./flags/scope.ts"

// Every flag, by what it is about. The names, defaults and meanings of all but wick's own and those of the Gateway API are those of ingress-nginx 1.15, so that the
// arguments of a Deployment stay as they are.

/** By what they are about, in the order --help-flags shows them. */
export const flagFamilies = {
  "wick's own": own,
  "Where nginx and the controller listen": listeners,
  "Which objects are ours": scope,
  "Objects that the flags name": content,
  "The Gateway API": gateway,
  "Reloads and processes": process,
  Metrics: metrics,
  "The admission webhook": admission,
  "The API server, and what is written to it": apiServer,
  "Where clients are": geoip,
  Logging: logging,
} as const

/** All flags. */
export const flagTable = {
  ...own,
  ...listeners,
  ...scope,
  ...content,
  ...gateway,
  ...process,
  ...metrics,
  ...admission,
  ...apiServer,
  ...geoip,
  ...logging,
}

type Table = typeof flagTable

/** `http-port` → `httpPort`, `log_dir` → `logDir` */
type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Camel<Head>}${Capitalize<Camel<Tail>>}`
  : Name extends `${infer Head}_${infer Tail}`
    ? `${Head}${Capitalize<Camel<Tail>>}`
    : Name

/** The value of every flag, named as the flag in camel case; what it means is in the table. Durations are milliseconds. */
export type Options = { readonly [Name in keyof Table & string as Camel<Name>]: Table[Name]["initial"] }
