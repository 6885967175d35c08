// Scripts of routes and hosts: what nginx answers that has the same directives as text.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { type Route, recordOf } from "../../../harness/ingress/records.ts"
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
import { type Nginx, startNginx } from "../../../harness/nginx.ts"
import { type Echo, startEcho } from "./support/echo.ts"
import { rawRequest } from "./support/raw.ts"

/** What is asked of each pair of hosts. */
const requests: readonly (readonly [uri: string, headers?: string])[] = [
  ["/"],
  ["/a"],
  ["/a?q=1&r=%20"],
  ["/a/b"],
  ["/A/B?q"],
  ["/a/x%20y%26z%3Fv?q"],
  ["/a/x+y"],
  ["/a/%C3%A4"],
  ["/a/b/c.html", "X: 1\r\nUser-Agent: curl/8"],
  ["/a/b", "X: 0"],
  ["/a/b", "X: yes\r\nCookie: id=7; other=8"],
  ["/b", "X: /a/c"],
  ["/c/de/9?q=1"],
  ["/n"],
]

interface Case {
  readonly script?: readonly Directives[]
  /** What stands in the server block. */
  readonly server?: readonly Directives[]
  /** Path of the route, default `/`. */
  readonly path?: string
}

const show = (text: string) => returned(200, text)

const cases: Readonly<Record<string, Case>> = {
  "a header that is there": { script: [when("$http_x", undefined, [returned(403)])] },
  "a value and another one": {
    script: [when("$arg_q", ["=", "1"], [returned(404)]), when("$http_x", ["!=", ""], [returned(410)])],
  },
  "a value and a variable": { script: [when("$http_x", ["=", "$arg_q"], [show("same")]), show("other")] },
  "patterns with and without case": {
    script: [
      when("$uri", ["~", "^/A/"], [set("r", "$r-case")]),
      when("$uri", ["~*", "^/A/"], [set("r", "$r-any")]),
      when("$uri", ["!~", "^/A/"], [set("r", "$r-not")]),
      when("$uri", ["!~*", "^/A/"], [set("r", "$r-none")]),
      show("<$r>"),
    ],
  },
  "groups of a condition, also behind one that does not hold": {
    script: [
      when("$uri", ["~", "^/(a)/(.*)$"], [set("first", "$1:$2")]),
      set("second", "$1|$2|$3"),
      when("$http_x", ["~", "(y)(e)"], [set("third", "$1$2")]),
      show("$first $second $third <$1>"),
    ],
  },
  "groups that took no part": {
    script: [when("$uri", ["~", "^/(a)?(b)?"], [show("$1|$2|$3")]), returned(204)],
  },
  "names of groups": {
    script: [
      when("$uri", ["~", "^/c/(?<lang>[a-z]+)/(?<Number>\\d+)"], [show("$lang $number $NUMBER $1")]),
      show("<$lang>"),
    ],
  },
  "cookies and arguments": { script: [show("$cookie_id|$arg_q|$args|$is_args|$request_uri|$uri")] },
  "variables of variables": {
    script: [set("x", "a"), set("x", `\${x}b$x`), set("y", "$x$http_x"), show("$x $y")],
  },
  "a group with escapes in set": {
    script: [
      when("$uri", ["~", "^/a/(.*)"], [set("rest", "$1")]),
      when("$rest", ["=", "x y"], [show("plain")]),
      show("$rest|$1"),
    ],
  },
  "arguments that are set": { script: [set("args", "$args&new=1")] },
  "arguments that are taken away": { script: [when("$arg_q", undefined, [set("args", "")])] },
  "a rate": { script: [set("limit_rate", "100k"), show("$limit_rate")] },
  "return without a text": { script: [when("$arg_q", undefined, [returned(418)]), returned(503)] },
  "return of codes that are no errors": {
    script: [
      when("$http_x", undefined, [returned(204)]),
      when("$arg_q", undefined, [returned(304)]),
      when("$uri", ["=", "/n"], [returned(300)]),
      returned(200),
    ],
  },
  "return of an error with a text": { script: [returned(404, "no $uri here")] },
  "return of nothing": { script: [returned(444)] },
  "return of an address": { script: [returned(301, "https://new.test$request_uri")] },
  "return of a path": { script: [returned(302, "/new$uri")] },
  "return of a path that is lasting": { script: [returned(308, "/new?u=$uri")] },
  "return of an empty address": { script: [returned(307, "")] },
  "a redirect by rewrite": { script: [rewrite("^/a/(.*)$", "https://new.test/$1", "permanent")] },
  "a redirect to a path": { script: [rewrite("^/a/(.*)$", "/new/$1?x=$1", "redirect")] },
  "a redirect without arguments": { script: [rewrite("^/a(.*)$", "$scheme://new.test$1?")] },
  "an address, whatever the flag": { script: [rewrite("^/a(.*)$", "http://new.test/x?$1", "break")] },
  "a redirect with variables": {
    script: [rewrite("^/a/(.*)$", "$scheme://$host/%61$uri/$1", "permanent")],
  },
  "a path for the backend": { script: [rewrite("^/a/(.*)$", "/new/$1", "break")] },
  "a path with arguments": { script: [rewrite("^/a/(.*)$", "/new?p=$1&u=$http_x", "break")] },
  "a path whose arguments are dropped": { script: [rewrite("^/a/?(.*)$", "/new/$1?p=$1?", "break")] },
  "a path of a variable": { script: [rewrite("^/b", "$http_x", "break")] },
  "a rewrite that goes on": {
    script: [
      rewrite("^/a/(.*)$", "/c/$1"),
      when("$uri", ["~", "^/c/(.*)"], [set("rest", "$1")]),
      rewrite("^/c/(.*)$", "/d/$1", "break"),
      show("not reached $rest"),
    ],
  },
  "break behind a rewrite": { script: [rewrite("^/a", "/n?z"), stop, show("not reached")] },
  "break in a condition": {
    script: [when("$http_x", undefined, [stop]), returned(403)],
  },
  "a rewrite to another place": { script: [rewrite("^/a/(.*)$", "/n?$1", "last"), show("stayed at $uri")] },
  "a rewrite to another place, without a flag": { script: [rewrite("^/a/(.*)$", "/n")] },
  "variables at another place": {
    script: [set("n", "from $uri"), rewrite("^/a", "/n", "last")],
  },
  "in circles": { script: [rewrite("^/(.*)$", "/x$1", "last")] },
  "in the server": {
    server: [when("$http_x", ["=", "1"], [returned(403)]), rewrite("^/a/b$", "/n?from=b", "last")],
  },
  "in the server, without a flag": { server: [rewrite("^/a", "/n"), set("n", "set at $uri")] },
  "in the server and at the place": {
    server: [set("n", "1"), when("$uri", ["~", "^/(a)"], [set("m", "$1")])],
    script: [set("n", "$n-$m-$1"), show("$n")],
  },
  "in the server, an address": { server: [rewrite("^/a(.*)", "https://new.test$1", "redirect")] },
  "in the server, a redirect": { server: [returned(301, "https://$host$request_uri")] },
  "in the server, break": { server: [stop, returned(403)], script: [show("here")] },
  "bodies within": {
    script: [
      when("$http_x", undefined, [set("a", "1"), set("b", "2"), rewrite("^/a/b", "/n", "last")]),
      when("$arg_q", undefined, [set("a", "$a-3")]),
      show("$a $b"),
    ],
  },
}

const names = Object.keys(cases)
let backend: Echo
let plain: Nginx
let ingress: Ingress
beforeAll(async () => {
  backend = await startEcho()
  const proxy = `proxy_http_version 1.0; proxy_set_header Connection ""; proxy_pass http://127.0.0.1:${backend.port};`
  const server = (port: number, { script = [], server: own = [], path = "/" }: Case, n: number) => `
    server {
      listen 127.0.0.1:${port}; server_name ${n}.test;
      ${textOf(own)}
      location ${path} { ${textOf(script)} ${proxy} }
      location = /n { return 200 "n <$n> $uri $args"; }
    }`
  plain = await startNginx((site) => ({
    http: Object.values(cases)
      .map((it, n) => server(site.port, it, n))
      .join(""),
  }))
  ingress = await startIngress({
    locations: `
      location @plain { ${proxy} }
      location @n { return 200 "n <$script_n> $uri $args"; }`,
  })
  for (const [n, { script, server: own, path = "/" }] of Object.values(cases).entries()) {
    const routes: readonly Route[] = [
      { path, ...(script !== undefined && { script: scriptOf(script) }) },
      { path: "/n", match: "exact", location: "n" },
    ]
    await ingress.write(`main/${n}.test`, recordOf(routes, undefined, own && scriptOf(own)))
  }
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  await plain.stop()
  await backend[Symbol.asyncDispose]()
})

/** The whole answer, without what differs between any two. */
async function seen(port: number, host: string, uri: string, headers?: string): Promise<string> {
  const head = `GET ${uri} HTTP/1.0\r\nHost: ${host}\r\n${headers === undefined ? "" : `${headers}\r\n`}\r\n`
  const answer = await rawRequest(port, Buffer.from(head, "latin1"))
  return answer
    .replaceAll(`:${port}`, ":PORT")
    .replace(/^(Date|Server|Content-Type): .*\r\n/gm, "")
    .replace(/^CDN-Loop: .*\r\n/gm, "")
}

describe.each(names.map((name, n) => [name, n] as const))("%s", (_name, n) => {
  test("as nginx has it", async () => {
    for (const [uri, headers] of requests) {
      const wanted = await seen(plain.port, `${n}.test`, uri, headers)
      const got = await seen(ingress.port, `${n}.test`, uri, headers)
      expect([uri, headers, got]).toEqual([uri, headers, wanted])
    }
  })
})
