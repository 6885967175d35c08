// Sixteen CVEs of ingress-nginx brought text of a user into nginx.conf. Each is tried three times: on the reading of its objects, at the webhook, and as an Ingress that nobody has asked the webhook about.
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Directive, parseNginxSyntax } from "../../controller/core/snippets/syntax.ts"
import { type Backends, startBackends } from "../../harness/backends.ts"
import { tlsData } from "../../harness/certificates.ts"
import {
  ingress,
  ingressClass,
  type Json,
  listOf,
  manifest,
  secret,
  serviceOn,
} from "../../harness/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../../harness/translation.ts"
import { until } from "../../harness/until.ts"
import { startWick, type Wick } from "../../harness/wick.ts"
import { attacks, mark, unusable } from "./attacks.ts"
import { Webhook } from "./webhook.ts"

const token = "text that nobody may read"

let backends: Backends
let webhook: Webhook
let wick: Wick
let file: string

beforeAll(async () => {
  backends = await startBackends("web")
  webhook = await Webhook.prepare()
  file = join(webhook.dir, "token")
  writeFileSync(file, token)
  const ports = backends.map(({ port }) => port)
  const fixed = [ingressClass, ...serviceOn("cve/web", ports), secret("cve/ca", tlsData)]
  wick = await startWick({
    manifests: {
      "good.yaml": manifest(...fixed, ingress("cve/good", "good.test/ → web:80")),
      "attacks.json": listOf(attacks.flatMap(({ objects }) => objects(file))),
    },
    flags: webhook.flags,
  })
})
afterAll(async () => {
  await wick.stop()
  await backends.stop()
  rmSync(webhook.dir, { recursive: true })
})

const translated = (objects: readonly Json[]) =>
  translationOf(
    objects.flatMap((object) => changesOf(object, "cve")),
    optionsOf(["--manifests=cve"]),
  )

const marked = (directives: readonly Directive[]): string[] =>
  directives.flatMap(({ name, words, block = [] }) => [
    ...([name, ...words].some((word) => word.includes(mark)) ? [`${name} ${words.join(" ")}`] : []),
    ...marked(block),
  ])

describe.each(attacks)("CVE-$cve", ({ cve, objects, refusal, statuses }) => {
  test("is read as data, or not at all: what nginx's configuration is made of has none of its text", () => {
    const { model, problems } = translated([ingressClass, ...objects(file)])
    expect(JSON.stringify(model.fixed)).not.toContain(mark)
    const refused = problems.filter(({ code }) => code === "annotation-refused")
    if (refusal === unusable) expect(refused).not.toEqual([])
    else expect(refused).toEqual([])
  })

  test("the webhook says what is wrong, or lets in what does no harm", async () => {
    const [object] = objects(file)
    const { allowed, message } = await webhook.ask(object)
    if (refusal === undefined) expect([allowed, message]).toEqual([true, ""])
    else expect(message).toMatch(refusal)
  })

  test("without a webhook it reaches no file, and answers as intended", async () => {
    for (const path of ["/", `/${mark}`, `/${mark}/`]) {
      const { status, body } = await wick.get(path, { host: `${cve}.test` })
      expect(statuses).toContain(status)
      expect(body).not.toContain(token)
    }
  })
})

test("none of their text is in nginx.conf", () => {
  const conf = readFileSync(join(wick.runtimeDir, "nginx.conf"), "utf8")
  expect(conf).not.toContain(mark)
  expect(marked(parseNginxSyntax(conf))).toEqual([])
})

test("others are served, and their changes come through", async () => {
  wick.write(
    "late.yaml",
    manifest(ingress("cve/late", "late.test/ → web:80", { "proxy-http-version": "1.0" })),
  )
  await until("late.test", async () => (await wick.get("/", { host: "late.test" })).status === 200)
  expect((await wick.get("/", { host: "good.test" })).body).toBe("web")
})
