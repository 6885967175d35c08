import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { Problem } from "../../../../controller/model/problem.ts"
import { hasCorpus, readCorpus, type Sample, servicesOf } from "../../../../harness/corpus.ts"
import { ingressClass, settings } from "../../../../harness/manifests.ts"
import { root } from "../../../../harness/paths.ts"
import { changesOf, optionsOf, translationOf } from "../../../../harness/translation.ts"

// What 81 published Ingresses say with snippets, as somebody gets it who sets nothing; and as their authors get it, whose namespaces have other names
// than in the corpus, and one of whom has a variable from an http-snippet of his own.

const snippet = /(?:configuration|server|auth|stream)-snippet"\]$/

const nameOf = ({ ingress: { metadata } }: Sample) => `${metadata.namespace}/${metadata.name}`
const textsOf = ({ ingress: { metadata } }: Sample) =>
  Object.entries(metadata.annotations).flatMap(([key, text]) => (snippet.test(`${key}"]`) ? [text] : []))

/** In the namespaces that the snippets of their authors name. */
function asWritten(samples: readonly Sample[]): readonly Sample[] {
  const named = samples.flatMap((sample) => {
    const [, namespace] = /:\/\/[-\w]+\.([-\w]+)\.svc\./.exec(textsOf(sample).join()) ?? []
    return namespace === undefined ? [] : [[sample.ingress.metadata.namespace, namespace] as const]
  })
  const names = new Map(named)
  return samples.map(({ ingress, ...rest }) => {
    const { namespace } = ingress.metadata
    const metadata = { ...ingress.metadata, namespace: names.get(namespace) ?? namespace }
    return { ...rest, ingress: { ...ingress, metadata } }
  })
}

interface Translated {
  readonly model: ReturnType<typeof translationOf>["model"]
  /** what is said of snippets, by Ingress */
  readonly told: ReadonlyMap<string, readonly Problem[]>
}

function translated(samples: readonly Sample[], keys?: Readonly<Record<string, string>>): Translated {
  const ingresses = samples.map(({ ingress }) => ingress)
  const conf = keys === undefined ? [] : [settings("corpus/settings", keys)]
  const objects = [ingressClass, ...conf, ...servicesOf(ingresses, 8080), ...ingresses]
  const flags = keys === undefined ? [] : ["--configmap=corpus/settings"]
  const { model, problems } = translationOf(
    objects.flatMap((object) => changesOf(object, "corpus")),
    optionsOf(["--manifests=corpus", ...flags]),
  )
  // The corpus has no Services but those that rules name.
  const ofSnippets = problems.filter(
    ({ field, code, message }) =>
      snippet.test(field) && code !== "annotation-empty" && !message.startsWith("Cannot reach Service"),
  )
  return { model, told: Map.groupBy(ofSnippets, ({ object }) => `${object.namespace}/${object.name}`) }
}

describe.skipIf(!hasCorpus)("of published Ingresses with a snippet", () => {
  const all = hasCorpus ? readCorpus() : []
  const withSnippet = all.filter((sample) => textsOf(sample).length > 0)
  const asTheyAre = translated(all)
  const written = asWritten(all)
  const ofAuthors = translated(written, {
    "http-snippet": "map $http_x_roles $rbac_allowed { default 1; none 0; }",
  })
  const { model, told } = asTheyAre

  const isFull = (sample: Sample) => !told.has(nameOf(sample))
  const toldOfAuthor = new Map(
    all.map((sample, at) => [sample, ofAuthors.told.get(nameOf(written[at] ?? sample))]),
  )
  const isFullOfAuthor = (sample: Sample) => toldOfAuthor.get(sample) === undefined
  const says = (sample: Sample, pattern: RegExp) => textsOf(sample).some((text) => pattern.test(text))

  /** Printed is what none of these is: the test below counts the locations. */
  const printed = /sub_filter|client_header_buffer_size|large_client_header_buffers/
  /** Stock nginx has no Lua, and no module for it is here either. */
  const lua = /_by_lua/

  const groups: readonly (readonly [what: string, samples: readonly Sample[]])[] = [
    ["in force in full, as data: no reload", withSnippet.filter((it) => isFull(it) && !says(it, printed))],
    [
      "in force in full, partly printed: one reload",
      withSnippet.filter((it) => isFull(it) && says(it, printed)),
    ],
    [
      "in force in full where their authors have them: the corpus has other names of namespaces, and no `http-snippet`",
      withSnippet.filter((it) => !isFull(it) && isFullOfAuthor(it)),
    ],
    [
      "Lua: closed, with what to write instead",
      withSnippet.filter((it) => !isFullOfAuthor(it) && says(it, lua)),
    ],
    [
      "refused by nginx with the same text, too",
      withSnippet.filter((it) => !isFullOfAuthor(it) && !says(it, lua) && it.breaks),
    ],
    [
      "a port of its own (`stream-snippet`), which operators open",
      withSnippet.filter((it) => !isFullOfAuthor(it) && !says(it, lua) && !it.breaks),
    ],
  ]

  test("the guide says how many are in force, and what becomes of the others", () => {
    expect(groups.reduce((sum, [, { length }]) => sum + length, 0)).toBe(withSnippet.length)
    const rows = groups.map(([what, { length }]) => `| ${length} | ${what} |`)
    const table = ["| Ingresses | what becomes of them |", "| --- | --- |", ...rows].join("\n")
    expect(readFileSync(join(root, "docs/guides/snippets.md"), "utf8")).toContain(table)
    expect(withSnippet).toHaveLength(81)
  })

  test("what nginx says of those that it refuses is what wick says", () => {
    const [, refused = []] = groups.find(([what]) => what.startsWith("refused")) ?? []
    const said = refused.map((it) =>
      toldOfAuthor
        .get(it)
        ?.map(({ message }) => message)
        .join(),
    )
    const reasons = [
      /unknown "certbot_validation" variable/,
      /questions? .*may be added/,
      /directive is not allowed here/,
      /opens no ports|hands anything on/,
    ]
    for (const text of said)
      expect(
        reasons.some((reason) => reason.test(text ?? "")),
        text,
      ).toBe(true)
  })

  test("none is open that has something left out which may keep requests out", () => {
    const closing = [...told].filter(([, of]) => of.some(({ code }) => code === "annotation-guard-closes"))
    const routes = Map.groupBy(
      model.live.hosts.flatMap((host) => host.routes),
      ({ namespace, ingressName }) => `${namespace}/${ingressName}`,
    )
    expect(closing.length).toBe(5)
    for (const [name] of closing)
      expect(routes.get(name)?.filter(({ status }) => status !== 503) ?? [], name).toEqual([])
  })

  test("four take a location or a server block of their own, of which equal ones are one", () => {
    const ofLocations = model.fixed.locations.filter(({ text }) => text !== undefined).length
    expect([ofLocations, model.fixed.servers?.own.length]).toEqual([2, 1])
  })

  test("each directive that is left out says where it stands and why", () => {
    for (const { message, code } of [...told.values()].flat())
      if (code !== "snippet-overruled") expect(message).toMatch(/^Cannot use .* \(line \d+, column \d+\): .+/)
  })
})
