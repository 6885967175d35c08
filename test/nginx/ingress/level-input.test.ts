// Headers of the request changed by a level (docs/wire.md, LEVEL) beside nginx with the same directives as text.
import { afterAll, beforeAll, expect, test } from "vitest"
import {
  addHeader,
  levelOf,
  moreClearInput,
  moreSetInput,
  passHeader,
} from "../../../harness/ingress/levels.ts"
import { scriptOf, set } from "../../../harness/ingress/script-records.ts"
import { BesideText, type Case } from "./support/beside-text.ts"
import { type Echo, startEcho } from "./support/echo.ts"

const location = `absolute_redirect off; proxy_set_header Host $host; proxy_set_header X-User $remote_user;
  proxy_set_header X-Seen "$http_x_a|$http_cookie|$cookie_a|$http_user_agent|$http_authorization"; proxy_pass http://echo;`

const names = ["X-A", "x-b", "Cookie", "User-Agent", "Authorization", "Accept-Encoding", "Referer"]
const cases: Readonly<Record<string, Case>> = {
  "are set": { location, settings: names.map((name) => moreSetInput(name, "new")) },
  // Without Cookie, of which headers-more 0.34 ends the worker where a request has none.
  "are set where they are": {
    location,
    settings: names.filter((name) => name !== "Cookie").map((name) => moreSetInput(name, "new", "replaces")),
  },
  "are cleared": { location, settings: names.map((name) => moreClearInput(name)) },
  "are cleared by their beginning": { location, settings: [moreClearInput("X-*"), moreClearInput("ref*")] },
  "become empty": { location, settings: [moreSetInput("X-A", "$http_nobody"), moreSetInput("Cookie", "")] },
  "have variables": {
    location,
    settings: [moreSetInput("X-A", "$http_x_a, $remote_addr"), moreSetInput("X-B", "$http_x_a")],
  },
  "are seen by others": {
    location,
    settings: [
      moreSetInput("X-A", "1"),
      moreSetInput("Cookie", "a=new"),
      addHeader("X-Seen", "$http_x_a $cookie_a"),
      passHeader("X-Passed", "$http_x_a"),
    ],
  },
  "are those of a type of content": {
    location,
    settings: [
      moreSetInput("X-A", "typed", undefined, { types: ["text/plain", "application/json;v=1"] }),
      moreSetInput("X-B", "typed", "replaces", { types: ["text/plain"] }),
      moreClearInput("User-Agent", { types: ["text/plain"] }),
      moreClearInput("ref*", { types: ["text/html", "text/plain"] }),
      moreSetInput("Content-Type", "text/html", undefined, { types: ["text/plain"] }),
      moreSetInput("Cookie", "behind", undefined, { types: ["text/html"] }),
    ],
  },
  "are who sends it": { location, settings: [moreSetInput("Authorization", "Basic bmV3OnB3")] },
  "come one behind the other": {
    location,
    settings: [
      moreSetInput("X-A", "1"),
      moreClearInput("X-A"),
      moreSetInput("X-B", "$http_x_a-"),
      moreSetInput("X-A", "2"),
    ],
  },
}

const requests = [
  [],
  [
    "X-A: theirs",
    "X-B: theirs",
    "Cookie: a=1; b=2",
    "User-Agent: test",
    "Authorization: Basic b2xkOnB3",
    "Referer: r",
  ],
  ...[
    "text/plain",
    "Text/Plain",
    "text/plain; charset=utf-8",
    "application/json",
    "application/json;v=1",
    "",
  ].map((type) => [`Content-Type: ${type}`, "X-B: theirs", "User-Agent: test", "Referer: r", "Cookie: a=1"]),
  ["x-a: one", "X-A: two", "x-a: three", "Cookie: a=1", "Cookie: b=2", "Accept-Encoding: gzip"],
]

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

test.each(
  Object.keys(cases).map((name, at) => [name, at] as const),
)("headers of the request %s", async (_, at) => {
  for (const headers of requests) {
    const [ours, nginxs] = await beside.ask(at, "/x", { headers })
    expect(ours.map(sorted), headers.join()).toEqual(nginxs.map(sorted))
    expect(ours.join("\n")).toMatch(/^GET /m)
  }
})

const sorted = (text: string) => text.split("\r\n").sort().join("\n")

test("what was decided of a request no snippet changes", async () => {
  const decided = [
    "Host",
    "Connection",
    "Content-Length",
    "Transfer-Encoding",
    "Upgrade",
    "CDN-Loop",
    "SSL-Client-Verify",
  ]
  const spelled = ["Content_Length", "ssl_client_verify"]
  const settings = [
    ...[...decided, ...spelled].map((name) => moreSetInput(name, "7")),
    ...decided.map((name) => moreClearInput(name)),
    moreClearInput("Con*"),
    moreClearInput("h*"),
  ]
  await beside.ingress.route("decided.test", [
    { location: "case-0", script: scriptOf([set("x", "1")], [levelOf(settings)]) },
  ])
  const headers = { "content-length": "4", "x-a": "1" }
  const { status, body } = await beside.ingress.nginx.get("/", {
    host: "decided.test",
    method: "POST",
    headers,
    body: "body",
  })
  expect(status).toBe(200)
  expect(body).toMatch(/^Host: decided.test\r$/im)
  expect(body).toMatch(/^Content-Length: 4\r$/im)
  expect(body).not.toMatch(/: 7\r$/m)
})

test("a value that would end its line is not set", async () => {
  const script = scriptOf([], [levelOf([moreSetInput("X-A", "$uri"), moreSetInput("X-C", "1")])])
  await beside.ingress.route("ends.test", [{ location: "case-0", script }])
  const { body } = await beside.ingress.nginx.get("/%0d%0aX-B:%201", {
    host: "ends.test",
    headers: { "x-a": "own" },
  })
  expect(body).toMatch(/^x-a: own\r$/m)
  expect(body).toMatch(/^X-C: 1\r$/m)
  expect(body).not.toMatch(/^x-b/im)
})
