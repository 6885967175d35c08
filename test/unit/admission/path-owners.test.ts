// The index of who has which path is that of all Ingresses there are, whatever came and went before.
import fc from "fast-check"
import { expect, test } from "vitest"
import { PathOwners, pathsOf } from "../../../controller/admission/path-owners.ts"
import type { Ingress } from "../../../controller/model/objects/ingress.ts"
import { ingress } from "../../../harness/objects.ts"

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

/** As the store tells it: what is there is replaced by what is there now. */
function change(owners: PathOwners, before: readonly Ingress[], after: readonly Ingress[]): void {
  for (const one of before) if (!after.includes(one)) owners.replace(one, undefined)
  for (const one of after) if (!before.includes(one)) owners.replace(undefined, one)
}

test("what is kept from change to change is what a new index would have", () => {
  const lists = fc.array(fc.subarray([...pool]), { maxLength: 6 })
  fc.assert(
    fc.property(lists, (steps) => {
      const kept = new PathOwners(prefix)
      for (const [at, list] of steps.entries()) change(kept, steps[at - 1] ?? [], list)
      const fresh = new PathOwners(prefix)
      const last = steps.at(-1) ?? []
      change(fresh, [], last)
      expect(kept.size).toBe(last.length)
      for (const path of pool.flatMap(pathsOf))
        expect(kept.oldest(path, anyone)?.createdMs).toBe(fresh.oldest(path, anyone)?.createdMs)
    }),
  )
})

test("whoever is left out of the question is not the answer", () => {
  const owners = new PathOwners(prefix)
  for (const name of ["old", "new"])
    owners.replace(undefined, ingress(`a/${name}`, "x.test/ → web:80", {}, name === "old" ? 1 : 2))
  const [path] = pathsOf(ingress("b/c", "x.test/ → web:80"))
  if (path === undefined) throw new Error("There is a path")
  expect(owners.oldest(path, ({ name }) => name !== "a/old")?.name).toBe("a/new")
})
