import type { Settings } from "./settings.ts"
import type { Parser } from "./values.ts"

/** One key of the ConfigMap and the setting it fills: the only place that knows its name, syntax and default. */
export interface Key<Field extends keyof Settings = keyof Settings> {
  readonly name: string
  readonly field: Field
  readonly parse: Parser<Settings[Field]>
  /** the setting when the key is absent */
  readonly initial: Settings[Field]
}

/** Ties the value that a key's parser gives to the type of its field. */
export function key<Field extends keyof Settings>(
  name: string,
  field: Field,
  parse: Parser<Settings[Field]>,
  initial: Settings[Field],
): Key<Field> {
  return { name, field, parse, initial }
}
