import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Liquid, type Template } from "liquidjs"
import { addFilters } from "./filters.ts"
import { quote } from "./quote.ts"

/** Prints finished fields with a template. A field or filter that the template names and that does not exist is an error. */
export type Print = (fields: object) => string

/** Reads the templates of a folder (`*.liquid`) once. @returns a function that prints with `nginx.liquid` and its partials */
export function loadTemplates(folder: string): Print {
  const engine = new Liquid({
    templates: textsOf(folder),
    extname: ".liquid",
    outputEscape: quote,
    strictFilters: true,
    strictVariables: true,
    ownPropertyOnly: true,
    // A tag on a line of its own leaves no line behind: templates can be indented like what they print.
    trimTagLeft: true,
    trimTagRight: true,
    greedy: false,
    // Partials are parsed once, too.
    cache: true,
  })
  addFilters(engine)
  const template: Template[] = engine.parseFileSync("nginx")
  return (fields) => engine.renderSync(template, fields)
}

function textsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".liquid"))
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]))
}
