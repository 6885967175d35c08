// Which level a script (docs/wire.md, SCRIPT) puts in force, beside nginx with the same directives as text.
import { afterAll, beforeAll, expect, test } from "vitest"
import {
  addHeader,
  levelOf,
  moreSet,
  passHeader,
  type Setting,
  textOfAll,
} from "../../../harness/ingress/levels.ts"
import {
  type Directives,
  returned,
  rewrite,
  scriptOf,
  set,
  stop,
  textOf,
  when,
} from "../../../harness/ingress/script-records.ts"
import { BesideText, type Case } from "./support/beside-text.ts"
import { type Echo, startEcho } from "./support/echo.ts"

const location = `absolute_redirect off; proxy_set_header Host $host; proxy_pass http://echo;`

/** A case whose location has `own`, and `steps`; of `ifs` each has its condition, its steps and what it sets. nginx merges levels when it reads them. */
function scripted(own: readonly Setting[], steps: readonly Directives[], ifs: readonly If[] = []): Case {
  const inner = ifs.map(({ body = [] }) => body)
  const conditions = ifs.map(({ of }, at) => when(of[0], of[1], inner[at] ?? [], at + 1))
  const script = scriptOf(
    [...steps, ...conditions],
    [levelOf(own), ...ifs.map(({ level }) => levelOf(level))],
  )
  const texts = ifs.map(({ text, body = [] }, at) =>
    (conditions[at]?.text ?? "").replace(
      /\{.*$/,
      `{ ${textOf(body)} ${textOfAll(text)} proxy_pass http://echo; }`,
    ),
  )
  return { location, settings: [], script, text: `${textOf(steps)} ${texts.join(" ")} ${textOfAll(own)}` }
}

interface If {
  readonly of: readonly [string, (readonly ["=" | "~", string])?]
  readonly body?: readonly Directives[]
  /** What stands in it. */
  readonly text: readonly Setting[]
  /** What is in force in it: with what it takes from the location. */
  readonly level: readonly Setting[]
}

const outer = [addHeader("X-Outer", "1"), moreSet("X-Set", "outer"), passHeader("X-To", "outer")]
const cases: Readonly<Record<string, Case>> = {
  "variables of the script": scripted(
    [
      addHeader("X-A", "$mine"),
      addHeader("X-B", "a-$mine-$args"),
      moreSet("X-C", "$mine"),
      passHeader("X-D", "$mine"),
    ],
    [set("mine", "$arg_a/$host")],
  ),
  "groups of the script": scripted(
    [addHeader("X-A", "$1"), addHeader("X-B", "b$1"), passHeader("X-C", "$1")],
    [when("$request_uri", ["~", "^/case-([0-9])+/"], [set("x", "1")])],
  ),
  "an answer of the script": scripted(
    [addHeader("X-A", "1"), addHeader("X-B", "2", "always"), moreSet("X-C", "3"), passHeader("X-D", "4")],
    [returned(200, "answer")],
  ),
  "an error of the script": scripted(
    [addHeader("X-A", "1"), addHeader("X-B", "2", "always"), moreSet("X-C", "3")],
    [returned(403)],
  ),
  "a redirect of the script": scripted(
    [addHeader("X-A", "$arg_a"), moreSet("X-C", "3")],
    [returned(302, "/there?$args")],
  ),
  "a path of the script": scripted(
    [addHeader("X-A", "$uri"), passHeader("X-B", "$uri")],
    [rewrite("^/.*$", "/new", "break")],
  ),
  "the end of the script": scripted([addHeader("X-A", "1"), passHeader("X-B", "1")], [stop, returned(500)]),
  "a condition that holds takes headers away": scripted(
    outer,
    [],
    [
      {
        of: ["$arg_a"],
        text: [addHeader("X-Inner", "1")],
        level: [addHeader("X-Inner", "1"), moreSet("X-Set", "outer"), passHeader("X-To", "outer")],
      },
    ],
  ),
  "the last condition that holds counts": scripted(
    outer,
    [],
    [
      {
        of: ["$arg_a"],
        text: [addHeader("X-A", "1")],
        level: [addHeader("X-A", "1"), moreSet("X-Set", "outer"), passHeader("X-To", "outer")],
      },
      {
        of: ["$arg_b", ["=", "1"]],
        text: [moreSet("X-Set", "inner")],
        level: [
          addHeader("X-Outer", "1"),
          moreSet("X-Set", "outer"),
          moreSet("X-Set", "inner"),
          passHeader("X-To", "outer"),
        ],
      },
    ],
  ),
  "an answer in a condition": scripted(
    outer,
    [],
    [
      {
        of: ["$arg_a"],
        body: [returned(200, "inner")],
        text: [addHeader("X-A", "1")],
        level: [addHeader("X-A", "1"), moreSet("X-Set", "outer")],
      },
    ],
  ),
}

let echo: Echo
let beside: BesideText
beforeAll(async () => {
  echo = await startEcho()
  beside = await BesideText.start({
    http: `upstream echo { server 127.0.0.1:${echo.port}; }`,
    cases: Object.values(cases),
  })
})
afterAll(async () => {
  await beside[Symbol.asyncDispose]()
  await echo[Symbol.asyncDispose]()
})

test.each(Object.keys(cases).map((name, at) => [name, at] as const))("%s", async (_, at) => {
  for (const query of ["", "?a=1", "?b=1", "?a=1&b=1", "?a=0"]) {
    const [ours, nginxs] = await beside.ask(at, `/x${query}`)
    expect(ours.map(sorted), query).toEqual(nginxs.map(sorted))
  }
})

/** The lines of a body in their order by name: those of nginx's own come before ours. */
const sorted = (text: string) => text.split("\r\n").sort().join("\n")

test("headers of a route that a request has left are not set", async () => {
  const left = scriptOf([rewrite("^/case-0/x$", "/elsewhere", "last")], [levelOf(outer)])
  const script = scriptOf([], [levelOf([addHeader("X-New", "1")])])
  await beside.ingress.route("left.test", [
    { path: "/case-0", location: "case-0", script: left },
    { path: "/elsewhere", location: "case-0", script },
    { path: "/elsewhere/plain", location: "case-0" },
  ])
  const { headers, body } = await beside.ingress.nginx.get("/case-0/x", { host: "left.test" })
  expect([headers["x-new"], headers["x-outer"], headers["x-set"]]).toEqual(["1", undefined, undefined])
  expect(body).not.toMatch(/x-to/i)
})
