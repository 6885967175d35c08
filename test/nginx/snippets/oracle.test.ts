// What the tests beside this one hold wick against: it answers twice alike, and wick as it does where no snippet is.
import { join } from "node:path"
import { expect, test } from "vitest"
import { hasCorpus } from "../../../harness/corpus.ts"
import { checkConf } from "../../../harness/nginx.ts"
import { stockModulesDir } from "../../../harness/paths.ts"
import type { CaseRequest, SnippetCase } from "./support/case.ts"
import { configured } from "./support/configured.ts"
import { corpusCases, corpusRefusals } from "./support/corpus.ts"
import { forms } from "./support/forms/forms.ts"
import { caseOf } from "./support/grammar.ts"
import { startOracle } from "./support/oracle.ts"
import { Sides } from "./support/sides.ts"

const requests: readonly CaseRequest[] = [
  { target: "/" },
  { target: "/a/b?x=1&y=%20" },
  { target: "/a%20b/../c//d" },
  { target: "/", method: "HEAD" },
  { target: "/", method: "POST", body: "some=thing" },
  {
    target: "/",
    headers: [
      ["X-Twice", "1"],
      ["X-Twice", "2"],
      ["X_Bad", "1"],
      ["Proxy", "evil"],
    ],
  },
  {
    target: "/",
    headers: [
      ["X-Forwarded-For", "1.2.3.4"],
      ["X-Forwarded-Proto", "https"],
    ],
  },
  {
    target: "/",
    headers: [
      ["Upgrade", "websocket"],
      ["Connection", "Upgrade"],
    ],
  },
  {
    target: "/",
    answer: {
      status: 404,
      headers: [
        ["Content-Type", "text/plain"],
        ["Server", "x"],
      ],
    },
  },
  {
    target: "/",
    answer: {
      headers: [
        ["Set-Cookie", "a=1"],
        ["Set-Cookie", "b=2"],
        ["ETag", '"x"'],
      ],
    },
  },
  { target: "/", answer: { status: 302, headers: [["Location", "http://elsewhere.test/"]] } },
  { target: "/", answer: { status: 204 } },
]

const cases: readonly SnippetCase[] = [
  ...forms.filter(({ server, location }) => server === undefined && location === undefined),
  { name: "nothing", requests },
  {
    name: "paths",
    paths: [
      { path: "/a", type: "Prefix" },
      { path: "/a%20b", type: "Exact" },
      { path: "/a/b", type: "Exact" },
    ],
    requests: [...requests, { target: "/a" }, { target: "/a/" }, { target: "/ab" }, { target: "/a/b" }],
  },
  {
    name: "rewrite target",
    paths: [{ path: "/a/(.*)", type: "Prefix" }],
    annotations: { "rewrite-target": "/$1", "use-regex": "true" },
    requests: [...requests, { target: "/A/b" }, { target: "/a/" }, { target: "/a/x?y=z" }],
  },
  {
    name: "redirects",
    annotations: { "permanent-redirect": "https://elsewhere.test/", "app-root": "/start" },
    requests: [...requests, { target: "/start" }],
  },
  { name: "vhost", annotations: { "upstream-vhost": "inner.test" }, requests },
]

test("two oracles answer alike", async () => {
  const generated = Array.from({ length: 50 }, (_, seed) => caseOf(seed))
  await using sides = await Sides.withOracle({ cases: [...cases, ...forms, ...generated] })
  expect(await sides.differences()).toEqual([])
})

test.each(configured)("with snippets for all of them, too", async (conf) => {
  await using sides = await Sides.withOracle(conf)
  expect(await sides.differences()).toEqual([])
})

test.skipIf(!hasCorpus)("and take the snippets of all published Ingresses that nginx takes", async () => {
  await using sides = await Sides.withOracle({ cases: corpusCases() })
  expect(await sides.differences()).toEqual([])
})

test.skipIf(!hasCorpus)(
  "and no others, with the module that ingress-nginx has beside nginx's own",
  async () => {
    const refusals = corpusRefusals()
    expect(refusals.length).toBeGreaterThan(10)
    for (const { words, it } of refusals) {
      const refused =
        typeof it === "string" ? streamRefusal(it) : startOracle({ cases: [it], backendPort: 1 })
      await expect(refused).rejects.toThrow(words)
    }
  },
)

/** @throws with nginx's words */
async function streamRefusal(text: string): Promise<void> {
  const main = `load_module ${join(stockModulesDir, "ngx_stream_module.so")}; stream { ${text} }`
  const { ok, output } = await checkConf(() => ({ main, http: "" }))
  if (!ok) throw new Error(output)
}

test("a text that answers in another way is found", async () => {
  await using sides = await Sides.withOracle({ cases: [{ ...first(cases), location: "add_header X $pid;" }] })
  expect(await sides.differences()).not.toEqual([])
})

test("wick answers as the oracle where there is no snippet", async () => {
  await using sides = await Sides.withWick({ cases })
  expect(await sides.differences()).toEqual([])
})

function first<T>(items: readonly T[]): T {
  const [item] = items
  if (item === undefined) throw new Error("There is none")
  return item
}
