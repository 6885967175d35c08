import fc from "fast-check"
import { expect, test } from "vitest"
import { distinctBy } from "../../../../controller/support/distinct.ts"
import { DistinctList } from "../../../../controller/support/incremental/distinct-list.ts"

test("a list without what it says twice is the same, whichever lists came before", () => {
  const item = fc.record({ says: fc.constantFrom("a", "b", "c", "d", "e", "f") })
  fc.assert(
    fc.property(
      fc.array(fc.array(item, { maxLength: 6 }), { maxLength: 6 }),
      fc.boolean(),
      (rounds, stay) => {
        const list = new DistinctList<{ readonly says: string }>(({ says }) => says)
        let last: readonly { readonly says: string }[] = []
        for (const added of rounds) {
          last = stay ? [...last, ...added] : added
          expect(list.of(last)).toEqual(distinctBy(last, ({ says }) => says))
        }
      },
    ),
  )
})

test("a list that says nothing twice is itself", () => {
  const list = new DistinctList<string>((text) => text)
  const texts = ["a", "b"]
  expect(list.of(["a", "a"])).toEqual(["a"])
  expect(list.of(texts)).toBe(texts)
})
