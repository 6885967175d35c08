import { shown } from "../../model/shown.ts"
import type { Refusal } from "./compiled.ts"
import { type Directive, parseNginxSyntax, SyntaxFault } from "./syntax.ts"

// Annotation "stream-snippet": which ports are open is the operator's matter, who names them in ConfigMaps (core/streams). So none of it is in force, and
// of each server it is said what entry of these does the same.

/** What is said of each directive that stands around all. Pure; never throws. @param namespace of the Ingress */
export function refusedStreams(text: string, namespace: string): readonly Refusal[] {
  const directives = parsed(text)
  if (directives instanceof SyntaxFault) {
    const { line, column, what } = directives
    return [{ line, column, directive: "", reason: `it cannot be read: ${what}`, mayGuard: false }]
  }
  const upstreams = directives.filter(({ name }) => name === "upstream")
  const servers = directives.filter(({ name, block }) => name === "server" && block !== undefined)
  const used = new Set(servers.map(targetOf))
  const idle = upstreams.filter(({ words: [name = ""] }) => !used.has(name))
  const others = directives.filter((it) => !upstreams.includes(it) && !servers.includes(it))
  return [
    ...servers.map((server) => refused(server, opensPort, entryFor(server, upstreams, namespace))),
    ...idle.map((it) => refused(it, "no server of the snippet hands anything on to it")),
    ...others.map((it) => refused(it, "it would hold for all ports", 'ConfigMap key "stream-snippet"')),
  ].sort((a, b) => a.line - b.line || a.column - b.column)
}

const opensPort = "an Ingress opens no ports"

function refused({ name, line, column }: Directive, reason: string, instead?: string): Refusal {
  return { line, column, directive: name, reason, ...(instead && { instead }), mayGuard: false }
}

function parsed(text: string): readonly Directive[] | SyntaxFault {
  try {
    return parseNginxSyntax(text)
  } catch (error) {
    if (error instanceof SyntaxFault) return error
    throw error
  }
}

/** The entry of the operator's ConfigMap: `3306: "demo/db:3306"`. */
function entryFor(server: Directive, upstreams: readonly Directive[], namespace: string): string {
  const [listen = "PORT", ...parameters] = wordsOf(server, "listen")
  const port = /(\d+)$/.exec(listen)?.[1] ?? "PORT"
  const protocol = parameters.includes("udp") ? "udp" : "tcp"
  const accepts = protocol === "tcp" && parameters.includes("proxy_protocol")
  const sends = protocol === "tcp" && wordsOf(server, "proxy_protocol")[0] === "on"
  const proxying = sends ? `:${accepts ? "PROXY" : ""}:PROXY` : accepts ? ":PROXY" : ""
  const service = serviceOf(targetOf(server), upstreams, namespace)
  const entry = `entry ${port}: ${shown(`${service}${proxying}`)} in the ConfigMap of --${protocol}-services-configmap`
  const others = (server.block ?? []).filter(({ name }) => !inEntry.has(name))
  return others.length === 0 ? entry : `${entry}, which as JSON has limits and times, too`
}

const inEntry: ReadonlySet<string> = new Set(["listen", "proxy_pass", "proxy_protocol"])

function targetOf(server: Directive): string {
  return wordsOf(server, "proxy_pass")[0] ?? ""
}

function wordsOf({ block = [] }: Directive, name: string): readonly string[] {
  return block.find((it) => it.name === name)?.words ?? []
}

/** `namespace/service:port`, with words in capitals for what the text does not say. */
function serviceOf(target: string, upstreams: readonly Directive[], namespace: string): string {
  const upstream = upstreams.find(({ words: [name] }) => name === target)
  const address = upstream === undefined ? target : (wordsOf(upstream, "server")[0] ?? "")
  const [, host = "", port = "PORT"] = /^([a-z][-a-z0-9.]*?)(?::(\d+))?$/i.exec(address) ?? []
  const [service = "", of = namespace] = host.toLowerCase().split(".")
  return `${of}/${service === "" || host === "localhost" ? "SERVICE" : service}:${port}`
}
