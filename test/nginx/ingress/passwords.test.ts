// Passwords of Basic authentication: what nginx's own module takes is taken, nothing waits for a verification but who asked for it, and what
// was right is remembered.
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:http2"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { userListOf } from "../../../harness/ingress/records.ts"
import { basic, hashes, password, slowHash } from "../../../harness/passwords.ts"
import { signal } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { atMost, timed, workOf } from "../../support/timed.ts"
import { rawRequest } from "./support/raw.ts"

const served = "try_files /x =204;"
const locations = `location @served { ${served} }`

const protects = (users: string, realm = "r") => [
  { location: "served", backend: "b", access: { basic: { users, realm } } },
]

const said = ({ nginx }: Ingress, text: string) =>
  nginx
    .errorLog()
    .split("\n")
    .filter((line) => line.includes(text)).length

describe("nginx's own auth_basic is the oracle", () => {
  const lines = Object.entries(hashes).map(([name, hash]) => `${name}:${hash}`)
  const users = [
    ...lines,
    "empty:{PLAIN}",
    "long:{PLAIN}a".padEnd(200, "a"),
    "caf\u00e9:{PLAIN}th\u00e9",
    "damaged:$2y$04$x",
  ]

  let dir: string
  let ingress: Ingress
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "wick-passwords-"))
    writeFileSync(join(dir, "users"), users.map((line) => `${line}\n`).join(""))
    ingress = await startIngress({
      locations: `${locations} location @oracle { auth_basic "r"; auth_basic_user_file ${dir}/users; ${served} }`,
    })
    await ingress.write(":users/all", userListOf(users))
    await ingress.route("ours.test", protects("all"))
    await ingress.route("oracle.test", [{ location: "oracle" }])
  })
  afterAll(async () => {
    await ingress[Symbol.asyncDispose]()
    rmSync(dir, { recursive: true })
  })

  const answers = (headers: Readonly<Record<string, string>>) =>
    Promise.all(
      ["ours.test", "oracle.test"].map(async (host) => {
        const { status, headers: back } = await ingress.nginx.get("/", { host, headers })
        return [status, back["www-authenticate"]]
      }),
    )

  test.each(
    Object.keys(hashes),
  )("of the scheme %s the right password is taken, and no other", async (user) => {
    for (const [pass, status] of [
      [password, 204],
      ["wrong", 401],
      ["", 401],
      [`${password} `, 401],
    ] as const) {
      const [ours, oracle] = await answers(basic(user, pass))
      expect(ours, pass).toEqual(oracle)
      expect(ours?.[0], pass).toBe(status)
    }
  })

  const encoded = (text: string | Uint8Array) => `Basic ${Buffer.from(text).toString("base64")}`
  test.each([
    ["nothing", undefined],
    ["no credentials", "Basic"],
    ["no credentials behind the blank", "Basic "],
    ["another scheme", "Bearer abc"],
    ["no base64", "Basic !!!"],
    ["half of base64", "Basic YQ"],
    ["no colon", encoded("plain")],
    ["no user", encoded(":sesame")],
    ["a colon alone", encoded(":")],
    ["no password", encoded("plain:")],
    ["an empty password that is right", encoded("empty:")],
    ["a colon in the password", encoded("plain:sesame:x")],
    ["another case of the scheme", encoded(`plain:${password}`).replace("Basic", "bASIC")],
    ["more blanks", encoded(`plain:${password}`).replace(" ", "   ")],
    ["letters beyond ASCII", encoded("caf\u00e9:th\u00e9")],
    ["bytes that are no UTF-8", encoded(Buffer.from([0xff, 0x3a, 0xff]))],
    ["another case of the user", encoded(`Plain:${password}`)],
    ["a blank behind the user", encoded(`plain :${password}`)],
    ["a hash that is damaged", encoded("damaged:x")],
    ["a user that is a line", encoded("plain:{PLAIN}sesame\nplain:sesame")],
    ["a long password", encoded(`long:${"a".repeat(193 - 13)}`)],
    ["very long ones", encoded(`${"u".repeat(2000)}:${"p".repeat(3000)}`)],
  ])("%s", async (_, authorization) => {
    const [ours, oracle] = await answers(authorization === undefined ? {} : { authorization })
    // What cannot be compared with a hash is a wrong password; nginx says 500 for some.
    expect(ours).toEqual(oracle?.[0] === 500 ? [401, 'Basic realm="r"'] : oracle)
  })

  test("two headers are too many for both", async () => {
    const head = (host: string) =>
      `GET / HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${basic("plain").authorization}\r\nAuthorization: Basic eA==\r\nConnection: close\r\n\r\n`
    const [ours, oracle] = await Promise.all(
      ["ours.test", "oracle.test"].map((host) => rawRequest(ingress.port, head(host))),
    )
    const statusOf = (answer = "") => answer.split("\r\n")[0]
    expect(statusOf(ours)).toBe(statusOf(oracle))
  })
})

test("a zero in a password hides nothing that stands behind it", async () => {
  await using ingress = await startIngress({ locations })
  await ingress.write(":users/l", userListOf([`a:${hashes.plain}`, `b:${hashes.bcrypt}`]))
  await ingress.route("a.test", protects("l"))
  for (const user of ["a", "b"])
    expect(await ingress.ask("a.test", "/", basic(user, `${password}\0x`))).toBe("401")
})

test("the realm is sent as a quoted string, whatever is in it", async () => {
  await using ingress = await startIngress({ locations })
  await ingress.write(":users/l", userListOf([`a:${hashes.plain}`]))
  for (const [realm, sent] of [
    ["", 'Basic realm=""'],
    ["off", 'Basic realm="off"'],
    ['say "x" \\ y $host', 'Basic realm="say \\"x\\" \\\\ y $host"'],
  ] as const) {
    await ingress.route("a.test", protects("l", realm))
    const { status, headers } = await ingress.nginx.get("/", { host: "a.test" })
    expect([status, headers["www-authenticate"]]).toEqual([401, sent])
  }
})

test("who failed how is said as nginx says it, and nothing of a password", async () => {
  await using ingress = await startIngress({ locations })
  await ingress.write(":users/l", userListOf([`a:${hashes.plain}`]))
  await ingress.route("a.test", protects("l"))
  for (const user of ["a", "nobody", 'x"\n\u00e9']) await ingress.ask("a.test", "/", basic(user, "hush-hush"))
  expect(said(ingress, 'user "a": password mismatch')).toBe(1)
  expect(said(ingress, 'user "nobody" was not found in "l"')).toBe(1)
  expect(said(ingress, 'user "x\\"\\n\\xc3\\xa9" was not found')).toBe(1)
  expect(said(ingress, "hush")).toBe(0)
})

describe("while a password is verified", () => {
  const slow = [`slow:${slowHash}`, `slow2:${slowHash}`, `fast:${hashes.plain}`]

  async function start(): Promise<Ingress> {
    const ingress = await startIngress({ locations })
    await ingress.write(":users/l", userListOf(slow))
    await ingress.write(":users/m", userListOf([...slow, "m:{PLAIN}x"]))
    await ingress.route("a.test", protects("l"))
    await ingress.route("b.test", protects("m"))
    await ingress.route("open.test", [{ location: "served" }])
    return ingress
  }

  test("others are served, and who sends the same waits for the same verification", async () => {
    await using ingress = await start()
    let round = 0
    await until("many to be served meanwhile", async () => {
      const pass = round++ === 0 ? undefined : `wrong-${round}`
      let isOver = false
      const logins = Promise.all(
        Array.from({ length: 20 }, () => ingress.ask("a.test", "/", basic("slow", pass))),
      ).finally(() => {
        isOver = true
      })
      let served = 0
      while (!isOver) {
        expect(await ingress.ask("open.test")).toBe("204")
        served += 1
      }
      expect(new Set(await logins)).toEqual(new Set([pass === undefined ? "204" : "401"]))
      return served > 2
    })
  })

  test("a right one is remembered, for its list alone; a wrong one is not", async () => {
    await using ingress = await start()
    expect(await ingress.ask("a.test", "/", basic("slow"))).toBe("204")
    let round = 0
    // What is not remembered is refused as long as the client has as much verified as it may.
    await until("a moment when nothing more is verified", async () => {
      round += 1
      const attack = Promise.all(
        Array.from({ length: 60 }, (_, n) => ingress.ask("a.test", "/", basic("slow", `${round}-${n}`))),
      )
      const wrong = () => ingress.ask("a.test", "/", basic("slow", "wrong"))
      const around = [await wrong()]
      expect(await ingress.ask("a.test", "/", basic("slow"))).toBe("204")
      around.push(await wrong())
      await attack
      return around.every((status) => status === "429")
    })
    for (let n = 0; n < 2; n += 1)
      expect(await ingress.ask("a.test", "/", basic("slow", "wrong"))).toBe("401")
    expect(await ingress.ask("b.test", "/", basic("slow"))).toBe("204")
  })

  test("more than a client may have at a time get 429, and the rest of the world does not", async () => {
    await using ingress = await start()
    const attack = Promise.all(
      Array.from({ length: 60 }, (_, n) => ingress.ask("a.test", "/", basic("slow", `wrong-${n}`))),
    )
    await until("the attack to be refused", () => said(ingress, "too many passwords are being verified") > 0)
    expect(await ingress.ask("open.test")).toBe("204")
    const statuses = await attack
    expect(new Set(statuses)).toEqual(new Set(["401", "429"]))
    expect(statuses.filter((status) => status === "401").length).toBeGreaterThanOrEqual(16)
    expect(await ingress.ask("a.test", "/", basic("fast"))).toBe("204")
  })

  test("two lists that take all places keep nobody of another namespace out", async () => {
    await using ingress = await startIngress({ locations })
    const wrongForAll = slowHash.replace("$12$", "$09$")
    const attacked = ["a.test", "b.test", "c.test", "d.test", "e.test"]
    for (const [nth, host] of attacked.entries()) {
      await ingress.write(`:users/${nth % 2}`, userListOf([`slow:${wrongForAll}`, `${nth % 2}:{PLAIN}x`]))
      await ingress.route(host, [{ ...protects(String(nth % 2))[0], namespace: nth < 4 ? "evil" : "worse" }])
    }
    await ingress.write(":users/own", userListOf([`own:${hashes.plain}`]))
    await ingress.route("own.test", [{ ...protects("own")[0], namespace: "own" }])
    const attack = (host: string) =>
      Array.from({ length: 40 }, (_, n) => ingress.ask(host, "/", basic("slow", `${host}-${n}`)))
    const all = Promise.all(attacked.flatMap(attack))
    await until("places to be taken", () => said(ingress, "too many passwords are being verified") > 0)
    expect(await ingress.ask("own.test", "/", basic("own"))).toBe("204")
    expect(await ingress.ask("own.test", "/", basic("own", "wrong"))).toBe("401")
    expect(new Set(await all)).toEqual(new Set(["401", "429"]))
  })

  test("the places of clients that have left are given back at once", async () => {
    await using ingress = await start()
    const ask = (n: number) =>
      ingress.nginx
        .get("/", { host: "a.test", headers: basic("slow", `left-${n}`), timeoutMs: 200 })
        .catch(() => undefined)
    await Promise.all(Array.from({ length: 16 }, (_, n) => ask(n)))
    await until("nginx to see it", () => said(ingress, "prematurely closed connection") > 0)
    expect(await ingress.ask("a.test", "/", basic("fast"))).toBe("204")
  })

  test("clients that go away leave nothing behind", async () => {
    await using ingress = await start()
    for (let round = 0; round < 3; round += 1) {
      const gone = Array.from({ length: 8 }, (_, n) =>
        ingress.nginx
          .get("/", { host: "a.test", headers: basic("slow", `gone-${round}-${n}`), timeoutMs: 20 })
          .then(
            () => undefined,
            () => undefined,
          ),
      )
      await Promise.all(gone)
    }
    await until(
      "the last of them to be over",
      async () => (await ingress.ask("a.test", "/", basic("fast"))) === "204",
    )
    expect(await ingress.ask("b.test", "/", basic("slow"))).toBe("204")
  })

  test("a reload or a worker's end takes nothing from who waits for it to be over", async () => {
    await using ingress = await start()
    const waiting = Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        ingress.ask("a.test", "/", n === 0 ? basic("slow") : basic("slow", `w${n}`)),
      ),
    )
    await ingress.nginx.reload()
    expect(await waiting).toEqual(["204", "401", "401", "401"])
    expect(await ingress.ask("a.test", "/", basic("slow2"))).toBe("204")
  })
})

test("streams of one connection of HTTP/2 wait each for their own password, and for nobody else's", async () => {
  await using ingress = await startIngress({ locations, listen: "http2" })
  await ingress.write(":users/l", userListOf([`slow:${slowHash}`, `fast:${hashes.plain}`]))
  await ingress.route("a.test", protects("l"))
  const session = connect(`http://127.0.0.1:${ingress.port}`)
  const order: string[] = []
  const ask = async (user: string, pass?: string) => {
    const stream = session.request({ ":path": "/", ":authority": "a.test", ...(user && basic(user, pass)) })
    const [headers] = (await once(stream, "response")) as [Record<string, unknown>]
    stream.resume()
    order.push(`${user} ${headers[":status"]}`)
  }
  const gone = session.request({ ":path": "/", ":authority": "a.test", ...basic("slow", "gone") })
  gone.on("error", () => undefined)
  gone.end(() => gone.close())
  await Promise.all([ask("slow"), ask("slow"), ask("fast"), ask("fast", "wrong"), ask("")])
  session.close()
  expect(order[0]).toBe(" 401")
  expect(order.slice(1).sort()).toEqual(["fast 204", "fast 401", "slow 204", "slow 204"])
})

test("a worker that is killed while it verifies leaves no trace: the next one verifies anew", async () => {
  await using ingress = await startIngress({ locations })
  await ingress.write(":users/l", userListOf([`slow:${slowHash}`]))
  await ingress.route("a.test", protects("l"))
  const lost = Promise.allSettled(
    Array.from({ length: 6 }, (_, n) => ingress.ask("a.test", "/", basic("slow", `w${n}`))),
  )
  await until("the worker to be busy", async () => (await ingress.ask("a.test")) === "401")
  for (const pid of ingress.nginx.workers()) signal(pid, "SIGKILL")
  await lost
  const status = () => ingress.ask("a.test", "/", basic("slow")).catch(() => undefined)
  await until("another worker to let the user in", async () => (await status()) === "204")
})

test("passwords of users who are not there are verified, too", async () => {
  await using ingress = await startIngress({ locations })
  await ingress.write(":users/l", userListOf([`first:${slowHash}`]))
  await ingress.route("a.test", protects("l"))
  const ask = (n: number) => ingress.ask("a.test", "/", basic(`nobody-${n}`, "x"))
  await until("more of them than a client may have at a time", async () => {
    const statuses = new Set(await Promise.all(Array.from({ length: 60 }, (_, n) => ask(n))))
    expect([...statuses].filter((status) => status !== "401" && status !== "429")).toEqual([])
    return statuses.has("429")
  })
})

timed("a user who is not there costs what the first of the list does", async () => {
  await using ingress = await startIngress({ locations })
  await ingress.write(":users/l", userListOf([`first:${slowHash}`]))
  await ingress.route("a.test", protects("l"))
  const costOf = (user: string, n: number) =>
    workOf(ingress.nginx.workers(), () => ingress.ask("a.test", "/", basic(user, `wrong-${n}`)))
  const cost = { known: 0, unknown: 0 }
  for (let n = 0; n < 4; n += 1) {
    cost.known += await costOf("first", n)
    cost.unknown += await costOf("nobody", n)
  }
  expect(cost.known).toBeGreaterThan(0.1)
  atMost(3 * cost.unknown, cost.known)
})

test("without threads nobody gets in", async () => {
  await using ingress = await startIngress({ locations, threads: "" })
  await ingress.write(":users/l", userListOf([`a:${hashes.plain}`]))
  await ingress.route("a.test", protects("l"))
  expect(await ingress.ask("a.test", "/", basic("a"))).toBe("503")
  expect(await ingress.ask("a.test")).toBe("401")
  expect(said(ingress, 'no thread of "wick_passwords"')).toBe(1)
})

test("a list that is not there, or is none, closes the host", async () => {
  await using ingress = await startIngress({ locations })
  for (const list of [undefined, Buffer.of(4, 0, 0, 0), userListOf([])]) {
    await ingress.write(":users/l", list)
    await ingress.route("a.test", protects("l"))
    expect(await ingress.ask("a.test", "/", basic("a"))).toBe("503")
  }
})
