import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, test } from "vitest"
import { countsTable, withCounts } from "../../../build/reference/counts.ts"
import { pages } from "../../../build/reference/pages.ts"
import { kinds } from "../../../build/reference/standing.ts"
import { outcomeOfAnnotation, outcomeOfKey } from "../../../build/reference/trial.ts"
import { type Annotation, annotations } from "../../../controller/core/annotations/table.ts"
import { noObjects } from "../../../controller/core/options/key.ts"
import { keys, unneededKeys } from "../../../controller/core/options/key-table.ts"
import { root, shared } from "../../../harness/paths.ts"

const printed = pages()

test.each(Object.entries(printed))("%s is what the tables print", (path, text) => {
  const committed = readFileSync(join(root, path), "utf8")
  expect(committed, "run `npm run docs` and read what it changes").toBe(text)
})

describe("what the reference says", () => {
  test("it says for every annotation that has an effect", () => {
    const page = printed["docs/reference/annotations.md"] ?? ""
    expect(
      annotations.filter(
        ({ name }) => !new RegExp(`^\\| <a id="${name}"></a>\`(wick.dev/)?${name}\``, "m").test(page),
      ),
    ).toEqual([])
  })

  test("it says for every key that has an effect, and for those that need none", () => {
    const page = printed["docs/reference/configmap.md"] ?? ""
    expect(
      [...keys, ...unneededKeys].filter(
        ({ name }) => !page.includes(`\n| <a id="${name}"></a>\`${name}\` |`),
      ),
    ).toEqual([])
  })

  test("the defaults of keys as they are", () => {
    const plain = keys.flatMap(({ name, parse, initial, default: written, shownDefault = written }) => {
      const text = shownDefault.replaceAll("`", "")
      const parsed = /^[\w./ -]+$/.test(text) ? parse(text, noObjects) : undefined
      return parsed?.kind === "value"
        ? [{ name, said: parsed.value as unknown, initial: initial as unknown }]
        : []
    })
    expect(plain.length).toBeGreaterThan(20)
    expect(plain.filter(({ said, initial }) => !isDeepStrictEqual(said, initial))).toEqual([])
  })
})

describe("whether a change reloads is tried out", () => {
  test("with numbers and redirects, which are data", () => {
    expect(outcomeOfAnnotation({ name: "proxy-read-timeout", example: "7" })).toBe("post")
    expect(outcomeOfKey({ name: "load-balance", example: "ewma" })).toBe("post")
  })

  test("with what nginx takes from its configuration alone", () => {
    expect(outcomeOfAnnotation({ name: "proxy-http-version", example: "1.0" })).toBe("reload")
    expect(outcomeOfKey({ name: "keep-alive", example: "7" })).toBe("reload")
  })

  test("with every example, which must be one that is taken", () => {
    for (const entry of annotations) outcomeOfAnnotation(entry)
    for (const entry of keys) outcomeOfKey(entry)
  })

  test("with no example that is a mistake", () => {
    expect(() => outcomeOfAnnotation({ name: "proxy-read-timeout", example: "7s" })).toThrow(
      "without a unit, as in 7",
    )
    expect(() => outcomeOfKey({ name: "keep-alive", example: "7s" })).toThrow("its default applies")
  })
})

describe("the counts", () => {
  test("are of all that ingress-nginx has: each name stands once", () => {
    expect(kinds.map(({ standings }) => standings.size)).toEqual([136, 198, 72])
    const page = printed["docs/reference/coverage.md"] ?? ""
    for (const { name: kind, standings } of kinds)
      for (const name of standings.keys()) {
        const written = `\`${kind === "flags" ? "--" : ""}${name}\``
        const link = `[${written}](${kind === "keys" ? "configmap" : kind}.md#${name})`
        expect(page.split(`| ${link} |`), name).toHaveLength(2)
      }
  })

  test("are those of what has an effect, and of what has none with the reason", () => {
    const idle = kinds.map(({ standings }) =>
      [...standings].flatMap(([name, { kind }]) => (kind === "effective" ? [] : [name])),
    )
    expect(idle).toEqual([
      [
        "auth-keepalive",
        "auth-keepalive-requests",
        "auth-keepalive-share-vars",
        "auth-keepalive-timeout",
        "http2-push-preload",
        "stream-snippet",
      ],
      [
        "app-root",
        "bind-address-ipv4",
        "bind-address-ipv6",
        "enable-serial-reloads",
        "geoip2-autoreload-in-minutes",
        "global-external-auth",
        "http2-max-field-size",
        "http2-max-header-size",
        "http2-max-requests",
        "lua-shared-dicts",
        "opentelemetry-config",
        "proxy-ssl-location-only",
        "server-name-hash-bucket-size",
        "server-name-hash-max-size",
        "upstream-hash-by",
        "upstream-hash-by-subset",
        "upstream-hash-by-subset-size",
        "use-geoip",
      ],
      [
        "disable-full-test",
        "dynamic-configuration-retries",
        "enable-annotation-validation",
        "health-check-timeout",
        "internal-logger-address",
        "monitor-max-batch-size",
        "ssl-passthrough-proxy-port",
        "stream-port",
      ],
    ])
  })

  test("are printed between the marks, whatever stood there, and nothing else is changed", () => {
    const page = (between: string) => `# a\n\n<!-- counts -->\n${between}<!-- /counts -->\n\nb\n`
    expect(withCounts(page("old\n"))).toBe(page(`\n${countsTable("docs/reference/")}\n\n`))
    expect(withCounts("no marks")).toBe("no marks")
  })
})

const facts = join(shared, "spec")

type Annotations = readonly { name: string; scope: string; risk: string; aliases: string[] }[]

describe.skipIf(!existsSync(facts))("of what ingress-nginx knows", () => {
  const namesIn = (file: string, field: string): string[] =>
    JSON.parse(readFileSync(join(facts, file), "utf8")).map((row: Record<string, string>) => row[field])

  test("the lists of names are complete", () => {
    const names = (file: string, field: string, prefix: string) =>
      namesIn(file, field)
        .filter((name) => name !== "(general)")
        .map((name) => name.slice(prefix.length))
        .sort()
    const logging = names("flags.json", "name", "--").filter((name) => !kinds[2]?.standings.has(name))
    expect(kinds.map(({ standings }) => [...standings.keys()].sort())).toEqual([
      names("annotations.json", "name", "nginx.ingress.kubernetes.io/"),
      names("configmap.json", "key", ""),
      names("flags.json", "name", "--").filter((name) => !logging.includes(name)),
    ])
    expect(logging).toEqual([
      "add_dir_header",
      "alsologtostderr",
      "log_backtrace_at",
      "log_dir",
      "log_file",
      "log_file_max_size",
      "logtostderr",
      "one_output",
      "skip_headers",
      "skip_log_headers",
      "stderrthreshold",
      "v",
      "vmodule",
    ])
  })

  test("risk and deprecated names of annotations are those of ingress-nginx, and the scope except for whole servers", () => {
    const plain = (name: string) => name.split("/")[1] ?? ""
    const theirs = JSON.parse(readFileSync(join(facts, "annotations.json"), "utf8")) as Annotations
    const ours = theirs.map(({ name }) => annotations.find((entry) => entry.name === plain(name)))
    // no text of these snippets reaches nginx.conf, as it does there
    const riskOf = (entry: Annotation | undefined) => (entry?.risk === "parsed" ? "critical" : entry?.risk)
    expect(ours.map((entry) => [entry?.name, riskOf(entry), entry?.aliases ?? []])).toEqual(
      theirs.map(({ name, risk, aliases }) => [plain(name), risk, aliases.map(plain)]),
    )
    const scopes = theirs.map(({ scope }, at) => (ours[at]?.scope === "server" ? "server" : scope))
    expect(ours.map((entry) => entry?.scope)).toEqual(scopes)
  })
})
