// Ingresses as people have published them, all at once: what they ask for is served or is a Problem, and nobody's mistake is another's.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { annotationByName } from "../../../controller/core/annotations/table.ts"
import { parseNginxSyntax } from "../../../controller/core/snippets/syntax.ts"
import type { Translation } from "../../../controller/core/translate/translate.ts"
import type { Problem } from "../../../controller/model/problem.ts"
import type { Route } from "../../../controller/model/route.ts"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { type CorpusIngress, hasCorpus, readCorpus, servicesOf } from "../../../harness/corpus.ts"
import { ingress, ingressClass, listOf, serviceOn } from "../../../harness/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../../../harness/translation.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

const prefix = "nginx.ingress.kubernetes.io/"

describe.skipIf(!hasCorpus)("598 published Ingresses", () => {
  const ingresses = hasCorpus ? readCorpus().map((sample) => sample.ingress) : []
  let backends: Backends
  let wick: Wick
  let translation: Translation

  beforeAll(async () => {
    backends = await startBackends("any")
    const port = backends[0]?.port ?? 0
    const objects = [
      ingressClass,
      ...ingresses,
      ...servicesOf(ingresses, port),
      ...serviceOn("good/good", [port]),
      ingress("good/good", "good.test/ → good:80"),
    ]
    translation = translationOf(
      objects.flatMap((object) => changesOf(object, "corpus")),
      optionsOf(["--manifests=corpus"]),
    )
    wick = await startWick({
      manifests: { "all.json": listOf(objects) },
      // Nobody outside is asked for the names in them.
      flags: ["--resolv-conf=/dev/null"],
    })
  })
  afterAll(async () => {
    await wick.stop()
    await backends.stop()
  })

  test("run together in one nginx, which takes all that they ask for", async () => {
    expect(await wick.metric("nginx_ingress_controller_errors")).toBe(0)
    const conf = readFileSync(join(wick.runtimeDir, "nginx.conf"), "utf8")
    expect(parseNginxSyntax(conf).map(({ name }) => name)).toContain("http")
    expect(await wick.get("/", { host: "good.test" })).toMatchObject({ status: 200, body: "any" })
  })

  test("have no annotation that is dropped without a word", () => {
    const told = new Set(translation.problems.map(placeOf))
    const dropped = ingresses.flatMap((it) =>
      Object.entries(it.metadata.annotations)
        .filter(([key]) => key.startsWith(prefix) && !annotationByName.has(key.slice(prefix.length)))
        // A list that lets everybody in asks for nothing.
        .filter(([key, value]) => !(key.endsWith("list-source-range") && value.includes("0.0.0.0/0")))
        .map(([key]) => `${nameOf(it)} metadata.annotations[${JSON.stringify(key)}]`)
        .filter((place) => !told.has(place)),
    )
    expect(dropped).toEqual([])
  })

  test("are answered at every path, unless they ask for what cannot be had", async () => {
    const failed: string[] = []
    const places = ingresses.flatMap((it) => placesOf(it).map((place) => ({ it, ...place })))
    const ask = async ({ it, host, path }: (typeof places)[number]) => {
      if (cannotBeServed(it, host, path)) return
      const status = await statusOf(host, path)
      if (status === "closed" ? !mayClose(host) : status >= 500)
        failed.push(`${status} ${nameOf(it)} ${host}${path}`)
    }
    // Some wait for what does not answer.
    const next = places.values()
    const lane = async () => {
      for (const place of next) await ask(place)
    }
    await Promise.all(Array.from({ length: 16 }, lane))
    expect(failed).toEqual([])
  })

  test("have Problems that name the object and say what is wrong in one line", () => {
    expect(translation.problems.length).toBeGreaterThan(100)
    for (const { object, field, code, message } of translation.problems) {
      expect(object.name + field).not.toBe("")
      expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(message).toMatch(/^[A-Z"][\x20-\x7e…]{10,600}[^.]$/)
    }
  })

  async function statusOf(host: string, path: string): Promise<number | "closed"> {
    const answer = wick.get(encodeURI(path), { host: host.replace("*", "any") })
    return answer.then(
      ({ status }) => status,
      () => "closed",
    )
  }

  /** A snippet of the host closes connections: `return 444`. */
  function mayClose(host: string): boolean {
    const found = translation.model.live.hosts.find((it) => it.host === host.toLowerCase())
    return found?.script?.steps?.some(({ code }) => code === 444) === true
  }

  /** A Problem says why, or the endpoint here does not speak what the Ingress asks for. */
  function cannotBeServed(it: CorpusIngress, host: string, path: string): boolean {
    const protocol = it.metadata.annotations[`${prefix}backend-protocol`]?.toUpperCase() ?? "HTTP"
    const speaksHttp = !["HTTPS", "GRPC", "GRPCS", "FCGI"].includes(protocol)
    const routes = routesOf(host)
    // A pattern that is asked for as it is written may be answered by any route of its host.
    const mayAnswer = routes.some(({ match }) => match === "regex")
      ? routes
      : routes.filter(({ locationPath }) => locationPath === path)
    return !speaksHttp || mayAnswer.some((route) => route.status !== undefined || lacksService(it, route))
  }

  /** Whom it wants to be asked about requests is not here; a Problem says so. */
  function lacksService(it: CorpusIngress, { access }: Route): boolean {
    const place = `${nameOf(it)} metadata.annotations["${prefix}auth-url"]`
    const isSaid = translation.problems.some(
      (problem) => problem.code === "auth-service-unusable" && placeOf(problem) === place,
    )
    return access?.external !== undefined && isSaid
  }

  function routesOf(host: string): readonly Route[] {
    return translation.model.live.hosts.find((it) => it.host === host.toLowerCase())?.routes ?? []
  }
})

function placesOf({ spec }: CorpusIngress): { host: string; path: string }[] {
  return (spec.rules ?? []).flatMap(({ host, http }) =>
    host === undefined ? [] : (http?.paths ?? []).map(({ path = "/" }) => ({ host, path })),
  )
}

function nameOf({ metadata }: CorpusIngress): string {
  return `${metadata.namespace}/${metadata.name}`
}

function placeOf({ object, field }: Problem): string {
  return `${object.namespace}/${object.name} ${field}`
}
