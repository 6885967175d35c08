// What is asked of wick and of the oracle alike: paths of one host with snippets, and requests to it.

/** A path of the Ingress. `Prefix` also stands for `ImplementationSpecific`, as in ingress-nginx. */
export interface CasePath {
  readonly path: string
  readonly type: "Prefix" | "Exact"
}

export interface SnippetCase {
  /** What it is called when it fails: what it is for, or the seed that it was made from. */
  readonly name: string
  /** default: all of the host */
  readonly paths?: readonly CasePath[]
  /** Text of `server-snippet`. */
  readonly server?: string
  /** Text of `configuration-snippet`. */
  readonly location?: string
  /** Beside the snippets, without their prefix; only what the oracle's text knows (oracle.ts). */
  readonly annotations?: Readonly<Record<string, string>>
  readonly requests: readonly CaseRequest[]
}

export interface CaseRequest {
  /** default GET */
  readonly method?: string
  /** As it is sent, with arguments. */
  readonly target: string
  /** Beside Host, in their order; names may stand twice. */
  readonly headers?: readonly Header[]
  /** default: the case's host */
  readonly host?: string
  readonly body?: string
  /** Loopback address that it comes from; default 127.0.0.1. */
  readonly from?: string
  /** What the backend answers, if it is asked. */
  readonly answer?: BackendAnswer
  /** What it answers where it is asked as authentication service, at `authPath`. */
  readonly auth?: BackendAnswer
}

export interface BackendAnswer {
  /** default 200 */
  readonly status?: number
  readonly headers?: readonly Header[]
  /** default `ok` */
  readonly body?: string
}

export type Header = readonly [name: string, value: string]

/** The questions of annotation `auth-url` go here, and are no part of what is compared. */
export const authPath = "/auth-service"

/** Where a snippet stands, and its text. */
export function textsOf({ server, location }: SnippetCase): string {
  const shown = (place: string, text?: string) => (text === undefined ? [] : [`${place}:\n${text.trimEnd()}`])
  return [...shown("server-snippet", server), ...shown("configuration-snippet", location)].join("\n")
}
