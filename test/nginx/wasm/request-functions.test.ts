import { connect } from "node:http2"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Backend } from "../../../harness/backends.ts"
import type { Nginx } from "../../../harness/nginx.ts"
import { atMost, timed, workOf } from "../../support/timed.ts"
import { counters, location, proxied, startHost, traces } from "./support/host.ts"
import { scripted } from "./support/scripted.ts"

const OK = "0:"
const [NOT_FOUND, BAD_ARGUMENT, GAVE_UP] = ["1", "2", "10"]
const LEAN = "configure: callbacks upstream_select"

let backend: Backend
beforeAll(async () => {
  backend = await new Backend("a").start()
})
afterAll(() => backend.stop())

const at = (port = backend.port) => `127.0.0.1:${port}`
const upstream = `upstream chosen { server 127.0.0.1:1; wasm_upstream_select keepalive=8; }`

/** What a probe says to a question in the request's headers `x-a` and `x-b`. */
async function asking(command: string, more = "") {
  const nginx = await startHost(() => ({
    server: `${location("/", `headers: ${command}; respond 200`)} ${more}`,
  }))
  const ask = async (a: string, b = "", headers: Record<string, string> = {}, path = "/") => {
    const answer = await nginx.get(path, {
      headers: { "x-a": encodeURIComponent(a), "x-b": encodeURIComponent(b), ...headers },
    })
    return answer.body
  }
  return { nginx, ask, [Symbol.asyncDispose]: () => nginx.stop() }
}

describe("wick_expand", () => {
  test("puts variables where a template names them, and text where it does not", async () => {
    await using host = await asking("expand @x-a")
    const expand = (template: string) => host.ask(template, "", { host: "shop.test" }, "/cart?k=v&long=w")
    expect(await expand("$request_uri$host")).toBe(`${OK}/cart?k=v&long=wshop.test`)
    expect(await expand(`\${arg_k}-$arg_long.\${http_host}/`)).toBe(`${OK}v-w.shop.test/`)
    expect(await expand("plain")).toBe(`${OK}plain`)
    expect(await expand("$uri")).toBe(`${OK}/cart`)
    expect(await expand("$URI")).toBe(`${OK}/cart`)
    expect(await expand("\\$uri is \\\\$uri")).toBe(`${OK}$uri is \\$uri`)
    expect(await expand("[$arg_none$nobody_defined$1]")).toBe(`${OK}[]`)
    expect(await expand("$arg_none")).toBe(OK)
    expect(await expand("")).toBe(OK)
  })

  test("knows what the configuration captured, and is the same for the next request", async () => {
    const script = "headers: expand $1-$2-$3; respond 200"
    await using nginx = await startHost(() => ({
      server: `location ~ ^/(a)(x)?(.*)$ { proxy_wasm probe '${script}'; return 404; }`,
    }))
    expect((await nginx.get("/abc")).body).toBe("0:a--bc")
    expect((await nginx.get("/axc")).body).toBe("0:a-x-c")
  })

  test("refuses what nginx would refuse, and what is too long", async () => {
    await using host = await asking("expand @x-a")
    for (const bad of ["$", "a$", "$-", "$$host", `\${`, `\${}`, `\${host`, `\${ho-st}`]) {
      expect([bad, await host.ask(bad)]).toEqual([bad, BAD_ARGUMENT])
    }
    expect(await host.ask(`\${uri}${"x".repeat(4090)}`)).toBe(`${OK}/${"x".repeat(4090)}`)
    expect(await host.ask(`\${uri}${"x".repeat(4091)}`)).toBe(BAD_ARGUMENT)
    const many = (count: number) => host.ask("$http_x_long".repeat(count), "", { "x-long": "y".repeat(8000) })
    expect(await many(8)).toBe(OK + "y".repeat(64_000))
    expect(await many(9)).toBe(GAVE_UP)
    expect(await host.ask("$uri")).toBe(`${OK}/`)
  })

  test("values are the client's bytes, and nothing of them is expanded again", async () => {
    await using host = await asking("expand @x-a")
    const path = "/?q=$host%0d%0a%00"
    expect(await host.ask("<$args>", "", {}, path)).toBe(`${OK}<q=$host%0d%0a%00>`)
    const value = "ü\\$host${"
    expect(await host.ask("<$http_x_raw>", "", { "x-raw": Buffer.from(value).toString("latin1") })).toBe(
      `${OK}<${value}>`,
    )
  })

  test("more templates than are kept are compiled and forgotten again", async () => {
    await using host = await asking("expand @x-a")
    for (let i = 0; i < 600; i++) expect(await host.ask(`$uri-${i}`)).toBe(`${OK}/-${i}`)
  })
})

describe("wick_get_cookie", () => {
  test("is the first cookie of exactly this name, as it was sent", async () => {
    await using host = await asking("cookie @x-a")
    const cookie = (name: string, line = 'route=1; Route=2; xroute=3; e=; q="a b"; route=4') =>
      host.ask(name, "", { cookie: line })
    expect(await cookie("route")).toBe(`${OK}1`)
    expect(await cookie("Route")).toBe(`${OK}2`)
    expect(await cookie("xroute")).toBe(`${OK}3`)
    expect(await cookie("e")).toBe(OK)
    expect(await cookie("q")).toBe(`${OK}"a b"`)
    for (const absent of ["rout", "ROUTE", "route=1", "", "x".repeat(7000)]) {
      expect(await cookie(absent)).toBe(NOT_FOUND)
    }
    const long = "v".repeat(7000)
    expect(await cookie("long", `a=b;long=${long};c=d`)).toBe(OK + long)
    expect(await cookie("a", ";;=; a; a =1;a=2")).toBe(`${OK}2`)
    expect(await host.ask("route")).toBe(NOT_FOUND)
  })

  test("is found in any of the fields that a client of HTTP/2 splits it into", async () => {
    const script = "headers: cookie route; cookie b; respond 200"
    await using nginx = await startHost(
      ({ ports }) => ({
        http: `server { listen 127.0.0.1:${ports[1]} http2; ${location("/", script)} }`,
        server: location("/", script),
      }),
      { ports: 2 },
    )
    const session = connect(`http://127.0.0.1:${nginx.site.ports[1]}`)
    const stream = session.request({ ":path": "/", cookie: ["a=1", "route=2; b=3"] })
    let body = ""
    for await (const part of stream) body += part
    session.destroy()
    expect(body).toBe("0:2 0:3")
  })
})

describe("wick_match", () => {
  test("matches somewhere in the subject, as nginx's own regular expressions do", async () => {
    await using host = await asking("match @x-a @x-b")
    const cases: [string, string, boolean][] = [
      ["b", "abc", true],
      ["^b", "abc", false],
      ["^a|z$", "yz", true],
      ["B", "abc", false],
      ["(?i)B", "abc", true],
      ["^(?!internal).*$", "external", true],
      ["^(?!internal).*$", "internal-1", false],
      ["(a)(b)\\2\\1", "xabbax", true],
      ["a.c", "a\nc", false],
      ["c$", "abc", true],
      [".*b.d", "abcd", true],
      [".*b.d", "abc", false],
      ["", "", true],
      ["^$", "", true],
      ["^$", "x", false],
      ["ü", "grün", true],
      ["\\Ab", "ab", false],
      ["(?x) b # comment\n", "abc", true],
    ]
    for (const [pattern, subject, wanted] of cases) {
      expect([pattern, subject, await host.ask(pattern, subject)]).toEqual([
        pattern,
        subject,
        `${OK}${Number(wanted)}`,
      ])
    }
  })

  test("refuses patterns that do not compile, alone or with ours around them", async () => {
    await using host = await asking("match @x-a @x-b")
    for (const bad of [
      "(",
      ")",
      "a)|(b",
      "[",
      "*",
      "^*b",
      "(?<n",
      "a{2,1}",
      "\\",
      "(?x)a #",
      "x".repeat(4097),
    ]) {
      for (let i = 0; i < 2; i++) expect([bad, await host.ask(bad, "a")]).toEqual([bad, BAD_ARGUMENT])
    }
    expect(await host.ask("x".repeat(4096), "a")).toBe(`${OK}0`)
    expect(host.nginx.errorLog()).not.toContain("[alert]")
  })

  test("a subject of 1 KiB is matched, a longer one is not", async () => {
    await using host = await asking("match @x-a @x-b")
    const long = "y".repeat(1023)
    for (const pattern of ["z$", ".*z", "^y*z$", "^(y+)+z"]) {
      expect([pattern, await host.ask(pattern, `${long}z`)]).toEqual([pattern, `${OK}1`])
      expect([pattern, await host.ask(pattern, `${long}zz`)]).toEqual([pattern, GAVE_UP])
    }
    expect(await host.ask("z", `${long}y`)).toBe(`${OK}0`)
    expect(await host.ask("z", "y".repeat(7900))).toBe(GAVE_UP)
  })

  describe("catastrophic patterns", () => {
    const subject = "a".repeat(1023)
    const patterns = [
      "^(a+)+[bc]",
      "(a|aa)+[bc]",
      "(.*)*(.*)*(.*)*[bc]",
      "((a{0,50}){0,50}){0,50}[bc]",
      "(.+)+\\1[bc]",
      "(?R)*a(?R)[bc]",
      "(?=(a+))+?[bc]",
      "(?:(?=a*+)a?)+?[bc]",
      "(?:(?=.*+)(?=.*+)(?=.*+)(?=.*+)a?)+?[bc]",
      "(?:(?=(a*+))(?:\\1$)?){10}[bc]",
      "x?a*+[bc]",
      `${"(".repeat(100)}a*${")*".repeat(100)}[bc]`,
      `${"(a?)".repeat(900)}[bc]`,
    ]

    test("end, each time", async () => {
      await using host = await asking("match @x-a @x-b")
      const workers = host.nginx.workers()
      for (const pattern of patterns) for (let i = 0; i < 3; i++) await host.ask(pattern, subject)
      // The simplest of them, whose every step is about as short as a step can be.
      expect(await host.ask("^(a+)+[bc]", subject)).toBe(GAVE_UP)
      expect(host.nginx.workers()).toEqual(workers)
      expect(await counters(host.nginx)).toMatchObject({ faults: 0 })
    })

    timed("end after ten milliseconds", async () => {
      await using host = await asking("match @x-a @x-b")
      for (const pattern of patterns) {
        await host.ask(pattern, subject)
        const seconds = await workOf(host.nginx.workers(), async () => {
          for (let i = 0; i < 30; i++) await host.ask(pattern, subject)
        })
        atMost(0.01, seconds / 30, pattern)
      }
    })
  })
})

describe("wick_set_cookie", () => {
  const set = (name: string, value: string) => `setcookie ${name} ${name}=${value}`
  const script = (...commands: string[]) => `${LEAN} | select: ${commands.join("; ")}; turn ${at()}; say`
  const cookies = async (nginx: Nginx, path = "/", headers = {}) =>
    (await nginx.get(path, { headers })).headers["set-cookie"]

  async function serve(server: string): Promise<Nginx> {
    return startHost(() => ({ http: upstream, server }))
  }

  test("goes out with the upstream's answer, beside the upstream's own", async () => {
    await using own = await scripted((socket) =>
      socket.write(
        "HTTP/1.1 200 OK\r\nSet-Cookie: route=theirs\r\nSet-Cookie: x=y\r\nContent-Length: 0\r\n\r\n",
      ),
    )
    const select = `${LEAN} | select: ${set("route", "1;+Path=/;+HttpOnly")}; ${set("b", "2")}; turn ${at(own.port)}`
    await using nginx = await serve(
      proxied(
        "/",
        select
          .replaceAll(";+", "%3B+")
          .replace(set("route", "1%3B+Path=/%3B+HttpOnly"), "setcookie route @x-a"),
      ),
    )
    const value = "route=1; Path=/; HttpOnly"
    expect(await cookies(nginx, "/", { "x-a": encodeURIComponent(value) })).toEqual([
      value,
      "b=2",
      "route=theirs",
      "x=y",
    ])
  })

  test("goes out with error pages, redirects to other locations and answers of filters", async () => {
    const lost = `${LEAN} | select: ${set("route", "1")}; turn 127.0.0.1:1`
    await using nginx = await serve(
      `${proxied("/plain", lost)}
       ${proxied("/page", lost, "error_page 502 /own;")} location /own { return 200 page; }
       ${proxied("/named", lost, "error_page 502 = @other;")} location @other { return 200 named; }
       ${proxied("/again", lost, "error_page 502 = @chosen;")}
       location @chosen { proxy_wasm probe '${script(set("route", "2"), set("more", "3"))}'; proxy_pass http://chosen; }
       ${proxied("/local", `${LEAN} | select: ${set("route", "1")}; text none; respond 503`)}
       ${proxied("/replaced", `configure: callbacks upstream_select,response_headers | select: ${set("route", "1")}; turn ${at()} | response: respond 418 set-cookie=own=1`)}`,
    )
    for (const path of ["/plain", "/page", "/named", "/local"]) {
      expect([path, await cookies(nginx, path)]).toEqual([path, ["route=1"]])
    }
    expect(await cookies(nginx, "/again")).toEqual(["route=2", "more=3"])
    expect((await cookies(nginx, "/replaced"))?.toSorted()).toEqual(["own=1", "route=1"])
  })

  test("a retry replaces it; the client gets the last one", async () => {
    await using closing = await scripted((socket) => void socket.destroy())
    const select = `${LEAN} | select: setcookie route @x-cookie; attempt; say; turn ${at(closing.port)} ${at()}`
    await using nginx = await serve(
      proxied("/", select) +
        proxied(
          "/each",
          `${LEAN} | select: cookieof route; turn ${at(closing.port)} ${at(closing.port)} ${at()}`,
        ),
    )
    expect(await cookies(nginx, "/", { "x-cookie": "route%3D1" })).toEqual(["route=1"])
    expect(await cookies(nginx, "/each")).toEqual(["route=2"])
    expect(await cookies(nginx, "/", { "x-cookie": "route%3D1" })).toEqual(["route=1"])
  })

  test("refuses control characters, another name, too much of it, and other callbacks", async () => {
    await using nginx = await serve(
      proxied("/", `${LEAN} | select: setcookie @x-a @x-b; say; turn ${at()}`) +
        proxied(
          "/many",
          script(...Array.from({ length: 17 }, (_, i) => set(`c${i}`, "v")), set("c0", "again")),
        ) +
        location("/early", `headers: ${set("a", "1")}; respond 200`),
    )
    const long = `a=${"v".repeat(7900)}`
    const tried: [string, string, boolean][] = [
      ["a", "a=1\r\nX-Evil: 1", false],
      ["a", "a=1\n", false],
      ["a", "a=\0", false],
      ["a", "a=\t", false],
      ["a", "a=\x7f", false],
      ["a", "b=1", false],
      ["a", "a", false],
      ["a\r\n", "a\r\n=1", false],
      ["a", "a=1; Domain=x", true],
      ["a", long, true],
      ["", "=1", true],
    ]
    for (const [name, value, isTaken] of tried) {
      const answer = await nginx.get("/", {
        headers: {
          "x-a": encodeURIComponent(name),
          "x-b": encodeURIComponent(value).replace(/v{100,}/, long.slice(2)),
        },
      })
      expect(answer.headers["x-evil"]).toBeUndefined()
      expect([value, answer.headers["set-cookie"]]).toEqual([value, isTaken ? [value] : undefined])
    }
    expect((await cookies(nginx, "/many"))?.length).toBe(16)
    expect((await cookies(nginx, "/many"))?.[0]).toBe("c0=again")
    expect(traces(nginx).at(-1)).toMatch(/^report (0 ){16}2 0 0$/)
    expect((await nginx.get("/early")).body).toBe(BAD_ARGUMENT)
  })

  test("of a subrequest goes nowhere", async () => {
    await using nginx = await serve(
      proxied("/", script("text x"), "auth_request /auth;") + proxied("/auth", script(set("a", "1"))),
    )
    expect(await cookies(nginx)).toBeUndefined()
  })
})

test("outside of a request there is none to ask about", async () => {
  const commands = "expand $uri; cookie a; setcookie a a=1; match ^a abc"
  await using nginx = await startHost(() => ({
    server: location(
      "/",
      `configure: ${commands}; say; tick 50 | tick: ${commands}; say; tick 0 | headers: respond 200`,
    ),
  }))
  await expect.poll(() => traces(nginx)).toContain("report 0 2 2 2 0:1")
  expect(traces(nginx)).toContain("report 2 2 2 0:1")
})
