import type { Liquid } from "liquidjs"
import { quoteWithVariables } from "./quote.ts"

/** The filters that templates may use beside Liquid's own; every other output goes through `quote`. */
export function addFilters(engine: Liquid): void {
  engine.registerFilter("variables", { raw: true, handler: quoteWithVariables })
  // Liquid's own way round `quote`. Nothing is printed raw, so a template that asks for it does not even parse.
  delete engine.filters.raw
}
