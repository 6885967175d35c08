import { describe, expect, test } from "vitest"
import { hasCorpus, readCorpus, servicesOf } from "../../../../harness/corpus.ts"
import { ingressClass } from "../../../../harness/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../../../../harness/translation.ts"

// What 81 published Ingresses say with snippets, as somebody gets it who sets nothing.

const snippet = /(?:configuration|server|auth|stream)-snippet"\]$/

describe.skipIf(!hasCorpus)("of published Ingresses with a snippet", () => {
  const all = hasCorpus ? readCorpus() : []
  const ingresses = all.map(({ ingress }) => ingress)
  const objects = [ingressClass, ...servicesOf(ingresses, 8080), ...ingresses]
  const changes = objects.flatMap((object) => changesOf(object, "corpus"))
  const { model, problems } = translationOf(changes, optionsOf(["--manifests=corpus"]))
  const told = Map.groupBy(
    problems.filter(({ field, code }) => snippet.test(field) && code !== "annotation-empty"),
    ({ object }) => `${object.namespace}/${object.name}`,
  )
  const withSnippet = all.filter(({ ingress: { metadata } }) =>
    Object.keys(metadata.annotations).some((key) => snippet.test(`${key}"]`)),
  )
  const nameOf = ({ ingress: { metadata } }: (typeof all)[number]) => `${metadata.namespace}/${metadata.name}`

  test("68 of 81 are in force in full; of the others 12 are such that nginx refuses, too", () => {
    const others = withSnippet.filter((sample) => told.has(nameOf(sample)))
    expect([withSnippet.length, withSnippet.length - others.length]).toEqual([81, 68])
    expect(others.filter(({ breaks }) => !breaks).map(nameOf)).toEqual(["g416/stream-ok-547"])
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

  test("six take a location or a server block of their own, of which equal ones are one", () => {
    const ofLocations = model.fixed.locations.filter(({ text }) => text !== undefined).length
    expect([ofLocations, model.fixed.servers?.own.length]).toEqual([3, 1])
  })

  test("each directive that is left out says where it stands and why", () => {
    for (const { message, code } of [...told.values()].flat())
      if (code !== "snippet-overruled") expect(message).toMatch(/^Cannot use .* \(line \d+, column \d+\): .+/)
  })
})
