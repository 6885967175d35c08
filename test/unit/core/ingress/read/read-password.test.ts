import { describe, expect, test } from "vitest"
import type { Secret } from "../../../../../controller/model/objects/secret.ts"
import {
  ingress,
  options,
  secret,
  service,
  settings,
  slice,
  snapshot,
  translate,
} from "../../../../../harness/objects.ts"
import { hashes, slowHash } from "../../../../../harness/passwords.ts"

type Annotations = Readonly<Record<string, string>>

const file = (text: string, name = "demo/users") => secret(name, { auth: text })
const users = file(`ada:${hashes.plain}\nbob:${hashes.apr1}\n`)
const asked = { "auth-type": "basic", "auth-secret": "users", "auth-realm": "Staff" }

/** What shop.test asks for, and of whom. */
function read(annotations: Annotations, secrets: readonly Secret[] = [users], own = settings) {
  const objects = snapshot(
    ingress("demo/shop", ["shop.test/cart → shop:80", "shop.test/free → shop:80"], annotations),
    service("demo/shop", "80"),
    slice("demo/shop", ["10.0.0.1"], "80"),
  )
  const named = new Map(secrets.map((one) => [`${one.meta.namespace}/${one.meta.name}`, one]))
  const { model, problems } = translate({ ...objects, secrets: named }, own, options)
  const routes = model.live.hosts.filter(({ host }) => host === "shop.test").flatMap(({ routes }) => routes)
  return {
    access: Object.fromEntries(routes.map(({ path, access, status }) => [path, access ?? status ?? "open"])),
    lists: model.live.userLists.map((list) => list.users.map(({ name, hash }) => `${name}:${hash.reveal()}`)),
    ids: model.live.userLists.map(({ id }) => id),
    problems: problems.map(({ code, message }) => `${code}: ${message}`),
  }
}

const closed = { "/": 503, "/cart": 503, "/free": 503 }

describe("auth-type: basic", () => {
  test("asks for the passwords of the Secret on every path", () => {
    const { access, lists, ids, problems } = read(asked)
    const basic = { users: ids[0], realm: "Staff" }
    expect(access).toEqual({ "/": { basic }, "/cart": { basic }, "/free": { basic } })
    expect(lists).toEqual([[`ada:${hashes.plain}`, `bob:${hashes.apr1}`]])
    expect(problems).toEqual([])
  })

  test("a realm is a text, also off and none at all", () => {
    for (const realm of ["off", 'a "b" \\ c', "café"])
      expect(read({ ...asked, "auth-realm": realm }).access["/cart"]).toMatchObject({ basic: { realm } })
    const { "auth-realm": _, ...others } = asked
    expect(read(others).access["/cart"]).toMatchObject({ basic: { realm: "" } })
  })

  test("is one kind of check beside addresses", () => {
    const { access } = read({ ...asked, "allowlist-source-range": "10.0.0.0/8", satisfy: "any" })
    expect(access["/cart"]).toMatchObject({ satisfy: "any", basic: { realm: "Staff" } })
    expect(access["/cart"]).toHaveProperty("allow")
  })

  test("136: no-auth-locations are free of it, and not of addresses", () => {
    const own = { ...settings, noAuthLocations: ["/fr"] }
    expect(read(asked, [users], own).access).toMatchObject({ "/free": "open", "/cart": { basic: {} } })
    const both = read({ ...asked, "denylist-source-range": "10.0.0.0/8" }, [users], own).access["/free"]
    expect(both).toHaveProperty("deny")
    expect(both).not.toHaveProperty("basic")
  })

  test.each<[string, Annotations]>([
    ["a type that is none", { "auth-type": "basik" }],
    ["digest, which does not work yet", { "auth-type": "digest" }],
    ["a Secret that is not there", { "auth-secret": "others" }],
    ["a Secret's name that cannot be one", { "auth-secret": "users;" }],
    ["a kind of Secret that is none", { "auth-secret-type": "auth-list" }],
    ["132: a Secret of another namespace", { "auth-secret": "other/users" }],
  ])("closes for %s", (_, annotations) => {
    const { access, lists, problems } = read({ ...asked, ...annotations }, [
      users,
      file("a:{PLAIN}b", "other/users"),
    ])
    expect(access).toEqual(closed)
    expect(lists).toEqual([])
    expect(problems).toHaveLength(1)
  })

  test("closes without a Secret", () => {
    const { access, problems } = read({ "auth-type": "basic" })
    expect(access).toEqual(closed)
    expect(problems).toEqual([
      expect.stringContaining('annotation "auth-secret" is missing; requests get 503'),
    ])
  })

  test("132: takes a Secret of another namespace where the ConfigMap allows it", () => {
    const own = { ...settings, allowsCrossNamespaceResources: true }
    const { lists } = read(
      { ...asked, "auth-secret": "other/users" },
      [file("a:{PLAIN}b", "other/users")],
      own,
    )
    expect(lists).toEqual([["a:{PLAIN}b"]])
  })

  test("a Secret that becomes readable later opens, one that goes closes", () => {
    expect(read(asked, []).access).toEqual(closed)
    expect(read(asked).access["/cart"]).toHaveProperty("basic")
    expect(read(asked, []).access).toEqual(closed)
  })
})

describe("the users of an auth-file", () => {
  const listOf = (text: string) => read(asked, [file(text)])

  test("stand in lines as nginx reads them", () => {
    const { lists, problems } = listOf(
      `# comment\n\r\n\n ada :{PLAIN}x:comment\nbob:{PLAIN}y\r\nbob:{PLAIN}second\ncaf\u00e9:{PLAIN}th\u00e9\nlast:{PLAIN}`,
    )
    expect(lists).toEqual([[" ada :{PLAIN}x", "bob:{PLAIN}y", "café:{PLAIN}thé", "last:{PLAIN}"]])
    expect(problems).toEqual([])
  })

  test("who cannot log in is named, the hash is not, and the others can", () => {
    const { lists, problems } = listOf(
      `ada:secret-text\nbob:{PLAIN}y\nno colon\n:{PLAIN}z\ncid:${slowHash.replace("$12$", "$31$")}\nada:{PLAIN}x`,
    )
    expect(lists).toEqual([["bob:{PLAIN}y"]])
    expect(problems).toEqual([
      'users-left-out: Cannot accept some users of Secret "demo/users": "ada" has no hash of a known form; line 3 is no user and hash; "" has no name; "cid" has a hash of bcrypt with cost 31, more than the 13 of ConfigMap key "max-bcrypt-cost"',
    ])
  })

  test("of many who cannot log in the first are named", () => {
    const text = `ok:{PLAIN}\n${Array.from({ length: 8 }, (_, n) => `u${n}:x`).join("\n")}`
    expect(listOf(text).problems[0]).toMatch(/"u4" has no hash of a known form; and 3 more$/)
  })

  test.each([
    ["", "it holds no user"],
    ["# nobody", "it holds no user"],
    ["ada:x", "it holds no user whose hash can be used"],
    [
      Array.from({ length: 10_001 }, (_, n) => `u${n}:{PLAIN}`).join("\n"),
      "it holds 10001 users, more than 10000",
    ],
    [
      Array.from({ length: 9000 }, (_, n) => `u${n}:{PLAIN}${"p".repeat(80)}`).join("\n"),
      "its users have more than 655360 bytes",
    ],
  ])("that cannot be served close", (text, reason) => {
    const { access, problems } = listOf(text)
    expect(access).toEqual(closed)
    expect(problems).toEqual([`secret-refused: Cannot use Secret "demo/users": ${reason}; requests get 503`])
  })

  test("key auth has to be there", () => {
    const { access, problems } = read(asked, [secret("demo/users", { ada: hashes.plain })])
    expect(access).toEqual(closed)
    expect(problems[0]).toContain('key "auth" is missing')
  })

  test("equal ones are one, whatever order they stand in", () => {
    expect(listOf("a:{PLAIN}1\nb:{PLAIN}2").ids).toEqual(listOf("b:{PLAIN}2\na:{PLAIN}1").ids)
    expect(listOf("a:{PLAIN}1").ids).not.toEqual(listOf("a:{PLAIN}2").ids)
  })
})

describe("the users of an auth-map", () => {
  test("are its keys, a line's end behind a hash is none of it", () => {
    const map = {
      ada: `${hashes.plain}\n`,
      bob: `${hashes.bcrypt}\r\n`,
      "tls.crt": "x",
      cid: "{PLAIN}a\neve:{PLAIN}b",
    }
    const { lists, problems } = read({ ...asked, "auth-secret-type": "auth-map" }, [
      secret("demo/users", map),
    ])
    expect(lists).toEqual([[`ada:${hashes.plain}`, `bob:${hashes.bcrypt}`]])
    expect(problems).toEqual([
      expect.stringContaining('"tls.crt" has no hash of a known form; "cid" has no hash'),
    ])
  })
})

test("nothing of a hash is printed with the model", () => {
  const objects = snapshot(ingress("demo/shop", "shop.test/ → shop:80", asked))
  const { model } = translate({ ...objects, secrets: new Map([["demo/users", users]]) }, settings, options)
  expect(model.live.userLists).toHaveLength(1)
  expect(JSON.stringify(model)).not.toMatch(/PLAIN|apr1/)
})
