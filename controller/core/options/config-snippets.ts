import type { Snippets } from "../../model/http/snippets.ts"
import type { TypedDirective } from "../../model/typed-directive.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import { nearest } from "../../support/nearest.ts"
import { compileSnippet } from "../snippets/compile.ts"
import type { CompiledSnippet, CompileOptions } from "../snippets/compiled.ts"
import { inheritText } from "../snippets/levels.ts"
import { mayStandIn } from "../snippets/table.ts"
import { isNginxVariable, nginxVariables } from "./nginx-variables.ts"
import type { Settings } from "./settings.ts"

// The operator's snippets: keys of the ConfigMap. In come their texts, out goes what each of them says, with what others of them have declared.

/** Which texts of the operator there are: the place of each, as the compiler calls it. */
export type ConfigSnippets = Readonly<
  Record<"main" | "http" | "server" | "location" | "auth" | "stream", CompiledSnippet>
>

type Texts = Pick<
  Settings,
  "mainSnippet" | "httpSnippet" | "serverSnippet" | "locationSnippet" | "globalAuthSnippet" | "streamSnippet"
>

export type CompileTexts = (texts: Texts) => ConfigSnippets

/** Compiles only texts that are others than the last time. */
export function rememberingConfigSnippets(): CompileTexts {
  const last = new LastResult<ConfigSnippets>()
  return (texts) => {
    const { mainSnippet, httpSnippet, serverSnippet, locationSnippet, globalAuthSnippet, streamSnippet } =
      texts
    const inputs = [
      mainSnippet,
      httpSnippet,
      serverSnippet,
      locationSnippet,
      globalAuthSnippet,
      streamSnippet,
    ]
    return last.of(inputs, () => configSnippets(texts))
  }
}

export function configSnippets(texts: Texts): ConfigSnippets {
  const http = compileSnippet(texts.httpSnippet, "http", optionsBeside([]))
  const server = compileSnippet(texts.serverSnippet, "server", optionsBeside([http]))
  return {
    main: compileSnippet(texts.mainSnippet, "main", ofElsewhere),
    http,
    server,
    location: compileSnippet(texts.locationSnippet, "location", optionsBeside([http, server])),
    auth: compileSnippet(texts.globalAuthSnippet, "auth", optionsBeside([http, server])),
    stream: compileSnippet(texts.streamSnippet, "stream", ofElsewhere),
  }
}

/** Backends are Services of a namespace, and the operator's text is in none. */
const nowhere = ""

/** @param around what has declared variables and zones */
export function optionsBeside(around: readonly CompiledSnippet[]): CompileOptions {
  const all = around.map(({ declares }) => declares)
  const variables = new Set(all.flatMap((declares) => declares.variables))
  return {
    namespace: nowhere,
    isVariable: (name) => isNginxVariable(name) || variables.has(name),
    nearestVariable: (name) => nearest(name, [...nginxVariables, ...variables]),
    requestZones: new Set(all.flatMap(({ requestZones }) => requestZones)),
    connectionZones: new Set(all.flatMap(({ connectionZones }) => connectionZones)),
    cacheZones: new Set(all.flatMap(({ cacheZones }) => cacheZones)),
    credentials: new Set(all.flatMap(({ credentials }) => credentials)),
  }
}

/** Variables of other modules than HTTP's are nginx's to judge. */
const ofElsewhere: CompileOptions = { namespace: nowhere, isVariable: () => true, allowsLoopback: true }

/**
 * What of them is printed. Around all server blocks stands what no server block can say: the controller's own blocks, which answer it, are not to
 * inherit the rest. That stands in the blocks for traffic, whose locations have it from there.
 */
export function printedSnippets(settings: Texts): Snippets {
  const { main, http, server, location, stream } = configSnippets(settings)
  const isOfServers = (directive: TypedDirective) => mayStandIn("server", directive)
  const around = textOf(http)
  return {
    main: textOf(main),
    http: around.filter((directive) => !isOfServers(directive)),
    servers: [around.filter(isOfServers), textOf(server), textOf(location)].reduce(inheritText),
    stream: textOf(stream),
  }
}

/** The operator may say what only nginx understands. */
export function textOf({ text, raw }: CompiledSnippet): readonly TypedDirective[] {
  return [...text, ...raw.map((it) => it.text)]
}
