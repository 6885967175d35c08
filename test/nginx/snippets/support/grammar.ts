// Snippets that nginx takes, from a seed, in the orders and nestings that nginx allows.
import { Random } from "../../../../harness/random.ts"
import type { CasePath, SnippetCase } from "./case.ts"
import { type Level, rows } from "./directives.ts"
import { Phrases } from "./phrases.ts"
import { requestsFor } from "./requests.ts"

const pathSets: readonly (readonly CasePath[])[] = [
  [{ path: "/", type: "Prefix" }],
  [
    { path: "/", type: "Prefix" },
    { path: "/a", type: "Prefix" },
    { path: "/a/b", type: "Exact" },
  ],
  [
    { path: "/", type: "Prefix" },
    { path: "/sub", type: "Prefix" },
  ],
]

/** A case that is the same whenever it is made from this seed. */
export function caseOf(seed: number): SnippetCase {
  const random = new Random(seed)
  const say = new Phrases(random)
  const place = say.pick(["server", "location", "location", "both"])
  const server = place === "location" ? undefined : serverSnippet(say)
  say.enterPath()
  const location = place === "server" ? undefined : block(say, "location", 6)
  const declared = say.declarations()
  const it = {
    name: `seed ${seed}`,
    paths: say.pick(pathSets),
    ...(server !== undefined && { server: server + declared }),
    ...(location !== undefined && { location: location + (server === undefined ? declared : "") }),
    requests: requestsFor(random, 12),
  }
  return seed % 5 === 0 ? withNamed(it, seed) : it
}

/** With a named location that errors lead to, from the host or its paths. */
function withNamed(it: SnippetCase, seed: number): SnippetCase {
  const say = new Phrases(new Random(seed + 1_000_000))
  const status = say.pick(["", "=", "=200", "=410"])
  const page = `error_page 403 404 405 410 418 429 500 503 ${status} @named;\n`
  const own = block(say, "location", 3)
  const answer = say.pick([
    'return 200 "named $uri $args";\n',
    "",
    "rewrite ^ /a last;\n",
    "deny 127.0.0.2;\n",
  ])
  // nginx would send both.
  const host = own.includes("proxy_set_header Host") ? "" : "proxy_set_header Host $host;\n"
  const passed = `${host}proxy_pass http://app.demo.svc.cluster.local;\n`
  const named = `location @named {\n${own}${answer}${passed}}\n${say.declarations()}`
  const isOfHost = say.oneIn(3)
  return {
    ...it,
    server: `${isOfHost ? page : ""}${it.server ?? ""}${named}`,
    ...(!isOfHost && { location: `${page}${it.location ?? ""}` }),
  }
}

function serverSnippet(say: Phrases): string {
  const count = say.pick([0, 0, 1, 2, 3])
  // Each has another path, for nginx takes no two alike.
  const locations = Array.from({ length: count }, (_, index) => locationBlock(say, index))
  return block(say, "server", 3) + locations.join("")
}

function locationBlock(say: Phrases, index: number): string {
  const match = say.pick([`= /l${index}`, `/l${index}`, `^~ /l${index}/`, ...patternsOf(index)])
  const inner = say.oneIn(5) ? nested(say, match) : ""
  return `location ${match} {\n${block(say, "location", 3)}${inner}${ending(say)}}\n`
}

function patternsOf(index: number): string[] {
  const pattern = [`\\.(css|php)$`, `^/a/(?<rest>.*)$`, `^/deep/(\\d)/`][index]
  return [`~ ${pattern}`, `~* "${pattern}"`]
}

/** A location in one that is a prefix has a longer prefix, or a pattern. */
function nested(say: Phrases, match: string): string {
  const [, prefix] = /^(?:\^~ )?(\/\S*)$/.exec(match) ?? []
  const own = prefix === undefined ? "~ x$" : say.pick([`${prefix.replace(/\/$/, "")}/in`, "~ x$"])
  return match.startsWith("=") ? "" : `location ${own} {\n${block(say, "location", 2)}${ending(say)}}\n`
}

/** Without a backend, nginx looks for a file where no step answers. */
function ending(say: Phrases): string {
  const answer = say.pick(['return 200 "ending $uri";\n', "return 403;\n", "deny all;\n", ""])
  return `${answer}proxy_pass http://app.demo.svc.cluster.local;\n`
}

function block(say: Phrases, level: Level, max: number): string {
  const seen = new Set<string>()
  const lines = Array.from({ length: 1 + say.pick(numbersBelow(max)) }, () => directive(say, level, seen))
  return lines.join("")
}

function directive(say: Phrases, level: Level, seen: Set<string>): string {
  const fitting = rows.filter(
    ({ name, levels, isOnce }) => levels.includes(level) && !(isOnce && seen.has(name)),
  )
  const { name, form } = say.weighted(fitting)
  seen.add(name)
  const rest = form(say, level, (inner) => block(say, inner, 3)).trimEnd()
  return `${`${name} ${rest}`.trimEnd()}${rest.endsWith("}") ? "" : ";"}\n`
}

function numbersBelow(max: number): number[] {
  return Array.from({ length: max }, (_, index) => index)
}
