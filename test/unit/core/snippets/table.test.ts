import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { annotations } from "../../../../controller/core/annotations/table.ts"
import { keys } from "../../../../controller/core/options/key-table.ts"
import { effectOf } from "../../../../controller/core/snippets/effects.ts"
import type { Context, Row } from "../../../../controller/core/snippets/rows.ts"
import { rows } from "../../../../controller/core/snippets/table.ts"
import { commandsOf } from "../../../support/nginx-commands.ts"

// The table is held against nginx's own tables of commands: those of 1.22 and 1.26 with the stream, Brotli and headers-more modules, as recorded, and those of the nginx
// that is built here.

const root = join(import.meta.dirname, "../../../..")
const recorded: Record<string, Record<string, string>> = JSON.parse(
  readFileSync(join(root, "test/fixtures/nginx-directives.json"), "utf8"),
)
const programs = ["sbin/nginx", "lib/nginx/modules/ngx_stream_module.so"].map((it) =>
  join(root, "out/nginx/usr", it),
)

const http: readonly (readonly [bit: number, context: Context])[] = [
  [0x0200_0000, "http"],
  [0x0400_0000, "server"],
  [0x0800_0000, "location"],
  [0x1000_0000, "upstream"],
  [0x2000_0000, "server-if"],
  [0x4000_0000, "if"],
  [0x8000_0000, "limit-except"],
]
const stream: typeof http = [
  [0x0200_0000, "stream"],
  [0x0400_0000, "stream-server"],
  [0x0800_0000, "stream-upstream"],
]

/** Of modules of mail there is nothing. Source: nginx, NGX_HTTP_MAIN_CONF, NGX_STREAM_MAIN_CONF, NGX_EVENT_CONF, NGX_MAIN_CONF. */
function contextsOf(module: string, type: number): readonly Context[] {
  if (/^ngx_(event_core|epoll)_module$/.test(module)) return ["events"]
  const bits = /^ngx_stream_\w+_module$/.test(module) ? stream : http
  const isMain = (type & 0x0100_0000) !== 0
  if (isMain && module !== "ngx_conf_module") return ["main"]
  return bits.flatMap(([bit, context]) => ((type & bit) !== 0 ? [context] : []))
}

/** Fewest and most words. Source: nginx, NGX_CONF_TAKE1 to NGX_CONF_2MORE. */
function countsOf(type: number): readonly [min: number, max: number] {
  if ((type & 0x200) !== 0) return [1, 1]
  if ((type & 0x800) !== 0) return [1, Number.POSITIVE_INFINITY]
  if ((type & 0x1000) !== 0) return [2, Number.POSITIVE_INFINITY]
  const counts = [0, 1, 2, 3, 4, 5, 6, 7].filter((count) => (type & (1 << count)) !== 0)
  return [Math.min(...counts), Math.max(...counts)]
}

function rowIn(name: string, context: Context): Row | undefined {
  return rows.find((row) => row.name === name && row.contexts.includes(context))
}

/** What of a directive the table has otherwise than nginx. */
function differences(module: string, name: string, type: number): readonly string[] {
  const [min, max] = countsOf(type)
  return contextsOf(module, type).flatMap((context) => {
    const row = rowIn(name, context)
    if (row === undefined) return [`${module}: ${name} has no row in ${context}`]
    const hasBlock = (type & 0x100) !== 0
    const isSame = row.hasBlock === hasBlock && row.words.min >= min && row.words.max <= max
    return isSame ? [] : [`${module}: ${name} in ${context} takes other words or blocks`]
  })
}

describe("each directive of nginx has a row where it may stand, which takes no more words than nginx", () => {
  test("as recorded", () => {
    const all = Object.entries(recorded).flatMap(([module, commands]) =>
      Object.entries(commands).flatMap(([name, type]) => differences(module, name, Number(type))),
    )
    expect(all).toEqual([])
    expect(Object.values(recorded).flatMap((it) => Object.keys(it)).length).toBeGreaterThan(600)
  })

  test.skipIf(!programs.every((it) => existsSync(it)))("as it is built here", () => {
    const commands = programs.flatMap((it) => commandsOf(it))
    expect(commands.length).toBeGreaterThan(600)
    expect(commands.flatMap(({ module, name, type }) => differences(module, name, type))).toEqual([])
  })
})

test("no directive has two rows for one place", () => {
  const places = rows.flatMap(({ name, contexts }) => contexts.map((context) => `${name} in ${context}`))
  expect(places.filter((it, nth) => places.indexOf(it) !== nth)).toEqual([])
})

test("what becomes data has an effect, and what is refused or only text a reason", () => {
  const withBlocks = new Set(["if", "location", "limit_except"])
  const data = rows.filter(({ becomes, name }) => becomes === "data" && !withBlocks.has(name))
  expect(data.filter(({ name }) => effectOf(name) === undefined).map(({ name }) => name)).toEqual([])
  const refused = rows.filter(({ becomes }) => becomes === "refused" || becomes === "raw")
  expect(refused.filter(({ reason }) => !reason).map(({ name }) => name)).toEqual([])
})

test("annotations and keys that are named in the place of a directive are there", () => {
  const known = new Set([...annotations, ...keys].map(({ name }) => name))
  const folder = join(root, "controller/core/snippets")
  const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(folder, file), "utf8"))
  const named = texts.flatMap((text) => [
    ...text.matchAll(/(?:annotation|ConfigMap key)s? "([-\w]+)"(?: and "([-\w]+)")?/g),
  ])
  const names = named.flatMap(([, first, second]) => [first, second]).filter((name) => name !== undefined)
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !known.has(name))).toEqual([])
})
