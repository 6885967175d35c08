import fc from "fast-check"
import { expect, test } from "vitest"
import { check } from "../../../controller/admission/check.ts"
import { PathOwners } from "../../../controller/admission/path-owners.ts"
import { candidateReader } from "../../../controller/core/ingress/candidate.ts"
import { parseSettings } from "../../../controller/core/options/configmap.ts"
import type { Ingress } from "../../../controller/model/objects/ingress.ts"
import { ingress, meta, options } from "../../../harness/objects.ts"
import { runs } from "../../support/runs.ts"

// Somebody with the right to write Ingresses creates, edits and deletes them in any order, with finalizers, and takes them to other controllers and
// back. Whatever the way: nothing is in force then that the webhook would not let in as a new Ingress.

const uid = "0b2f4a3c-1d5e-4f60-8a7b-9c0d1e2f3a4b"

const { settings } = parseSettings({
  kind: "ConfigMap",
  meta: meta("wick/settings"),
  data: {
    "admission-hosts": "shop: shop.test; blog: blog.test *.blog.test",
    "admission-forbidden-annotations": "whitelist-source-range, server-snippet",
    "annotation-value-word-blocklist": "lua",
    "annotations-risk-level": "High",
  },
})

const version = fc
  .record({
    rules: fc.array(
      fc
        .tuple(
          fc.constantFrom("shop.test", "blog.test", "x.blog.test", "Blog.test", ""),
          fc.constantFrom("/", "/x", "/[a]", "/alias;"),
        )
        .map(([host, path]) => `${host}${path} → web:80`),
      { maxLength: 3 },
    ),
    hasDefault: fc.boolean(),
    annotations: fc.record(
      {
        canary: fc.constantFrom("true", "false"),
        "allowlist-source-range": fc.constantFrom("10.0.0.0/8", "0.0.0.0/0"),
        "whitelist-source-range": fc.constantFrom("10.0.0.0/8", "0.0.0.0/0"),
        "server-alias": fc.constantFrom("shop.test", "y.blog.test"),
        "from-to-www-redirect": fc.constant("true"),
        "app-root": fc.constantFrom("/a", "/lua"),
        "proxy-body-size": fc.constantFrom("1m", "x"),
        "configuration-snippet": fc.constantFrom("a", "b"),
      },
      { requiredKeys: [] },
    ),
    isOurs: fc.boolean(),
  })
  .map(({ rules, hasDefault, annotations, isOurs }) => ({
    isOurs,
    text: [rules.concat(hasDefault ? ["* → web:80"] : []), annotations as Record<string, string>] as const,
  }))

const step = fc.record({
  name: fc.constantFrom("shop/a", "blog/a", "blog/b"),
  to: fc.oneof({ weight: 4, arbitrary: version }, fc.constantFrom("label", "delete", "finalize" as const)),
})

interface Stored {
  readonly ingress: Ingress
  readonly isDeleting: boolean
}

const problemsOf = candidateReader(settings, options)
const isOurs = ({ className }: Ingress) => className === "nginx"

test("no walk of edits brings anything into force that a new Ingress could not have", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const stored = new Map<string, Stored>()
      const owners = new PathOwners(options.annotationsPrefix)
      const differencesOf = () => []
      const around = { isOurs, owners, settings, options, problemsOf, inspects: true, differencesOf }
      const ours = (it: Stored | undefined) =>
        it !== undefined && isOurs(it.ingress) ? it.ingress : undefined
      const put = (name: string, after: Stored | undefined) => {
        owners.replace(ours(stored.get(name)), ours(after))
        if (after === undefined) stored.delete(name)
        else stored.set(name, after)
      }
      for (const [at, { name, to }] of steps.entries()) {
        const before = stored.get(name)
        if (to === "finalize" || (to === "delete" && before === undefined)) {
          if (before?.isDeleting === true) put(name, undefined)
          continue
        }
        const after = next(name, before, to, at)
        if (after === undefined) continue
        if (check(after, before, around).refusals.length > 0) continue
        put(name, after)
        const asNew = check({ ...after, isDeleting: false }, undefined, around)
        expect(asNew.refusals).toEqual([])
      }
    }),
    runs(400),
  )
})

/** What somebody asks the API server for. */
function next(
  name: string,
  before: Stored | undefined,
  to:
    | "label"
    | "delete"
    | { readonly isOurs: boolean; readonly text: readonly [readonly string[], Record<string, string>] },
  at: number,
): Stored | undefined {
  if (to === "delete") return before && { ...before, isDeleting: true }
  if (to === "label") {
    if (before === undefined) return undefined
    const { ingress } = before
    return { ...before, ingress: { ...ingress, meta: { ...ingress.meta, labels: { at: String(at) } } } }
  }
  const made = ingress(name, ...to.text, at)
  const ofClass = { ...made, className: to.isOurs ? "nginx" : "other", meta: { ...made.meta, uid } }
  return { ingress: ofClass, isDeleting: before?.isDeleting ?? false }
}
