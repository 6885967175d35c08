import { describe, expect, test } from "vitest"
import { Collection } from "../../../../controller/input/manifests/collection.ts"
import { ParseThread } from "../../../../controller/input/manifests/parse-thread.ts"
import type { Change } from "../../../../controller/input/provider/source.ts"
import { ingress, manifest, service } from "../../../../harness/manifests.ts"

const cart = ingress("shop/cart", "cart.test/ → cart:80")
const mail = ingress("shop/mail", "mail.test/ → mail:80")

const thread = new ParseThread(new AbortController().signal)

/** What the objects of the collection are now, followed from its changes, and what is complained about. */
class Follower {
  nowMs = 1000
  readonly collection = new Collection(() => this.nowMs, thread)
  readonly paths = new Map<string, string>()
  readonly created = new Map<string, number>()
  readonly problems = new Map<string, readonly string[]>()

  async write(file: string, text: string): Promise<readonly Change[]> {
    return this.#follow(this.collection.accept(file, await this.collection.read(file, text)))
  }

  remove(file: string): readonly Change[] {
    return this.#follow(this.collection.remove(file))
  }

  #follow(changes: readonly Change[]): readonly Change[] {
    for (const change of changes) {
      if (change.kind === "set") {
        const { kind, meta } = change.object
        this.paths.set(
          `${kind} ${meta.name}`,
          change.object.kind === "Ingress" ? (change.object.rules[0]?.paths?.[0]?.path ?? "") : "",
        )
        this.created.set(meta.name, meta.createdMs)
      } else if (change.kind === "delete") this.paths.delete(`${change.key.kind} ${change.key.name}`)
      else
        this.problems.set(
          change.origin,
          change.problems.map(({ field, code }) => `${field} ${code}`),
        )
    }
    return changes
  }

  get names(): readonly string[] {
    return [...this.paths.keys()].sort()
  }
}

const at = (path: string) => ingress("shop/cart", `cart.test${path} → cart:80`)

describe("objects of files", () => {
  test("come, change and go with their file; what is equal is not told again", async () => {
    const follower = new Follower()
    await follower.write("a.yaml", manifest(cart, mail))
    expect(follower.names).toEqual(["Ingress cart", "Ingress mail"])
    const changes = await follower.write("a.yaml", manifest(at("/x"), mail))
    expect(changes.map(({ kind }) => kind)).toEqual(["set", "problems"])
    expect(follower.paths.get("Ingress cart")).toBe("/x")
    await follower.write("a.yaml", manifest(mail))
    expect(follower.names).toEqual(["Ingress mail"])
    follower.remove("a.yaml")
    expect(follower.names).toEqual([])
  })

  test("JSON and lists", async () => {
    const follower = new Follower()
    await follower.write(
      "a.json",
      JSON.stringify({
        apiVersion: "v1",
        kind: "List",
        items: [cart, { apiVersion: "v1", kind: "List", items: [mail] }],
      }),
    )
    expect(follower.names).toEqual(["Ingress cart", "Ingress mail"])
  })

  test("anchors and merge keys work; a small text cannot become a large one", async () => {
    const follower = new Follower()
    const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: &m {name: a, namespace: shop}\ndata: &d {x: y}\n"
    await follower.write("a.yaml", `${text}stringData: {<<: *d}\n`)
    expect(follower.names).toEqual(["ConfigMap a"])
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ..."bcdefgh"
        .split("")
        .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefg"[i]}`).join(",")}]`),
    ]
    await follower.write("b.yaml", bomb.join("\n"))
    expect(follower.problems.get("b.yaml")).toEqual(["b.yaml:1 not-yaml"])
  })

  test("keep their age while they exist, and get a new one when they come back", async () => {
    const follower = new Follower()
    await follower.write("a.yaml", manifest(cart))
    follower.nowMs = 2000
    await follower.write("a.yaml", manifest(at("/x"), mail))
    expect([follower.created.get("cart"), follower.created.get("mail")]).toEqual([1000, 2000])
    follower.nowMs = 3000
    await follower.write("b.yaml", manifest(at("/y")))
    follower.remove("a.yaml")
    expect([follower.paths.get("Ingress cart"), follower.created.get("cart")]).toEqual(["/y", 1000])
    follower.remove("b.yaml")
    await follower.write("b.yaml", manifest(cart))
    expect(follower.created.get("cart")).toBe(3000)
  })
})

describe("an object in two places", () => {
  test("counts where the file's name comes first, whatever came first in time", async () => {
    for (const order of [
      ["a.yaml", "b.yaml"],
      ["b.yaml", "a.yaml"],
    ]) {
      const follower = new Follower()
      for (const file of order) await follower.write(file, manifest(at(`/${file}`)))
      expect(follower.paths.get("Ingress cart")).toBe("/a.yaml")
      expect(follower.problems).toEqual(
        new Map([
          ["a.yaml", []],
          ["b.yaml", ["b.yaml object-twice"]],
        ]),
      )
    }
  })

  test("moves to the other file when the first is gone, and the Problem goes", async () => {
    const follower = new Follower()
    await follower.write("a.yaml", manifest(at("/a")))
    await follower.write("b.yaml", manifest(at("/b")))
    follower.remove("a.yaml")
    expect(follower.paths.get("Ingress cart")).toBe("/b")
    expect(follower.problems.get("b.yaml")).toEqual([])
  })

  test("counts where it comes first in one file", async () => {
    const follower = new Follower()
    await follower.write("a.yaml", manifest(at("/1"), at("/2")))
    expect(follower.paths.get("Ingress cart")).toBe("/1")
    expect(follower.problems.get("a.yaml")).toEqual(["a.yaml object-twice"])
  })
})

describe("what cannot be read", () => {
  const broken = "kind: Ingress\n  metadata: [\n"

  test("is a Problem naming file and line; the other documents count and what was there stays", async () => {
    const follower = new Follower()
    await follower.write("a.yaml", manifest(cart, mail))
    await follower.write("a.yaml", `${manifest(service("shop/new"))}---\n${broken}---\n${manifest(at("/x"))}`)
    expect(follower.names).toEqual(["Ingress cart", "Ingress mail", "Service new"])
    expect(follower.paths.get("Ingress cart")).toBe("/x")
    const lines = manifest(service("shop/new")).split("\n").length
    expect(follower.problems.get("a.yaml")).toEqual([`a.yaml:${lines + 1} not-yaml`])
    await follower.write("a.yaml", manifest(cart))
    expect(follower.names).toEqual(["Ingress cart"])
    expect(follower.problems.get("a.yaml")).toEqual([])
  })

  test("an object that is refused keeps its last version, and goes when it is taken out", async () => {
    const follower = new Follower()
    await follower.write("a.yaml", manifest(at("/good"), mail))
    await follower.write("a.yaml", manifest({ ...cart, spec: "nothing" }, mail))
    expect(follower.paths.get("Ingress cart")).toBe("/good")
    expect(follower.problems.get("a.yaml")).toEqual(["spec type-wrong"])
    await follower.write("a.yaml", manifest(mail))
    expect(follower.names).toEqual(["Ingress mail"])
  })

  test("a document that does not say which object it is may be any of those that were there", async () => {
    const follower = new Follower()
    await follower.write("a.yaml", manifest(cart, mail))
    for (const half of [
      "x",
      "apiVersion: v1\n",
      "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n",
    ]) {
      await follower.write("a.yaml", `${manifest(mail)}---\n${half}`)
      expect(follower.names).toEqual(["Ingress cart", "Ingress mail"])
      expect(follower.problems.get("a.yaml")).toHaveLength(1)
    }
  })

  test("half a JSON file", async () => {
    const follower = new Follower()
    const text = JSON.stringify(cart, null, 2)
    await follower.write("a.json", text)
    await follower.write("a.json", text.slice(0, text.indexOf("spec") + 3))
    expect(follower.names).toEqual(["Ingress cart"])
    expect(follower.problems.get("a.json")).toEqual([expect.stringMatching(/^a\.json:\d+ not-json$/)])
  })

  test("no message repeats a Secret", async () => {
    const collection = new Collection(() => 0, thread)
    const texts = [
      "data: {password: hunter2, password: hunter2}",
      "data:\n\tpassword: hunter2",
      "data: {password: hunter2",
      "password: *hunter2",
      'password: "hunter2\\q"',
      "password: 'hunter2'hunter2",
      "&hunter2 &hunter2 a: b",
      "!hunter2 a: hunter2: hunter2",
    ]
    for (const name of ["a.yaml", "a.json"])
      for (const text of texts) {
        const changes = collection.accept(
          name,
          await collection.read(name, `apiVersion: v1\nkind: Secret\n${text}\n`),
        )
        expect(JSON.stringify(changes)).toContain('"code"')
        expect(JSON.stringify(changes)).not.toContain("hunter2")
      }
  })

  test("is less than what was there", async () => {
    const { collection } = await (async () => {
      const follower = new Follower()
      await follower.write("a.yaml", manifest(cart, mail))
      return follower
    })()
    const isLess = async (text: string) => collection.isLess("a.yaml", await collection.read("a.yaml", text))
    expect(await isLess("")).toBe(true)
    expect(await isLess(manifest(cart))).toBe(true)
    expect(await isLess(manifest(cart, mail).replace(/[^\n]*\n$/, ""))).toBe(true)
    expect(await isLess(`${manifest(cart, mail)}---\n[`)).toBe(true)
    expect(await isLess(manifest(at("/x"), mail, service("shop/new")))).toBe(false)
  })
})

test("Problems name the lines where they are now, also when only the text above moved", async () => {
  const follower = new Follower()
  const bad = manifest({ ...cart, metadata: { ...(cart.metadata as object), annotations: { a: 5 } } })
  const messages: string[] = []
  for (const text of [bad, `${manifest(mail)}---\n${bad}`]) {
    const changes = await follower.write("a.yaml", text)
    messages.push(
      ...changes.flatMap((change) =>
        change.kind === "problems" ? change.problems.map(({ message }) => message) : [],
      ),
    )
  }
  const moved = manifest(mail).split("\n").length
  expect(messages).toEqual([
    'Field metadata.annotations["a"] has to be a text: put it in quotes (a.yaml:7)',
    `Field metadata.annotations["a"] has to be a text: put it in quotes (a.yaml:${moved + 7})`,
  ])
})
