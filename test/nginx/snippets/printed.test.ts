// What the compiler takes, nginx takes: one of each directive that is printed anew, where it may stand, and directives that are data with any words.
import { expect, test } from "vitest"
import { compileSnippet } from "../../../controller/core/snippets/compile.ts"
import type { Row } from "../../../controller/core/snippets/rows.ts"
import { rows } from "../../../controller/core/snippets/table.ts"
import type { TypedDirective } from "../../../controller/model/typed-directive.ts"
import { printDirectives } from "../../../controller/output/render/directives.ts"
import { checkConf } from "../../../harness/nginx.ts"
import { nginxBinary } from "../../../harness/paths.ts"
import { Random } from "../../../harness/random.ts"
import { commandsOf } from "../../support/nginx-commands.ts"

const known = new Set(commandsOf(nginxBinary).map(({ name }) => name))

/** Tried one after the other for each word. */
const words = [
  ...[
    "on",
    "1",
    "4",
    "8k",
    "10s",
    "text/html",
    "$host",
    "/a",
    "GET",
    "any",
    "a",
    "X-A",
    "^a$",
    "403",
    "10.0.0.0/8",
  ],
  ...["1.1", "TLSv1.2", "updating", "error", "Expires", "utf-8", "http_500", "none", "off", "msie", "secure"],
]

/** What zones and words there are around. */
const around = {
  namespace: "shop",
  isVariable: (name: string) => name === "host",
  requestZones: new Set(["z"]),
  connectionZones: new Set(["c"]),
}

const written: Readonly<Record<string, string>> = {
  client_body_in_file_only: "clean",
  limit_req: "zone=z",
  limit_conn: "c 1",
  limit_req_zone: "$host zone=a:32k rate=1r/s",
  limit_conn_zone: "$host zone=b:32k",
  log_format: "a $host",
  fastcgi_split_path_info: "^(.+)(/.*)$",
  modern_browser: "msie 5.0",
}

function sampleOf({ name, words: takes }: Row): string {
  const some = Array.from({ length: takes.min }, (_, nth) =>
    words.find((word) => typeof takes.at(nth)(word) !== "string"),
  )
  return `${name} ${written[name] ?? some.map((it) => JSON.stringify(it)).join(" ")};`
}

/** Of each directive that may stand there and is printed, what is printed. */
function printedIn(place: "location" | "server" | "http"): readonly string[] {
  const all = rows.filter((row) => row.becomes === "typed" && known.has(row.name) && !row.hasBlock)
  return all
    .filter(({ contexts }) => contexts.includes(place))
    .map((row) => printed(compileSnippet(sampleOf(row), place, around)))
}

function printed({ text, refused }: ReturnType<typeof compileSnippet>): string {
  expect(refused).toEqual([])
  return printDirectives(text as readonly TypedDirective[], 0)
}

function conf(inside: (port: number) => string): Parameters<typeof checkConf>[0] {
  return ({ dir, port }) => `
    pid ${dir}/nginx.pid; error_log ${dir}/error.log; events {}
    http { access_log off;
      limit_req_zone $host zone=z:32k rate=1r/s; limit_conn_zone $host zone=c:32k;
      ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((it) => `${it}_temp_path ${dir}/temp;`).join(" ")}
      ${inside(port)}
    }`
}

test.each([
  [
    "location",
    (it: string, port: number, nth: number) =>
      `server { listen 127.0.0.1:${port}; server_name s${nth}; location / { ${it} } }`,
  ],
  [
    "server",
    (it: string, port: number, nth: number) =>
      `server { listen 127.0.0.1:${port}; server_name s${nth}; ${it} }`,
  ],
] as const)("in a %s", async (place, block) => {
  const all = printedIn(place)
  expect(all.length).toBeGreaterThan(100)
  const { ok, output } = await checkConf(
    conf((port) => all.map((it, nth) => block(it, port, nth)).join("\n")),
  )
  expect(ok, output).toBe(true)
})

test("in http", async () => {
  const all = printedIn("http")
  expect(all.length).toBeGreaterThan(100)
  const { ok, output } = await checkConf(conf(() => all.join("\n")))
  expect(ok, output).toBe(true)
})

/** What they say together with each other, or with what stands around, is checked elsewhere. */
const withOthers =
  /_pass$|_(buffer_size|buffers|busy_buffers_size|max_temp_file_size)$|^(location|limit_except|if)$|_cache$|^more_/

const anyWords = [
  ...[
    ...words,
    "''",
    "'a b'",
    "$args",
    "-1",
    "@5h",
    "modified",
    "max",
    "499",
    "=200",
    "=",
    "::1",
    "unix:",
    "~x",
  ],
  ...[
    "10.0.0.1/33",
    "always",
    "last",
    "break",
    "permanent",
    "/a?",
    "http://b.test/",
    "$scheme://x",
    "*.a.test",
    "(a)(b)",
  ],
]

test("directives that are data with any words, if they are taken", async () => {
  const data = rows.filter(({ name, becomes, contexts }) => {
    const isHere = becomes === "data" && contexts.includes("location") && known.has(name)
    return isHere && !withOthers.test(name)
  })
  const random = new Random(33)
  const one = <T>(of: readonly T[]): T => of[random.below(of.length)] as T
  const texts = Array.from({ length: 20_000 }, () => {
    const some = Array.from({ length: 1 + random.below(3) }, () => one(anyWords))
    return `${one(data).name} ${some.join(" ")};`
  }).filter(
    (text) => compileSnippet(text, "location", { ...around, isVariable: isNginx }).refused.length === 0,
  )
  expect(texts.length).toBeGreaterThan(1500)
  const locations = texts.map((text, nth) => `location /${nth} { ${text} }`).join("\n")
  const { ok, output } = await checkConf(conf((port) => `server { listen 127.0.0.1:${port}; ${locations} }`))
  expect(ok, output).toBe(true)
})

function isNginx(name: string): boolean {
  return name === "host" || name === "args" || name === "scheme"
}
