import { describe, expect, test } from "vitest"
import { compile } from "./compiling.ts"

describe("levels", () => {
  const add = (name: string) => ({ op: "add", name, value: "1" })

  test("an if with a header of its own loses those around it, and one that says nothing has them again", () => {
    const { script } = compile(`
      add_header A 1; more_set_headers "B: 2";
      if ($http_x) { break; }
      if ($http_x = 1) { add_header C 1; more_set_headers "D: 2"; }
      if ($http_x = 2) { set $a 1; }
      if ($http_x = 3) { set $b 1; }`)
    const [b, d] = ["B", "D"].map((name) => ({ op: "set", name, value: "2" }))
    expect(script?.levels).toEqual([
      { responseHeaders: [add("A"), b] },
      { responseHeaders: [b, add("C"), d] },
      { responseHeaders: [add("A"), b] },
    ])
    const levels = script?.steps?.flatMap(({ op, level }) => (op === "if" ? [level] : []))
    expect(levels).toEqual([undefined, 1, 2, 2])
  })

  test("of headers of all kinds", () => {
    const { script, refused } = compile(`
      add_header A $host always; expires 1h;
      more_set_headers -s '404 500' -t 'text/html text/plain' "B: a b" C;
      more_clear_headers "X-*"; more_set_headers -a "D: 1";
      more_set_input_headers -r "E: $http_x" -t "a/b c/d"; more_clear_input_headers F G;
      proxy_set_header H $remote_addr; grpc_set_header H other; proxy_hide_header I; proxy_pass_header J;
      access_log off; default_type text/plain; limit_rate $http_x; auth_request_set $k $upstream_http_k;
      error_page 403 404 =200 /l; error_page 500 = https://m/$request_uri; error_page 502 @n;`)
    expect(refused).toEqual([])
    const conditions = { statuses: [404, 500], types: ["text/html", "text/plain"] }
    expect(script).toEqual({
      levels: [
        {
          responseHeaders: [
            { op: "add", name: "A", value: "$host", always: true },
            { op: "set", name: "B", value: "a b", ...conditions },
            { op: "set", name: "C", value: "", ...conditions },
            { op: "clear", name: "X-*" },
            { op: "append", name: "D", value: "1" },
          ],
          expires: "+3600",
          inputHeaders: [
            { op: "set", name: "E", value: "$http_x", replaces: true, types: ["a/b", "c/d"] },
            { op: "clear", name: "F" },
            { op: "clear", name: "G" },
          ],
          upstreamHeaders: [{ name: "H", value: "$remote_addr" }],
          hides: ["I"],
          passes: ["J"],
          accessLogOff: true,
          defaultType: "text/plain",
          limitRate: "$http_x",
          authVariables: [{ name: "k", value: "$upstream_http_k" }],
          errorPages: [
            { codes: [403, 404], code: 200, to: "/l" },
            { codes: [500], code: 0, to: "https://m/$request_uri" },
            { codes: [502], to: "@n" },
          ],
        },
      ],
    })
  })

  test("a value that stands apart from its header's name is the name of another one, as headers-more has it", () => {
    const { script, refused } = compile('more_set_headers X-XSS-Protection "1; mode=block";')
    expect(refused).toEqual([])
    expect(script?.levels).toEqual([
      { responseHeaders: [{ op: "set", name: "X-XSS-Protection", value: "" }] },
    ])
  })

  test.each([
    ["off", "off"],
    ["-1", "-1"],
    ["1d 1h", "+90000"],
    ["@15h30m", "@55800"],
    ["$http_x", "$http_x"],
  ])("expires %s", (text, expires) => {
    expect(compile(`expires "${text}";`).script?.levels).toEqual([{ expires }])
  })

  test("the headers that a backend of gRPC gets are those of grpc_set_header", () => {
    const { script } = compile("proxy_set_header A 1; grpc_set_header A 2;", "location", { protocol: "grpc" })
    expect(script?.levels).toEqual([{ upstreamHeaders: [{ name: "A", value: "2" }] }])
  })
})

describe("addresses and cookies of responses", () => {
  const levelOf = (text: string, place?: "server") => compile(text, place).script?.levels?.[0]

  test("texts and patterns are replaced, in order", () => {
    expect(
      levelOf(`proxy_redirect http://a/ /; proxy_redirect ~^http://(?<rest>.*) https://$rest; proxy_redirect ~*x $1;
        proxy_cookie_path ~ /b; proxy_cookie_domain .a.test $host; proxy_cookie_domain ~a b;
        proxy_cookie_flags a secure nohttponly samesite=lax; proxy_cookie_flags ~b nosamesite;`),
    ).toEqual({
      redirects: [
        { from: "http://a/", to: "/" },
        { pattern: "^http://(?<rest>.*)", to: "https://$rest" },
        { pattern: "x", anyCase: true, to: "$1" },
      ],
      cookiePaths: [{ pattern: "^", to: "/b" }],
      cookieDomains: [
        { from: "a.test", to: "$host" },
        { pattern: "a", anyCase: true, to: "b" },
      ],
      cookieFlags: [
        { cookie: "a", secure: true, httpOnly: false, sameSite: "lax" },
        { pattern: "b", anyCase: true, sameSite: "off" },
      ],
    })
  })

  test("off in the location of an Ingress changes nothing, and flags of its server", () => {
    expect(levelOf("proxy_redirect off; proxy_cookie_path off; proxy_cookie_domain off;")).toBeUndefined()
    expect(levelOf("proxy_cookie_flags off;")).toEqual({ cookieFlags: [] })
  })

  test("a level with one has none of those around it", () => {
    const { locations } = compile(
      `proxy_redirect a b; proxy_cookie_path a b; location /a { proxy_redirect off; }
       location /b { proxy_redirect c d; } location /c { proxy_pass http://cart; proxy_redirect default; }`,
      "server",
    )
    const cookiePaths = [{ from: "a", to: "b" }]
    const redirects = [[], [{ from: "c", to: "d" }], [{ from: "http://cart/", to: "/" }]]
    expect(locations.map(({ script }) => script?.levels?.[0])).toMatchObject(
      redirects.map((redirects) => ({ redirects, cookiePaths })),
    )
  })
})

describe("limits on zones", () => {
  const zones = { requestZones: new Set(["z", "y.1"]), connectionZones: new Set(["c"]) }
  const level = (text: string) => compile(text, "location", zones).script?.levels?.[0]

  test.each([
    ["limit_req zone=z;", { requestLimits: [{ zone: "z" }] }],
    ["limit_req zone=y.1 burst=5 nodelay;", { requestLimits: [{ zone: "y.1", burst: 5, hasNoDelay: true }] }],
    [
      "limit_req burst=5 zone=z delay=3; limit_req zone=y.1;",
      { requestLimits: [{ zone: "z", burst: 5, delay: 3 }, { zone: "y.1" }] },
    ],
    ["limit_req zone=z delay=3 nodelay;", { requestLimits: [{ zone: "z", hasNoDelay: true }] }],
    ["limit_req zone=z nodelay delay=3;", { requestLimits: [{ zone: "z", delay: 3 }] }],
    ["limit_conn c 7;", { connectionLimits: [{ zone: "c", connections: 7 }] }],
    ["limit_req_dry_run on; limit_conn_dry_run off;", { limitReqDryRun: true, limitConnDryRun: false }],
    [
      "limit_req_log_level warn; limit_conn_log_level info;",
      { limitReqLogLevel: "warn", limitConnLogLevel: "info" },
    ],
  ])("%s is data", (text, wanted) => {
    expect(level(text)).toEqual(wanted)
    expect(compile(text, "location", zones).text).toEqual([])
  })

  test("a level with one has none of those around it", () => {
    const { script, locations } = compile(
      `limit_req zone=z; limit_req_dry_run on; limit_conn c 2;
       location /a { limit_req zone=y.1; return 200; } location /b { limit_req_dry_run off; }`,
      "server",
      zones,
    )
    const outer = {
      requestLimits: [{ zone: "z" }],
      limitReqDryRun: true,
      connectionLimits: [{ zone: "c", connections: 2 }],
    }
    expect(script?.levels).toEqual([outer])
    expect(locations.map((it) => it.script?.levels?.[0])).toEqual([
      { ...outer, requestLimits: [{ zone: "y.1" }] },
      { ...outer, limitReqDryRun: false },
    ])
  })

  test.each([
    ["limit_req zone=x;", 'no limit_req_zone has the name "x"'],
    ["limit_conn z 1;", 'no limit_conn_zone has the name "z"'],
    ["limit_req zone=z; limit_req zone=z burst=2;", '"limit_req" directive is duplicate'],
    ["limit_conn c 1; limit_conn c 2;", '"limit_conn" directive is duplicate'],
    ["limit_req zone=z burst=0;", "invalid parameter"],
    ["limit_req zone=z delay=0;", "invalid parameter"],
    ["limit_req zone=z; if ($host) { limit_req zone=y.1; }", "not allowed here"],
    ["limit_conn c 65536;", "65535"],
  ])("%s is refused, and may guard", (text, reason) => {
    const { refused } = compile(text, "location", zones)
    expect(refused).toMatchObject([{ mayGuard: true }])
    expect(refused[0]?.reason).toContain(reason)
  })

  test.each([
    "http",
    "server",
    "location",
  ] as const)("of the operator at %s are printed around all", (place) => {
    const text =
      "limit_req zone=z burst=2; limit_conn c 1; limit_req_dry_run on; limit_conn_log_level warn; limit_req_status 429;"
    const { script, text: printed } = compile(text, place, { ...zones, namespace: "" })
    expect(script).toBeUndefined()
    expect(printed).toHaveLength(5)
  })
})
