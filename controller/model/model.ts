import type { AddressList, UserList } from "./access.ts"
import type { Backend } from "./backend.ts"
import type { Authority, Certificate, Passthrough, Staple, TlsHost } from "./certificate.ts"
import type { Http } from "./http.ts"
import type { ListenerPort } from "./listener.ts"
import type { Location } from "./location.ts"
import type { Host } from "./route.ts"
import type { SecretFile } from "./secret-file.ts"
import type { ServerBlocks } from "./server-block.ts"
import type { Stream } from "./stream.ts"
import type { StreamPort } from "./stream-listener.ts"

/**
 * Everything nginx should serve. A change in `fixed` needs a reload, a change in `live` is posted: the place of a field is the decision.
 * Lists are in canonical order (by name, byte-wise), so equal inputs give equal models whatever order they came in.
 */
export interface Model {
  readonly fixed: Fixed
  readonly live: Live
}

export interface Fixed {
  readonly http: Http
  readonly locations: readonly Location[]
  /** absent: all hosts have one server block */
  readonly servers?: ServerBlocks
  /** ports that listeners with hosts of their own are on, by number, those of `Http.ports` among them; absent: there are none */
  readonly listeners?: readonly ListenerPort[]
  /** ports of TCP and UDP services, by name; absent: there are none */
  readonly streams?: readonly StreamPort[]
  /** what locations name; absent: nothing. Each once, by name */
  readonly files?: readonly SecretFile[]
}

/** The live half: a list of each kind of thing, each thing once. */
export type Live = { readonly [Kind in LiveKind]: readonly LiveThings[Kind][] }

export interface LiveThings {
  readonly certificates: Certificate
  readonly authorities: Authority
  readonly staples: Staple
  readonly backends: Backend
  readonly tlsHosts: TlsHost
  readonly addressLists: AddressList
  readonly userLists: UserList
  readonly hosts: Host
  readonly passthroughs: Passthrough
  readonly streams: Stream
}

export type LiveKind = keyof LiveThings

export const emptyLive: Live = {
  certificates: [],
  authorities: [],
  staples: [],
  backends: [],
  tlsHosts: [],
  addressLists: [],
  userLists: [],
  hosts: [],
  passthroughs: [],
  streams: [],
}
