import type { Liquid } from "liquidjs"
import { printDirectives } from "./directives.ts"
import { quote, quoteWithVariables } from "./quote.ts"

/** The filters that templates may use beside Liquid's own; every other output goes through `quote`. */
export function addFilters(engine: Liquid): void {
  engine.registerFilter("variables", { raw: true, handler: quoteWithVariables })
  // For arguments in which nginx looks for no variables, such as the keys of a map: a dollar is just that.
  engine.registerFilter("verbatim", { raw: true, handler: quoteWithVariables })
  // More arguments of a directive, each behind a blank.
  engine.registerFilter("arguments", { raw: true, handler: argumentsBy(quote) })
  engine.registerFilter("verbatim_arguments", { raw: true, handler: argumentsBy(quoteWithVariables) })
  // Whole lines, so many blanks from the margin.
  engine.registerFilter("directives", { raw: true, handler: printDirectives })
  engine.registerFilter("switch", (value: unknown) => {
    if (typeof value !== "boolean") throw new Error(`Cannot print ${typeof value} as a switch`)
    return value ? "on" : "off"
  })
  // Liquid's own way round `quote`. Nothing is printed raw, so a template that asks for it does not even parse.
  delete engine.filters.raw
}

function argumentsBy(print: (value: unknown) => string) {
  return (values: readonly unknown[]) => values.map((value) => ` ${print(value)}`).join("")
}
