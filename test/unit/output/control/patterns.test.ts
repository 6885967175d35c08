import { describe, expect, test } from "vitest"
import type { Host, Route } from "../../../../controller/model/route.ts"
import type { Answer } from "../../../../controller/output/control/client.ts"
import { Patterns } from "../../../../controller/output/control/patterns.ts"
import { Failure } from "../../../../controller/support/failure.ts"
import { host } from "./live.ts"

const reason = "missing closing parenthesis at byte 3"

/** An nginx for which a pattern compiles when its parentheses are even. */
class FakeClient {
  readonly asked: string[][] = []
  /** answers of the next requests; an error breaks the connection */
  next: (Answer | Error)[] = []

  async post(path: string, body: string): Promise<Answer> {
    expect(path).toBe("/configuration/patterns")
    const patterns: string[] = JSON.parse(body)
    this.asked.push(patterns)
    const next = this.next.shift()
    if (next instanceof Error) throw next
    return next ?? { status: 200, body: JSON.stringify(patterns.map(reasonOf)) }
  }
}

const count = (text: string, part: string) => text.split(part).length
const reasonOf = (text: string) => (count(text, "(") === count(text, ")") ? null : reason)

/** A host of the Ingress `shop/<name>`. */
function regexes(name: string, ...paths: readonly string[]): Host {
  const { routes, ...rest } = host(name, "a")
  return { ...rest, routes: paths.flatMap((path) => routes.map((r) => ({ ...r, path, match: "regex" }))) }
}

function begin() {
  const client = new FakeClient()
  return { client, patterns: new Patterns(client) }
}

describe("patterns", () => {
  test("that do not compile are told to the owner of each path", async () => {
    const { patterns } = begin()
    expect(await patterns.problemsOf([regexes("a.test", "/a", "/a("), regexes("b.test", "/a(")])).toEqual(
      ["a.test", "b.test"].map((name) => ({
        object: { kind: "Ingress", namespace: "shop", name },
        field: "spec.rules",
        code: "bad-pattern",
        message: `Cannot serve path "/a(" of host "${name}", a regular expression that does not compile: ${reason}`,
      })),
    )
  })

  test("of snippets are told with the path, or the host, that they are about", async () => {
    const { client, patterns } = begin()
    const { routes, ...rest } = host("a.test", "a")
    const script = { steps: [{ op: "rewrite", pattern: "a(", value: "/b" }] } as const
    const owner = { namespace: "shop", ingressName: "other" }
    const both: Host = {
      ...rest,
      script: { ...script, ...owner },
      routes: routes.map((route) => ({ ...route, path: "/x", script })),
    }
    const problems = await patterns.problemsOf([both])
    expect(problems.map(({ object: { name }, code, message }) => `${name} ${code} ${message}`)).toEqual([
      `a.test bad-pattern Cannot use the regular expression "a(" of a snippet for path "/x" of host "a.test": it does not compile, ${reason}; the path is answered 500`,
      `other bad-pattern Cannot use the regular expression "a(" of a snippet for host "a.test": it does not compile, ${reason}; the host is answered 500`,
    ])
    expect(client.asked).toEqual([["a("]])
  })

  test("of conditions are told with what they are about", async () => {
    const { client, patterns } = begin()
    const { routes, ...rest } = host("a.test", "a")
    const conditions: Route["conditions"] = [
      { of: "header", name: "x-a", match: "regex", value: "a(" },
      { of: "query", name: "q", match: "regex", value: "b" },
      { of: "query", name: "q", match: "exact", value: "c(" },
      { of: "method", value: "GET" },
    ]
    const hosts = [{ ...rest, routes: routes.map((route) => ({ ...route, conditions })) }]
    expect((await patterns.problemsOf(hosts)).map(({ message }) => message)).toEqual([
      `Cannot serve requests by the condition on header "x-a" of path "/" of host "a.test", the regular expression "a(": it does not compile, ${reason}; the path is served to none of them`,
    ])
    expect(client.asked).toEqual([["a(", "b"]])
  })

  test("for names of clients are told to the Ingress that asks for certificates", async () => {
    const { client, patterns } = begin()
    const asked = { namespace: "shop", ingressName: "own", authority: "ca", verify: "on" } as const
    const asking = (matchCn: string): Host => ({
      ...host("a.test", "a"),
      clientCertificate: { ...asked, matchCn },
    })
    expect(await patterns.problemsOf([asking("CN=(a|b)")])).toEqual([])
    expect(await patterns.problemsOf([asking("CN=(a")])).toEqual([
      {
        object: { kind: "Ingress", namespace: "shop", name: "own" },
        field: "metadata.annotations",
        code: "bad-pattern",
        message: `Cannot use "CN=(a" of annotation "auth-tls-match-cn" for host "a.test": it does not compile, ${reason}; requests get 403`,
      },
    ])
    client.next = [{ status: 500, body: "" }]
    expect(await patterns.problemsOf([asking("CN=b")])).toMatchObject([{ code: "pattern-unknown" }])
  })

  test("are judged once, 16 at a time; paths that are no patterns are not asked for", async () => {
    const { client, patterns } = begin()
    const many = Array.from({ length: 40 }, (_, i) => `/${i}`)
    await patterns.problemsOf([host("c.test", "a"), regexes("a.test", ...many), regexes("b.test", "/1")])
    expect(client.asked.map(({ length }) => length)).toEqual([16, 16, 8])
    expect(client.asked.flat()).toEqual(many)
    expect(await patterns.problemsOf([regexes("a.test", "/1", "/(")])).toHaveLength(1)
    expect(await patterns.problemsOf([regexes("a.test", "/1", "/(")])).toHaveLength(1)
    expect(client.asked.slice(3)).toEqual([["/("]])
  })

  test("that nobody uses any more are forgotten before they are many", async () => {
    const { client, patterns } = begin()
    const many = Array.from({ length: 1600 }, (_, i) => `/${i}`)
    await patterns.problemsOf([regexes("a.test", ...many)])
    await patterns.problemsOf([regexes("a.test", "/1")])
    client.asked.length = 0
    await patterns.problemsOf([regexes("a.test", "/1", "/2")])
    expect(client.asked).toEqual([["/2"]])
  })

  test("that nginx cannot judge are in doubt until it can", async () => {
    const { client, patterns } = begin()
    client.next = [{ status: 500, body: "<html>" }]
    const hosts = [regexes("a.test", "/a")]
    expect(await patterns.problemsOf(hosts)).toMatchObject([
      {
        code: "pattern-unknown",
        message:
          'Cannot check path "/a" of host "a.test", a regular expression: nginx does not say whether it compiles',
      },
    ])
    expect(await patterns.problemsOf(hosts)).toEqual([])
    expect(client.asked).toEqual([["/a"], ["/a"]])
  })

  test("are sent again when a worker ends, once", async () => {
    const { client, patterns } = begin()
    const lost = new Failure("control-lost", "gone")
    client.next = [lost]
    expect(await patterns.problemsOf([regexes("a.test", "/(")])).toHaveLength(1)
    client.next = [lost, lost]
    await expect(patterns.problemsOf([regexes("a.test", "/b")])).rejects.toBe(lost)
  })
})
