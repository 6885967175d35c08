import type { ConfigMap } from "../../model/objects/config-map.ts"
import type { Secret } from "../../model/objects/secret.ts"
import type { Parsed } from "./parser.ts"
import type { Usage } from "./usage.ts"

// What an entry of the tables in keys/ says about a key of the ConfigMap: nothing else in the code knows it.

/** The headings of docs/reference/configmap.md, in order. */
export const sections = [
  "Client connections",
  "Listeners",
  "TLS",
  "Forwarded requests",
  "Headers",
  "Proxying",
  "Backends",
  "Redirects",
  "Logs",
  "Tracing",
  "Compression",
  "Access control",
  "Web application firewall",
  "Process",
  "Limits",
] as const

export type Section = (typeof sections)[number]

/** Objects that values may name, by `namespace/name`: what those hold is part of what is parsed. */
export interface NamedObjects {
  configMap(name: string): ConfigMap | undefined
  secret(name: string): Secret | undefined
}

export const noObjects: NamedObjects = { configMap: () => undefined, secret: () => undefined }

type KeyParser<T> = (text: string, objects: NamedObjects) => Parsed<T>

/** A way to write the value of a key. */
export interface KeySyntax<T> {
  readonly parse: KeyParser<T>
  readonly values: string
}

/** A key that has an effect. */
export interface KeyEntry<T = unknown> extends KeySyntax<T>, Usage {
  readonly name: string
  /** where it stands in the reference, if not where its family does */
  readonly section?: Section
  /** the value of an absent key, written as in a ConfigMap */
  readonly default: string
  /** shown instead of `default` where that says little (Markdown) */
  readonly shownDefault?: string
  /** what a refused value comes to where no good one was before it, and the default would open what it should close */
  readonly whenRefused?: WhenRefused<T>
}

interface WhenRefused<T> {
  readonly value: T
  /** a phrase that fits after the name of the key */
  readonly state: string
}

/** A key that wick has nothing to do for; it is taken without a Problem. */
export interface UnneededKey extends Omit<Usage, "description"> {
  readonly name: string
  readonly section?: Section
  /** why, and what does what is meant: a phrase without a final dot (Markdown) */
  readonly unneeded: string
  /** Markdown */
  readonly shownDefault: string
}

/** Which requests are refused: all, or those that `global-auth-url` is asked about. */
export type ClosedByKeys = "all" | "asked-about"

/** Entries by the field of the settings that they fill; keys that fill none stand under their names in camel case. */
export type Entries = Readonly<Record<string, KeyEntry | UnneededKey>>

/** Entries of which each field of `T` has one. */
export type EntriesFor<T> = Entries & { readonly [Field in keyof T]-?: KeyEntry<T[Field]> }

/** Keys that belong together. */
export interface Family<E extends Entries = Entries> {
  readonly section: Section
  readonly entries: E
  /** those that have an effect, by their fields */
  readonly fields: readonly string[]
}

export function family<const E extends Entries>(section: Section, entries: E): Family<E> {
  const fields = Object.entries(entries).flatMap(([field, entry]) => ("parse" in entry ? [field] : []))
  return { section, entries, fields }
}

/** The settings that a family fills. */
export type SettingsOf<F extends Family> = {
  readonly [Field in EffectiveFields<F["entries"]>]: Value<F["entries"][Field]>
}

type EffectiveFields<E extends Entries> = {
  [Field in keyof E]: E[Field] extends KeyEntry ? Field : never
}[keyof E]

type Value<Entry> = Entry extends KeyEntry<infer T> ? T : never

/** The part of the settings that a family fills. */
export function settingsOf<F extends Family>(family: F, settings: SettingsOf<F>): SettingsOf<F> {
  const part: Record<string, unknown> = {}
  for (const field of family.fields as (keyof SettingsOf<F> & string)[]) part[field] = settings[field]
  return part as SettingsOf<F>
}

/** What there is to say about a key besides its name, syntax and default. */
type Details<T> = Omit<KeyEntry<T>, "name" | "default" | keyof KeySyntax<unknown>>

/** @param initial the value of an absent key, written as in a ConfigMap */
export function key<T>(
  name: string,
  syntax: KeySyntax<T>,
  initial: string,
  details: Details<T>,
): KeyEntry<T> {
  return { name, ...syntax, default: initial, ...details }
}
