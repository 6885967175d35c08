import type { Overrides } from "../../../model/overrides.ts"
import type { AnnotationValues } from "../../annotations/values.ts"
import type { Settings } from "../../options/settings.ts"

/** How many codes one number says of, so that JSON has it exactly (wire/overrides.ts). */
const codesInNumber = 50

const fields = [
  "errorPages400",
  "errorPages450",
  "errorPages500",
  "errorPages550",
] as const satisfies readonly (keyof Overrides)[]

/** Which errors have a page, where that is not what the ConfigMap says. Numbers of routes: no location, so no reload. */
export function errorOverrides(
  { codes, passesErrors }: AnnotationValues["errors"],
  settings: Pick<Settings, "errorCodes" | "passesErrors">,
): Overrides {
  const passes = passesErrors ?? settings.passesErrors
  if (codes !== undefined) return { ...setsOf(codes), proxyInterceptErrors: !passes }
  const isOther = settings.errorCodes.length > 0 && passes !== settings.passesErrors
  return isOther ? { proxyInterceptErrors: !passes } : {}
}

/** @param codes 400 to 599, at least one */
function setsOf(codes: readonly number[]): Overrides {
  const byField = Map.groupBy(codes, (code) => fields[Math.floor((code - 400) / codesInNumber)])
  const sets = [...byField].map(([field, own]) => [field, own.reduce((sum, code) => sum + bitOf(code), 0)])
  return Object.fromEntries(sets)
}

function bitOf(code: number): number {
  return 2 ** ((code - 400) % codesInNumber)
}
