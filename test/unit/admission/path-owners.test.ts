// The index of who has which path is that of all Ingresses there are, whatever came and went before.
import fc from "fast-check"
import { expect, test } from "vitest"
import { PathOwners, pathsOf } from "../../../controller/admission/path-owners.ts"
import type { Ingress } from "../../../controller/model/objects/ingress.ts"
import { ingress } from "../core/translate/objects.ts"

const prefix = "nginx.ingress.kubernetes.io"
const anyone = () => true

const pool: readonly Ingress[] = Array.from({ length: 12 }, (_, at) =>
  ingress(
    `ns/${at}`,
    [`host-${at % 3}.test/p${at % 4} → web:80`, `Exact host-0.test/e → web:80`],
    {},
    at % 5,
  ),
)

test("what is kept from update to update is what a new index would have", () => {
  const lists = fc.array(fc.subarray([...pool]), { maxLength: 6 })
  fc.assert(
    fc.property(lists, (steps) => {
      const kept = new PathOwners(prefix)
      for (const list of steps) kept.update(list)
      const fresh = new PathOwners(prefix)
      const last = steps.at(-1) ?? []
      fresh.update(last)
      expect(kept.size).toBe(last.length)
      for (const path of pool.flatMap(pathsOf))
        expect(kept.oldest(path, anyone)?.createdMs).toBe(fresh.oldest(path, anyone)?.createdMs)
    }),
  )
})

test("whoever is left out of the question is not the answer", () => {
  const owners = new PathOwners(prefix)
  owners.update([ingress("a/old", "x.test/ → web:80", {}, 1), ingress("a/new", "x.test/ → web:80", {}, 2)])
  const [path] = pathsOf(ingress("b/c", "x.test/ → web:80"))
  if (path === undefined) throw new Error("There is a path")
  expect(owners.oldest(path, ({ name }) => name !== "a/old")?.name).toBe("a/new")
})
