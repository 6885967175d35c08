import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { ConfigMap } from "../../../../controller/model/objects/config-map.ts"
import { changeEvents, nothingSeen, type Seen } from "../../../../controller/report/events/changes.ts"
import { ingress, meta } from "../../../../harness/objects.ts"

const one = ingress("shop/one", "one.test/ → cart:80")
const two = ingress("shop/two", "two.test/ → cart:80")

function settings(data: Readonly<Record<string, string>>): ConfigMap {
  return { kind: "ConfigMap", meta: meta("wick/settings"), data }
}

function seen(ingresses: Seen["ingresses"], ...configMaps: readonly ConfigMap[]): Seen {
  return { ingresses, configMaps: new Map(configMaps.map((map) => ["wick/settings", map])) }
}

/** `reason kind/name` of each. */
function told(before: Seen, after: Seen, names: readonly string[] = ["wick/settings"]): readonly string[] {
  return changeEvents(before, after, names).map(({ reason, object }) => `${reason} ${object.name}`)
}

describe("Events of changes", () => {
  test("of an Ingress: it is new or ours now, or another one; never that it is gone", () => {
    expect(told(nothingSeen, seen([one, two]))).toEqual(["Sync one", "Sync two"])
    expect(told(seen([one]), seen([one, two]))).toEqual(["Sync two"])
    expect(told(seen([one, two]), seen([{ ...one }, two]))).toEqual(["Sync one"])
    expect(told(seen([one, two]), seen([two]))).toEqual([])
  })

  test("of Ingresses are the same in whatever order those come", () => {
    const pool = Array.from({ length: 8 }, (_, at) => ingress(`shop/i${at}`, `i${at}.test/ → cart:80`))
    const some = fc.shuffledSubarray(pool)
    fc.assert(
      fc.property(some, some, (before, after) => {
        const expected = after.filter((one) => !before.includes(one)).map(({ meta }) => `Sync ${meta.name}`)
        expect(told(seen(before), seen(after))).toEqual(expected)
      }),
    )
  })

  test("of a ConfigMap that a flag names: it is new, or another one", () => {
    const map = settings({ a: "1" })
    expect(told(nothingSeen, seen([], map))).toEqual(["CREATE settings"])
    expect(told(seen([], map), seen([], settings({ a: "2" })))).toEqual(["UPDATE settings"])
    expect(told(seen([], map), seen([], map))).toEqual([])
    expect(told(seen([], map), seen([]))).toEqual([])
    expect(told(nothingSeen, seen([], map), [])).toEqual([])
  })

  test("are those that users of ingress-nginx know", () => {
    const events = changeEvents(nothingSeen, seen([one], settings({})), ["wick/settings"])
    expect(events).toEqual([
      {
        object: { kind: "Ingress", namespace: "shop", name: "one", uid: "uid-of-shop/one" },
        type: "Normal",
        reason: "Sync",
        message: "Scheduled for sync",
      },
      {
        object: { kind: "ConfigMap", namespace: "wick", name: "settings", uid: "uid-of-wick/settings" },
        type: "Normal",
        reason: "CREATE",
        message: "ConfigMap wick/settings",
      },
    ])
  })
})
