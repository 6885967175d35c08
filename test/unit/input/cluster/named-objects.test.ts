import { setImmediate as turn } from "node:timers/promises"
import fc from "fast-check"
import { afterEach, describe, expect, test } from "vitest"
import { ApiFailure } from "../../../../controller/input/cluster/api.ts"
import {
  type Content,
  NamedObjects,
  type Reading,
} from "../../../../controller/input/cluster/named-objects.ts"
import { until } from "../../../../harness/until.ts"

const over: AbortController[] = []
afterEach(() => {
  for (const controller of over.splice(0)) controller.abort()
})

/** NamedObjects with an owner as the source is one: what it is told ends up in `held`, by name. */
function following(one: Reading["one"], all: Reading["all"] = async function* () {}, isListed = () => true) {
  const controller = new AbortController()
  over.push(controller)
  const held = new Map<string, unknown>()
  const lines: string[] = []
  const asked: string[] = []
  const line = (_: object, message: string) => void lines.push(message)
  const objects = new NamedObjects({
    kind: "Secret",
    reading: {
      one: (name, atLeast) => {
        asked.push(name)
        return one(name, atLeast)
      },
      all: (namespace) => {
        asked.push(`all of ${namespace}`)
        return all(namespace)
      },
    },
    isListed,
    log: { warn: line, info: line } as never,
    signal: controller.signal,
    random: () => 0,
  })
  const keep = (changes: ReturnType<NamedObjects["accept"]>) => {
    for (const { name, content } of changes) content ? held.set(name, content.object) : held.delete(name)
  }
  const done = (async () => {
    for await (const outcomes of objects.outcomes())
      for (const outcome of outcomes) keep(objects.accept(outcome))
  })()
  return {
    held,
    lines,
    asked,
    objects,
    announce: (name: string, version: string | undefined) => keep(objects.announce(name, version)),
    name: (...names: readonly string[]) => keep(objects.name(new Set(names))),
    settled: () => until("everything named", () => !objects.isMissingAny),
    end: () => {
      controller.abort()
      return done
    },
  }
}

const versioned = async (_: string, version: string) => ({ version, object: `content ${version}` })

describe("objects that are read by name", () => {
  test("only those that are named and exist, whatever is known first", async () => {
    const { announce, name, settled, held, asked } = following(versioned)
    announce("a/one", "1")
    announce("a/two", "2")
    name("a/two", "a/three")
    await settled()
    announce("a/three", "3")
    await settled()
    expect([...held]).toEqual([
      ["a/two", "content 2"],
      ["a/three", "content 3"],
    ])
    expect(asked).toEqual(["a/two", "a/three"])
  })

  test("a new version is read once, and one that was read already is not read again", async () => {
    const { announce, name, settled, held, asked } = following(async () => ({ version: "5", object: "five" }))
    announce("a/one", "4")
    name("a/one")
    await settled()
    announce("a/one", "5")
    await turn()
    expect([held.get("a/one"), asked]).toEqual(["five", ["a/one"]])
  })

  test("one that is announced again while it is read is read again", async () => {
    const first = Promise.withResolvers<Content>()
    const { announce, name, held, asked } = following((_, version) =>
      version === "1" ? first.promise : Promise.resolve({ version, object: `content ${version}` }),
    )
    announce("a/one", "1")
    name("a/one")
    announce("a/one", "2")
    announce("a/one", "3")
    first.resolve({ version: "1", object: "content 1" })
    await until("the last version", () => held.get("a/one") === "content 3")
    expect(asked).toEqual(["a/one", "a/one"])
  })

  test("one that is not named any more, or is gone, is dropped; so is what was being read of it", async () => {
    const answer = Promise.withResolvers<Content>()
    const { announce, name, settled, held, objects } = following((object, version) =>
      object === "a/slow" ? answer.promise : versioned(object, version),
    )
    for (const object of ["a/one", "a/two", "a/slow"]) announce(object, "1")
    name("a/one", "a/two", "a/slow")
    await until("two of them", () => held.size === 2)
    name("a/two")
    announce("a/two", undefined)
    await settled()
    answer.resolve({ version: "1", object: "late" })
    await turn()
    expect([held.size, objects.isMissingAny]).toEqual([0, false])
  })

  test("at most sixteen are read at a time", async () => {
    let [now, most] = [0, 0]
    const { announce, name, settled, held } = following(async (_, version) => {
      now += 1
      most = Math.max(most, now)
      await turn()
      now -= 1
      return { version, object: "" }
    })
    const names = Array.from({ length: 90 }, (_, index) => `a/${index}`)
    for (const object of names) announce(object, "1")
    name(...names)
    await settled()
    expect([held.size, most]).toEqual([90, 16])
  })
})

describe("a namespace where at least a hundred are named, and half of what there is", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `a/${index}`)
  /** Pages with these objects, all of version 1 unless said otherwise. */
  const pagesOf = (names: readonly string[], version = "1"): Reading["all"] =>
    async function* () {
      for (let at = 0; at < names.length; at += 50) {
        await turn()
        const page = names.slice(at, at + 50)
        yield new Map(page.map((name) => [name, { version, object: `content ${version}` }]))
      }
    }

  test("is read in pages; what nobody names is not handed on, what is named meanwhile comes in the end", async () => {
    const names = many(400)
    const { announce, name, settled, held, asked } = following(versioned, pagesOf(names))
    for (const object of [...names, "b/one"]) announce(object, "1")
    name(...names.slice(0, 200))
    name("b/one", ...names.slice(0, 220))
    await settled()
    expect([...held.keys()].sort()).toEqual([...names.slice(0, 220), "b/one"].sort())
    expect(asked).toContain("all of a")
    expect(asked.length).toBeLessThan(60)
  })

  test("is not where fewer are named", async () => {
    const { announce, name, settled, asked } = following(versioned, pagesOf(many(400)))
    for (const object of many(400)) announce(object, "1")
    name(...many(150))
    await settled()
    expect(asked).not.toContain("all of a")
  })

  test("is not before the first lists are complete: more may be named then", async () => {
    let isListed = false
    const read: string[] = []
    const { announce, name, settled, asked } = following(
      async (name, version) => {
        read.push(name)
        isListed ||= read.length === 50
        return versioned(name, version)
      },
      pagesOf(many(400)),
      () => isListed,
    )
    for (const object of many(400)) announce(object, "1")
    name(...many(400))
    await settled()
    expect(asked.indexOf("all of a")).toBeGreaterThanOrEqual(50)
    expect(asked.length).toBeLessThan(100)
  })

  test("is read one by one after that failed, or brought nothing", async () => {
    const fail: Reading["all"] = async function* () {
      yield* []
      throw new ApiFailure("expired", { status: 410 })
    }
    for (const all of [fail, pagesOf(many(20).map((name) => `other-${name}`))]) {
      const { announce, name, settled, held, asked } = following(versioned, all)
      for (const object of many(150)) announce(object, "1")
      name(...many(150))
      await settled()
      expect([held.size, asked.filter((name) => name === "all of a").length]).toEqual([150, 1])
    }
  })

  test("a page that is older than what was announced meanwhile is not the last word", async () => {
    const { announce, name, held } = following(versioned, pagesOf(many(150)))
    for (const object of many(150)) announce(object, "1")
    name(...many(150))
    for (const object of many(150)) announce(object, "2")
    const last = () => [...held.values()].filter((content) => content === "content 2")
    await until("the last version of all", () => last().length === 150)
  })
})

describe("when a reading fails", () => {
  test("it is tried again, what was read before stays, and the log has one line for the beginning and one for the end", async () => {
    let failures = 0
    const { announce, name, settled, held, lines, asked } = following(async (object, version) => {
      if (version === "2" && failures++ < 1) throw new ApiFailure("connection refused", { status: 0 })
      return versioned(object, version)
    })
    for (const object of ["a/one", "a/two"]) announce(object, "1")
    name("a/one", "a/two")
    await settled()
    for (const object of ["a/one", "a/two"]) announce(object, "2")
    await until("a failure", () => failures > 0)
    expect([...held.values()]).toContain("content 1")
    await until("both", () => [...held.values()].every((content) => content === "content 2"))
    expect(lines).toEqual(["Cannot read Secrets; what was read before stays", "Secrets are read again"])
    expect(asked.length).toBeLessThanOrEqual(6)
  })

  test("others are read meanwhile", async () => {
    const { announce, name, held } = following(async (object, version) => {
      if (object === "a/bad") throw new ApiFailure("internal error", { status: 500 })
      return versioned(object, version)
    })
    for (const object of ["a/bad", "a/good"]) announce(object, "1")
    name("a/bad", "a/good")
    await until("the good one", () => held.has("a/good"))
    expect(held.has("a/bad")).toBe(false)
  })

  test("nobody tries again what is not named any more", async () => {
    let failures = 0
    const { announce, name, asked, held } = following(async (object, version) => {
      if (object === "a/one" || failures++ === 0) throw new ApiFailure("forbidden", { status: 403 })
      return versioned(object, version)
    })
    for (const object of ["a/one", "a/two"]) announce(object, "1")
    name("a/one", "a/two")
    await until("both failures", () => asked.length === 2 && failures === 1)
    name("a/two")
    await until("the next try", () => held.has("a/two"))
    expect(asked).toEqual(["a/one", "a/two", "a/two"])
  })
})

test("whatever is announced, named, read late or failing: in the end exactly what is named and exists is held, in its last version", async () => {
  const object = fc.constantFrom("a/1", "a/2", "a/3", "b/1")
  const step = fc.oneof(
    fc.record({ kind: fc.constant("write" as const), object }),
    fc.record({ kind: fc.constant("remove" as const), object }),
    fc.record({ kind: fc.constant("name" as const), objects: fc.uniqueArray(object) }),
    fc.record({ kind: fc.constant("wait" as const), turns: fc.integer({ min: 1, max: 4 }) }),
  )
  const delays = fc.infiniteStream(fc.record({ turns: fc.nat(4), fails: fc.nat(30) }))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), delays, async (steps, delays) => {
      const server = new Map<string, string>()
      let version = 0
      const { announce, name, held, objects, end } = following(async (object) => {
        const { turns, fails } = delays.next().value
        for (let count = 0; count < turns; count += 1) await turn()
        if (fails === 0) throw new ApiFailure("server error", { status: 500 })
        const stored = server.get(object)
        for (let count = 0; count < turns; count += 1) await turn()
        return stored === undefined ? undefined : { version: stored, object: stored }
      })
      let named: readonly string[] = []
      for (const step of steps) {
        if (step.kind === "write") {
          version += 1
          server.set(step.object, `${version}`)
          announce(step.object, `${version}`)
        } else if (step.kind === "remove") {
          server.delete(step.object)
          announce(step.object, undefined)
        } else if (step.kind === "name") {
          named = step.objects
          name(...named)
        } else for (let count = 0; count < step.turns; count += 1) await turn()
      }
      const expected = named
        .filter((object) => server.has(object))
        .map((object) => [object, server.get(object)])
      await until("the state of the server", () => {
        const found = [...held].sort().join(" ")
        return found === [...expected].sort().join(" ") && !objects.isMissingAny
      })
      await end()
    }),
    { numRuns: 150 },
  )
})
