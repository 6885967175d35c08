import type { ConfigMap } from "../../model/objects/config-map.ts"
import type { Secret } from "../../model/objects/secret.ts"
import type { Settings } from "./settings.ts"
import type { Parsed } from "./values.ts"

/** One key of the ConfigMap and the setting it fills: the only place that knows its name, syntax and default. */
export interface Key<Field extends keyof Settings = keyof Settings> extends KeyOf<Settings[Field]> {
  readonly field: Field
}

/** Objects that values may name, by `namespace/name`: what those hold is part of what is parsed. */
export interface NamedObjects {
  configMap(name: string): ConfigMap | undefined
  secret(name: string): Secret | undefined
}

export const noObjects: NamedObjects = { configMap: () => undefined, secret: () => undefined }

export type KeyParser<T> = (text: string, objects: NamedObjects) => Parsed<T>

interface KeyOf<T> {
  readonly name: string
  readonly parse: KeyParser<T>
  /** the setting when the key is absent */
  readonly initial: T
}

/** A family of keys, by the fields of the settings that they fill: each field has exactly one key. */
export type Keys<T> = { readonly [Field in keyof T]-?: KeyOf<T[Field]> }

/** @param initial the default, written as in a ConfigMap */
export function key<T>(name: string, parse: KeyParser<T>, initial: string): KeyOf<T> {
  const parsed: Parsed<T> = parse(initial, noObjects)
  if (parsed.kind === "refused")
    throw new Error(`default ${JSON.stringify(initial)} of ${name}: ${parsed.reason}`)
  return { name, parse, initial: parsed.value }
}

/** The part of the settings that a family fills. */
export function settingsOf<T extends object>(family: Keys<T>, settings: T): T {
  const fields = Object.keys(family) as (keyof T)[]
  return Object.fromEntries(fields.map((field) => [field, settings[field]])) as T
}
