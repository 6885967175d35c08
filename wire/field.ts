import type { Type } from "./types.ts"

/** One field: of an object as it is posted, of a record, or of both. */
export interface Field {
  /** in JSON; of a record alone, what its constant is called */
  readonly name: string
  readonly type: Type
  /** in the record, 1 to 127, never used twice; absent: it is no field there, or not by itself */
  readonly id?: number
  readonly isRequired?: true
  /** to serve without it would let something through: a reader that does not know it must not serve (docs/decisions/0017) */
  readonly isCritical?: true
  /** the record has one for each, in order */
  readonly isRepeated?: true
  /** of a flag that shares a field: its bit there */
  readonly bit?: number
  /** version of wick that wrote it first */
  readonly since: string
  /** for docs/wire.md */
  readonly meaning: string
  /** how it stands in the controller's model, where that is not its name in camel case */
  readonly model?: InModel
  /** of an override: what the fixture has */
  readonly example?: number | boolean | string
}

interface InModel {
  readonly name?: string
  /** in TypeScript */
  readonly type?: string
  /** it is always there, although it need not be posted */
  readonly isAlways?: true
  /** the member of the model's object whose member it is */
  readonly within?: string
  /**
   * What is posted is the text of a number (`text`), true if something is there (`presence`), that or false (`isThere`), a text unless it is empty
   * (`filled`), or what a secret hides (`secret`).
   */
  readonly as?: "text" | "presence" | "isThere" | "filled" | "secret"
  /** its value is an object whose members are the model's own: it is there if one of them is */
  readonly isSpread?: true
  /** the model does not have it: it comes with the posting, always as this */
  readonly constant?: string
  /** the model does not have it: it comes with the posting */
  readonly isAbsent?: true
  /** the controller does not post it */
  readonly isUnposted?: true
  /** in the place of `meaning`, which is for readers of the posted format */
  readonly meaning?: string
}

export type Fields = readonly Field[]

/** `proxyReadTimeoutMs` of `proxy_read_timeout_ms`. A size in bytes is called by its unit alone. */
export function camelCase(name: string): string {
  const short = name.replace("_size_bytes", "_bytes")
  return short.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase())
}

/** `PROXY_READ_TIMEOUT_MS` of `proxy_read_timeout_ms`, `CLIENT_CERTIFICATE` of `ClientCertificate`. */
export function constantCase(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/\W/g, "_")
    .toUpperCase()
}
