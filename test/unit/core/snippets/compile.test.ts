import { describe, expect, test } from "vitest"
import { compileSnippet } from "../../../../controller/core/snippets/compile.ts"
import type { CompileOptions } from "../../../../controller/core/snippets/compiled.ts"
import type { CompilePlace } from "../../../../controller/core/snippets/scope.ts"

const known = new Set([
  "host",
  "http_x",
  "http_referer",
  "request_method",
  "remote_addr",
  "scheme",
  "request_uri",
  "uri",
])
const options: CompileOptions = {
  namespace: "shop",
  isVariable: (name) => known.has(name) || /^(http|arg|upstream_http)_/.test(name),
  nearestVariable: (name) => (name === "hots" ? "host" : undefined),
}

function compile(text: string, place: CompilePlace = "location", more: Partial<CompileOptions> = {}) {
  return compileSnippet(text, place, { ...options, ...more })
}

/** What is refused of a text, as "LINE:COLUMN DIRECTIVE: REASON". */
function refused(text: string, place: CompilePlace = "location", more: Partial<CompileOptions> = {}) {
  return compile(text, place, more).refused.map(
    (it) => `${it.line}:${it.column} ${it.directive}: ${it.reason}`,
  )
}

describe("steps", () => {
  test("are the directives of the rewrite module, in order, with the variables in small letters", () => {
    const { script, refused } = compile(
      `set $A $\{http_x}1; if ($a = yes) { set $b 1; return 403; } rewrite ^/old(.*)$ /new$1 last; break;`,
    )
    expect(refused).toEqual([])
    expect(script).toEqual({
      steps: [
        { op: "set", name: "a", value: `$\{http_x}1` },
        { op: "if", value: "$a", test: "equal", against: "yes", skip: 2 },
        { op: "set", name: "b", value: "1" },
        { op: "return", code: 403 },
        { op: "rewrite", pattern: "^/old(.*)$", value: "/new$1", flag: "last" },
        { op: "break" },
      ],
    })
  })

  test.each([
    ["if ($http_x) { break; }", { value: "$http_x", test: "filled" }],
    ["if ( $http_x != '' ) { break; }", { value: "$http_x", test: "unequal", against: "" }],
    ["if ($http_x ~ ^a) { break; }", { value: "$http_x", test: "match", pattern: "^a" }],
    ["if ($http_x ~* 'a b') { break; }", { value: "$http_x", test: "match_any_case", pattern: "a b" }],
    ["if ($http_x !~ a) { break; }", { value: "$http_x", test: "mismatch", pattern: "a" }],
    ["if ($http_x !~* a) { break; }", { value: "$http_x", test: "mismatch_any_case", pattern: "a" }],
    ["if ($http_x = $host) { break; }", { value: "$http_x", test: "equal", against: "$host" }],
  ])("%s", (text, condition) => {
    expect(compile(text).script?.steps?.[0]).toEqual({ op: "if", ...condition, skip: 1 })
  })

  test.each([
    ["return 403;", { code: 403 }],
    ["return 200 'a\n$host';", { code: 200, value: "a\n$host" }],
    ["return 301 https://$host$request_uri;", { code: 301, value: "https://$host$request_uri", isUrl: true }],
    ["return https://$host/;", { code: 302, value: "https://$host/", isUrl: true }],
    ["return $scheme://a/;", { code: 302, value: "$scheme://a/", isUrl: true }],
    ["return 444;", { code: 444 }],
  ])("%s", (text, answer) => {
    expect(compile(text).script).toEqual({ steps: [{ op: "return", ...answer }] })
  })

  test.each([
    ["rewrite a /b;", { value: "/b", flag: "none" }],
    ["rewrite a /b? break;", { value: "/b", flag: "break", dropsArgs: true }],
    ["rewrite a /b permanent;", { value: "/b", flag: "permanent" }],
    ["rewrite a http://b/$1;", { value: "http://b/$1", flag: "redirect" }],
    ["rewrite a https://b last;", { value: "https://b", flag: "redirect" }],
    ["rewrite a $scheme://b permanent;", { value: "$scheme://b", flag: "permanent" }],
  ])("%s", (text, rewrite) => {
    expect(compile(text).script).toEqual({ steps: [{ op: "rewrite", pattern: "a", ...rewrite }] })
  })

  test.each([
    "a[^\\/]*(.*)",
    "[]a]*",
    "[^]]+",
    "\\(*",
    "[[:alpha:](*]?",
    "(?i)a|b",
    "a{2}?",
    "(?:a)*+",
    "x\\[+",
  ])("%s is a pattern", (pattern) => {
    expect(refused(`rewrite '${pattern}' /a;`)).toEqual([])
  })

  test("a named group is a variable everywhere in the text", () => {
    expect(refused("set $a $name; if ($host ~ (?<name>.*)) { set $b $NAME; }")).toEqual([])
  })
})

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

describe("who is let in", () => {
  test("rules in order, networks as wick writes them", () => {
    const { access } = compile(
      "allow 10.1.2.3/8; allow ::1; deny all; satisfy any; auth_basic off; auth_request off;",
    )
    expect(access).toEqual({
      rules: [
        { action: "allow", from: "10.0.0.0/8" },
        { action: "allow", from: "::1/128" },
        { action: "deny", from: "all" },
      ],
      satisfy: "any",
      authBasic: "off",
      authRequest: "off",
    })
  })

  test("limit_except with deny all is an answer before everything else", () => {
    const { script, refused } = compile("set $a 1; limit_except GET POST { deny all; }")
    expect(refused).toEqual([])
    expect(script?.steps).toEqual([
      { op: "if", value: "$request_method", test: "unequal", against: "GET", skip: 3 },
      { op: "if", value: "$request_method", test: "unequal", against: "POST", skip: 2 },
      { op: "if", value: "$request_method", test: "unequal", against: "HEAD", skip: 1 },
      { op: "return", code: 403 },
      { op: "set", name: "a", value: "1" },
    ])
  })

  test("in a location of its own no other step is run for other methods", () => {
    const { locations } = compile("location /a { limit_except GET { deny all; } set $a 1; }", "server")
    expect(locations[0]?.script?.steps?.map(({ op, skip }) => [op, skip])).toEqual([
      ["if", 3],
      ["if", 2],
      ["return", undefined],
      ["break", undefined],
      ["set", undefined],
    ])
  })

  test("rules of limit_except decide by the client's address, the first that fits", () => {
    const { script, refused } = compile(
      "limit_except GET { deny 10.1.2.3; allow 10.0.0.0/8; allow 172.16.0.0/12; deny all; allow 8.8.8.8; }",
    )
    expect(refused).toEqual([])
    const steps = script?.steps ?? []
    const isRefused = (client: string) => {
      let isDenied = false
      for (const [nth, { test, pattern = "" }] of steps.entries())
        if (test === "match" && new RegExp(pattern).test(client)) isDenied = steps[nth + 1]?.value === "1"
      return isDenied
    }
    for (const it of ["10.1.2.3", "1.1.1.1", "172.32.0.1", "110.0.0.1", "8.8.8.8", "::1"])
      expect(isRefused(it), it).toBe(true)
    for (const it of ["10.1.2.4", "10.255.0.1", "172.16.0.1", "172.31.255.255"])
      expect(isRefused(it), it).toBe(false)
    expect(steps[0]).toMatchObject({ op: "if", test: "unequal", skip: steps.length - 1 })
    expect(steps.at(-1)).toEqual({ op: "return", code: 403 })
  })

  test.each([
    "limit_except GET { allow ::1; deny all; }",
    "limit_except GET { auth_basic a; }",
    "limit_except GET { access_log off; }",
    "satisfy any; limit_except GET { deny all; }",
    "limit_except PURGE { deny all; }",
    "limit_except GET { deny all; } satisfy any;",
  ])("%s closes", (text) => {
    expect(compile(text).refused).toMatchObject([{ mayGuard: true }])
  })

  test("valid_referers sets $invalid_referer before all other steps", () => {
    const { script, refused } = compile(
      "if ($invalid_referer) { return 403; } valid_referers none blocked *.a.test b.test/c;",
    )
    expect(refused).toEqual([])
    const patterns = script?.steps?.flatMap(({ pattern }) => pattern ?? []).map((it) => new RegExp(it, "i"))
    const isValid = (referer: string) => {
      const [unblocked, ...names] = patterns ?? []
      return !unblocked?.test(referer) || names.some((it) => it.test(referer))
    }
    expect(script?.steps?.[0]).toEqual({ op: "set", name: "invalid_referer", value: "1" })
    expect(script?.steps?.at(-1)).toEqual({ op: "return", code: 403 })
    for (const it of [
      "https://x.a.test/",
      "http://X.A.TEST",
      "http://b.test/cd",
      "http://b.test:80/c",
      "about:blank",
    ])
      expect(isValid(it), it).toBe(true)
    for (const it of ["https://a.test/", "http://b.test/d", "http://b.test.evil/c", "http://evil/?x.a.test/"])
      expect(isValid(it), it).toBe(false)
  })

  test("server_names of valid_referers are the host that was asked for", () => {
    const { script, refused } = compile("valid_referers server_names;")
    expect(refused).toEqual([])
    expect(script?.steps?.map(({ op, skip }) => [op, skip])).toEqual([
      ["set", undefined],
      ["if", 3],
      ["set", undefined],
      ["if", 1],
      ["set", undefined],
    ])
    expect(script?.steps?.[3]).toMatchObject({ value: "$wick_referer_host", against: "$host" })
  })

  test("valid_referers without a name is refused, as nginx does", () => {
    for (const words of ["none blocked", "none ~a", "a.test a.test/b"])
      expect(compile(`valid_referers ${words};`).refused, words).toMatchObject([{ mayGuard: true }])
  })
})

describe("rules of ModSecurity", () => {
  test("are those of the paths", () => {
    const { firewall, refused, directives } = compile(`
      modsecurity on;
      modsecurity_rules '
        SecRuleEngine On
        SecRule ARGS:q "@streq $bad" "id:1,deny"
      ';
      modsecurity_rules_file /etc/nginx/owasp-modsecurity-crs/nginx-modsecurity.conf;
      modsecurity_transaction_id "a$host";`)
    expect(refused).toEqual([])
    expect(firewall).toMatchObject({ isOn: true, transactionId: "a$host" })
    expect(firewall?.rules).toEqual([
      expect.stringContaining('SecRule ARGS:q "@streq $bad" "id:1,deny"'),
      "Include /etc/nginx/owasp-modsecurity-crs/nginx-modsecurity.conf",
    ])
    expect(new Set(directives.map(({ becomes }) => becomes))).toEqual(new Set(["data"]))
  })

  test("that are refused may keep requests out", () => {
    for (const text of ["modsecurity_rules 'SecTmpDir /';", "modsecurity_rules_file /x;"])
      expect(compile(text).refused, text).toMatchObject([{ mayGuard: true }])
  })
})

describe("numbers", () => {
  test("are those of the route", () => {
    const { overrides } = compile(`
      proxy_read_timeout 1m; proxy_buffers 8 16k; proxy_buffer_size 32k; client_max_body_size 1g; proxy_buffering off;
      proxy_next_upstream error timeout; limit_rate 10k;`)
    expect(overrides).toEqual({
      proxyReadTimeoutMs: 60_000,
      proxyBuffersNumber: 8,
      proxyBufferBytes: 32_768,
      clientMaxBodyBytes: 1_073_741_824,
      proxyBuffering: false,
      proxyNextUpstream: "error timeout",
      limitRateBytes: 10_240,
    })
  })

  test("of refusals are those of the limits that annotations say, and of zones where there are any", () => {
    const text = "limit_req_status 429; limit_conn_status 430;"
    const alone = compile(text)
    expect([alone.overrides, alone.script]).toEqual([
      { limitReqStatus: 429, limitConnStatus: 430 },
      undefined,
    ])
    const beside = compile(text, "location", { requestZones: new Set(["z"]) })
    expect(beside.overrides).toEqual(alone.overrides)
    expect(beside.script?.levels).toEqual([{ limitReqStatus: 429 }])
  })

  test("of a server do not reach paths of Ingresses that have them from their location, but those of the snippet", () => {
    const { overrides, locations, text } = compile(
      "proxy_read_timeout 5s; client_body_timeout 6s; proxy_redirect a b; location /a { return 200; }",
      "server",
    )
    expect(text).toEqual([])
    expect(locations[0]?.text).toEqual([])
    expect(locations[0]?.script?.levels).toEqual([{ redirects: [{ from: "a", to: "b" }] }])
    expect(overrides).toEqual({ clientBodyTimeoutMs: 6000 })
    expect(locations[0]?.overrides).toEqual({ clientBodyTimeoutMs: 6000, proxyReadTimeoutMs: 5000 })
  })
})

describe("locations", () => {
  test("of all kinds, with what they have of the server around them", () => {
    const { locations, refused, script } = compile(
      `add_header A 1; deny 10.0.0.1; gzip on; sub_filter a b;
       location = /a { return 200; }
       location ^~ /b { add_header B 1; allow all; gzip off; }
       location ~ \\.php$ { deny all; location ~* x { break; } }
       location ~*^/c { internal; } location @d { return 204; } location /e/ { satisfy any; }`,
      "server",
    )
    expect(refused).toEqual([])
    expect(locations.map(({ match, path }) => `${match} ${path}`)).toEqual([
      ...["= /a", "^~ /b", "~ \\.php$", "~* ^/c", "@ d", " /e/"],
    ])
    const [a, b, php, c] = locations
    expect(script?.levels).toEqual(a?.script?.levels)
    expect(a?.access).toEqual({ rules: [{ action: "deny", from: "10.0.0.1/32" }] })
    expect(b?.script?.levels).toEqual([{ responseHeaders: [{ op: "add", name: "B", value: "1" }] }])
    expect(b?.access).toEqual({ rules: [{ action: "allow", from: "all" }] })
    expect(b?.text).toEqual([
      { name: "sub_filter", args: ["a", "b"] },
      { name: "gzip", args: ["off"] },
    ])
    expect(php?.locations[0]).toMatchObject({ match: "~*", path: "x", access: php?.access })
    expect(c?.script?.steps).toEqual([
      { op: "if", value: "$status", test: "match", pattern: "^00", skip: 1 },
      { op: "return", code: 404 },
    ])
  })

  test.each([
    ["http://cart", { scheme: "http", service: "cart", port: "80" }, "cart"],
    ["http://cart.shop:8080", { scheme: "http", service: "cart", port: "8080" }, "cart.shop:8080"],
    ["https://cart.shop.svc/", { scheme: "https", service: "cart", port: "443", uri: "/" }, "cart.shop.svc"],
    [
      "http://cart.shop.svc.cluster.local:80/b",
      { scheme: "http", service: "cart", port: "80", uri: "/b" },
      "cart.shop.svc.cluster.local",
    ],
  ])("%s is a Service, and gets what nginx would send", (url, pass, host) => {
    const { locations, refused } = compile(
      `location /a { proxy_pass ${url}; proxy_set_header B $host; }`,
      "server",
    )
    expect(refused).toEqual([])
    const { redirect, ...others } = locations[0]?.pass ?? {}
    expect(others).toEqual(pass)
    expect(redirect).toEqual("uri" in pass ? { from: url, to: "/a" } : { from: `${url}/`, to: "/" })
    expect(locations[0]?.script?.levels?.[0]?.upstreamHeaders).toEqual([
      { name: "Host", value: host },
      { name: "Connection", value: "close" },
      { name: "B", value: "$host" },
    ])
  })

  test("inside of that of an Ingress one keeps its headers, unless it has its own", () => {
    const { locations } = compile(`proxy_set_header A 1;
      location /a { proxy_pass http://cart; } location /b { proxy_pass http://cart; proxy_set_header host b; }`)
    expect(locations.map(({ pass }) => pass?.keepsHeaders)).toEqual([true, undefined])
    expect(locations.map(({ script }) => script?.levels?.[0]?.upstreamHeaders)).toEqual([
      [{ name: "A", value: "1" }],
      [
        { name: "Connection", value: "close" },
        { name: "host", value: "b" },
      ],
    ])
  })

  test.each([
    ["http://cart.other", 'Service "other/cart" is of another namespace'],
    ["http://cart.shop.svc.other.domain", "is no Service of the cluster"],
    ["http://127.0.0.1", "is no Service of the cluster"],
    ["http://localhost.localdomain.x.y.z", "is no Service of the cluster"],
    ["http://$host", "is no URL of a Service"],
    ["http://unix:/tmp/a", "is no URL of a Service"],
  ])("%s is refused, and the location is closed", (url, reason) => {
    const { locations, refused } = compile(`location /a { proxy_pass ${url}; }`, "server")
    expect(refused[0]).toMatchObject({ directive: "proxy_pass", mayGuard: false })
    expect(refused[0]?.reason).toContain(reason)
    expect(locations[0]?.isClosed).toBe(true)
  })

  test("what may guard a location, and is not understood, closes that location only", () => {
    const { locations, refused } = compile(
      "location /a { no_such on; } location /b { return 200; }",
      "server",
    )
    expect(refused).toMatchObject([{ line: 1, column: 15, mayGuard: false }])
    expect(locations.map(({ isClosed }) => isClosed)).toEqual([true, undefined])
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

describe("what is printed anew", () => {
  test("of a location", () => {
    expect(compile("sub_filter '<a>' \"$host\"; sub_filter_once OFF; gzip_types text/CSS;").text).toEqual([
      { name: "sub_filter", args: ["<a>", "$host"] },
      { name: "sub_filter_once", args: ["off"] },
      { name: "gzip_types", args: ["text/css"] },
    ])
  })

  test("of http, with what it declares for others", () => {
    const { text, declares, refused } = compile(
      `map $host $is_big { default 0; ~^(?<big>.*)$ 1; volatile; } geo $office { default 0; 10.0.0.0/8 1; }
       split_clients "$remote_addr" $side { 50% a; * b; } limit_req_zone $host zone=z:1m rate=1r/s;
       limit_conn_zone $host zone=c:1m; log_format f '$host $is_big'; upstream u { server a:80 weight=2; keepalive 8; }`,
      "http",
    )
    expect(refused).toEqual([])
    expect(declares).toEqual({
      variables: ["is_big", "big", "office", "side"],
      credentials: [],
      requestZones: ["z"],
      connectionZones: ["c"],
      cacheZones: [],
      upstreams: ["u"],
      logFormats: ["f"],
    })
    expect(text[0]).toEqual({
      name: "map",
      args: ["$host", "$is_big"],
      block: [
        { name: "default", args: ["0"] },
        { name: "~^(?<big>.*)$", args: ["1"] },
        { name: "volatile", args: [] },
      ],
    })
    expect(text.at(-1)?.block).toEqual([
      { name: "server", args: ["a:80", "weight=2"] },
      { name: "keepalive", args: ["8"] },
    ])
  })

  test("of stream", () => {
    const { text, refused } = compile(
      "upstream u { server cart.shop:6379; } server { listen 3306; proxy_pass u; proxy_timeout 1h; }",
      "stream",
    )
    expect(refused).toEqual([])
    expect(text[1]?.block?.map(({ name }) => name)).toEqual(["listen", "proxy_pass", "proxy_timeout"])
  })

  test.each([
    ["proxy_pass 127.0.0.1:80;", "cannot be reached"],
    ["proxy_pass localhost:80;", "cannot be reached"],
    ["proxy_pass 169.254.169.254:80;", "cannot be reached"],
    ["proxy_pass unix:/run/x;", "is a socket of this machine"],
    ["proxy_pass mysql;", "no port in upstream"],
  ])("of stream, but not %s", (text, reason) => {
    expect(compile(`server { listen 1; ${text} }`, "stream").refused[0]?.reason).toContain(reason)
  })
})

describe("an auth-snippet", () => {
  test("adds headers and numbers to the question, and nothing else", () => {
    const { script, overrides, refused } = compile(
      "proxy_set_header A $host; proxy_read_timeout 2s; access_log off; add_header B 1;",
      "auth",
    )
    expect(refused).toEqual([])
    expect(script).toEqual({ levels: [{ upstreamHeaders: [{ name: "A", value: "$host" }] }] })
    expect(overrides).toEqual({ proxyReadTimeoutMs: 2000 })
  })

  test.each([
    "return 200;",
    "set $a 1;",
    "location /a { return 200; }",
    "proxy_pass http://cart;",
    "internal;",
  ])("%s closes", (text) => {
    expect(compile(text, "auth").refused).toMatchObject([{ mayGuard: true }])
  })
})

describe("what is refused", () => {
  test.each<[string, string, CompilePlace?]>([
    ["set $a 1;\n  set $b $hots;", '2:3 set: unknown "hots" variable, did you mean $host'],
    ["add_header A;", '1:1 add_header: invalid number of arguments in "add_header" directive'],
    ["gzip maybe;", '1:1 gzip: invalid value "maybe", it must be "on" or "off"'],
    ["gzip on; gzip off;", '1:10 gzip: "gzip" directive is duplicate'],
    ["gzip_vary on { }", '1:1 gzip_vary: directive "gzip_vary" is not terminated by ";"'],
    ["location /a;", '1:1 location: directive "location" has no opening "{"'],
    ["listen 80;", '1:1 listen: "listen" directive is not allowed here'],
    ["if ($host = a) { if ($host = b) { break; } }", '1:18 if: "if" directive is not allowed here'],
    ["if (-f $uri) { break; }", "1:1 if: it asks for files, and this nginx has none"],
    ["if (a = b) { break; }", '1:1 if: invalid condition "a"'],
    ["rewrite ( /a;", '1:1 rewrite: the parentheses of the pattern "(" do not match'],
    ["set a 1;", '1:1 set: invalid variable name "a", write $name'],
    ["set $a $;", "1:1 set: invalid variable name"],
    ["return abc;", '1:1 return: invalid return code "abc"'],
    ["return 1000;", '1:1 return: invalid return code "1000"'],
    [
      "return 103 a;",
      "1:1 return: a status below 200 is no answer, so that the body would be one to another request",
    ],
    [
      "error_page 404 =100 /a;",
      "1:1 error_page: a status below 200 is no answer, so that the body would be one to another request",
    ],
    [
      "add_trailer Content-Length 3;",
      '1:1 add_trailer: "Content-Length" says where a message ends or whom it is for, before it begins',
    ],
    ["proxy_set_header Upgrade h2c;", "1:1 proxy_set_header: HTTP/2 behind an upgrade is past all checks"],
    ["proxy_set_header upgrade $arg_a;", "1:1 proxy_set_header: HTTP/2 behind an upgrade is past all checks"],
    ["client_body_in_file_only on;", "1:1 client_body_in_file_only: nobody removes the files"],
    [
      "proxy_redirect / $http_cookie;",
      '1:1 proxy_redirect: "$http_cookie" may hold passwords or sessions, which others would see here',
    ],
    ['proxy_redirect "~(a\t)" /;', "1:1 proxy_redirect: the pattern has a control character"],
    [
      "proxy_cookie_domain ~*a b;",
      "1:1 proxy_cookie_domain: a quantifier of the pattern has nothing to repeat",
    ],
    ["proxy_cookie_flags a;", "1:1 proxy_cookie_flags: it names no flag"],
    ["proxy_cookie_flags a secure nosecure;", "1:1 proxy_cookie_flags: it says two things about one flag"],
    [
      "proxy_cookie_flags a $arg_flag;",
      '1:1 proxy_cookie_flags: invalid value "$arg_flag", write secure, nosecure, httponly, nohttponly, nosamesite, samesite=strict, samesite=lax or samesite=none',
    ],
    ["error_page 404 @$arg_a;", "1:1 error_page: the name of a location has no variables"],
    ["location @a { return 200; }", '1:1 location: named location "a" can be on the server level only'],
    [
      "location /a { location @a { return 200; } }",
      '1:15 location: named location "a" can be on the server level only',
      "server",
    ],
    [
      "modsecurity on;",
      "1:1 modsecurity: rules of ModSecurity are those of all paths of an Ingress, or of all Ingresses",
      "server",
    ],
    [
      "location /a { modsecurity off; }",
      "1:15 modsecurity: rules of ModSecurity are those of all paths of an Ingress, or of all Ingresses",
    ],
    [
      `modsecurity_rules 'SecRule ARGS "@pmFromFile /etc/passwd" "id:1"';`,
      '1:1 modsecurity_rules: its rules: in line 1, "SecRule": operator @pmFromFile: it reads a file of nginx\'s machine, or asks another one; write the words themselves behind @pm',
    ],
    [
      "modsecurity_rules_file /etc/passwd;",
      '1:1 modsecurity_rules_file: its rules: in line 1, "Include": it reads a file of nginx\'s machine; there are /etc/nginx/modsecurity/modsecurity.conf and /etc/nginx/owasp-modsecurity-crs/nginx-modsecurity.conf; write what stands in that file',
    ],
    [
      "modsecurity_rules_remote k https://a/;",
      "1:1 modsecurity_rules_remote: it reads rules from another machine",
    ],
    ["access_log off always;", '1:1 access_log: invalid parameter "always"'],
    ["proxy_redirect default;", '1:1 proxy_redirect: invalid parameter "default"'],
    ["proxy_cookie_path /a;", '1:1 proxy_cookie_path: invalid parameter "/a"'],
    ["more_clear_headers *;", "1:1 more_clear_headers: wildcard key too short: *"],
    ["more_set_headers 'a b: c';", '1:1 more_set_headers: "a b" is no name of a header'],
    ["rewrite a '';", "1:1 rewrite: empty replacement"],
    ["rewrite *a /b;", '1:1 rewrite: a quantifier of the pattern "*a" has nothing to repeat'],
    [
      "auth_request_set $host a;",
      "1:1 auth_request_set: $host says what serves the request, and is not changed",
    ],
    ["error_page 200 /a;", "1:1 error_page: its statuses must be between 300 and 599"],
    ["add_header A 'b\nc';", '1:1 add_header: "b\\nc" has a control character'],
    ["root /;", "1:1 root: it serves files, and this nginx has none"],
    ["proxy_pass http://cart;", "1:1 proxy_pass: the Ingress names the backend of this path"],
    [
      "content_by_lua_block { ngx.say('}') }",
      "1:1 content_by_lua_block: it runs Lua, which does not exist here",
    ],
    ["location /x { location /y { break; } }", '1:15 location: location "/y" is outside location "/x"'],
    ["location /x { break; } location ^~ /x { break; }", '1:24 location: duplicate location "/x"'],
    ["deny 10.0.0.0/33;", '1:1 deny: invalid parameter "10.0.0.0/33", write an address or a network'],
    ["set $uri /a;", "1:1 set: $uri says what serves the request, and is not changed"],
    ["a {", '1:4 : it cannot be read: unexpected "end"'],
  ])("%s", (text, expected, place) => {
    expect(refused(text, place)).toEqual([expected])
  })

  test("says what to write instead", () => {
    const instead = (text: string, place?: CompilePlace) => compile(text, place).refused[0]?.instead
    expect(instead("limit_req_zone $host zone=z:1m rate=1r/s;")).toBe('ConfigMap key "http-snippet"')
    expect(instead("ssl_ciphers A;")).toBe('annotation "server-snippet"')
    expect(instead("limit_except GET { deny all; }", "server")).toBe("a location block")
    expect(instead("http { }")).toBeUndefined()
    expect(instead("no_such on;")).toBeUndefined()
    expect(instead("add_heder A b;")).toBe('"add_header", if that is meant')
    expect(instead("auth_basic_user_file /a;")).toBe('annotations "auth-type" and "auth-secret"')
  })

  test("nothing of what all share, in any spelling", () => {
    const says =
      "proxy_set_header Upgrade websocket; proxy_set_header Upgrade $http_upgrade; add_trailer X-A b;"
    expect(compile(`${says} proxy_redirect ~(a) $1; client_body_in_file_only clean;`).refused).toEqual([])
    const tls = "ssl_session_cache shared:a:1m; ssl_early_data on; ssl_stapling_responder http://a/;"
    expect(compile(tls, "server")).toMatchObject({ text: [], raw: [{}, {}, {}], refused: [] })
  })

  test("keys of caches begin with the namespace of who says them", () => {
    const cacheZones = new Set(["z"])
    const keys = (text: string, place?: CompilePlace, more = {}) =>
      compile(text, place, { namespace: "shop", cacheZones, ...more }).text.filter(({ name }) =>
        /_key$/.test(name),
      )
    const key = (value: string, of = "proxy") => ({ name: `${of}_cache_key`, args: [value] })
    expect(keys("proxy_cache z; proxy_cache_key $host;")).toEqual([key("shop/$host")])
    expect(keys("proxy_cache_key a;", "server")).toEqual([key("shop/a")])
    expect(keys("fastcgi_cache z;")).toEqual([key("shop/$scheme://$host$request_uri", "fastcgi")])
    expect(keys("proxy_cache off; gzip on;")).toEqual([])
    expect(keys("proxy_cache_key a;", "http")).toEqual([key("a")])
    const { locations } = compile("proxy_cache_key a; location /a { proxy_cache z; }", "server", {
      namespace: "shop",
      cacheZones,
    })
    expect(locations[0]?.text).toContainEqual(key("shop/a"))
  })

  test("closes if it may keep requests out", () => {
    const guards = (text: string, place: CompilePlace = "location") =>
      compile(text, place).refused.map(({ mayGuard }) => mayGuard)
    expect(guards("deny nobody; no_such on; if (a) { } return; a {")).toEqual([true])
    expect(guards("deny nobody; no_such on; if (a) { } return;")).toEqual([true, true, true, true])
    expect(guards("add_header A; proxy_read_timeout never; gzip maybe;")).toEqual([false, false, false])
  })

  test("too many steps close", () => {
    expect(compile("set $a 1; ".repeat(257)).refused).toMatchObject([{ mayGuard: true }])
    expect(compile("set $a 1; ".repeat(255)).refused).toEqual([])
    expect(compile("deny 10.0.0.1; ".repeat(1025)).refused).toMatchObject([{ mayGuard: true }])
    expect(compile("add_header A 1; ".repeat(257)).refused).toMatchObject([{ mayGuard: true }])
  })
})

describe("what proves who a client is", () => {
  const fault = (text: string, place: CompilePlace = "location") =>
    compile(text, place, { isVariable: () => true }).refused.map(({ directive }) => directive)

  test.each([
    "proxy_set_header A $http_authorization;",
    "more_set_input_headers 'A: $cookie_a';",
    "set $a $http_cookie; proxy_set_header B $a;",
    "if ($http_cookie ~ (a)) { return 403; } if ($uri ~ ^/(b)) { return 301 https://other.test/$1; }",
    "add_header Set-Cookie a=$cookie_a; return 200 $cookie_a;",
    "return 302 /$cookie_lang$uri;",
    "return 302 https://$host/?$cookie_a;",
    "rewrite ^ /$cookie_lang$uri last;",
  ])("goes to the backend and to the client: %s", (text) => {
    expect(fault(text)).toEqual([])
  })

  test.each([
    ["return", "return 302 https://other.test/?$http_cookie;"],
    ["return", "return https://other.test/?$http_cookie;"],
    ["return", "return 302 //other.test/?$http_cookie;"],
    ["return", "return 302 $arg_to?$http_cookie;"],
    ["return", "return 302 https://$host.other.test/?$http_cookie;"],
    ["return", "set $a x$cookie_a; set $b $A; return 302 https://other.test/$b;"],
    ["return", "return 302 https://other.test/$b; set $b $a; set $a $http_authorization;"],
    ["return", "if ($http_cookie ~ a=(.*)) { return 302 https://other.test/$1; }"],
    ["return", "if ($http_cookie ~ a=(.*)) { set $a $1; } return 302 https://other.test/$a;"],
    ["return", "if ($http_cookie ~ a=(?<Name>.*)) { break; } return 302 https://other.test/$name;"],
    ["rewrite", "rewrite ^ http://other.test/?$http_cookie;"],
    ["rewrite", "if ($host) { rewrite ^(x) /$1; } rewrite ^ $scheme://other.test/$cookie_a permanent;"],
    ["error_page", "error_page 403 = https://other.test/?c=$http_cookie;"],
    ["error_page", "error_page 403 = https://other.test/$1; if ($cookie_a ~ (.*)) { break; }"],
    ["return", "auth_request_set $a $upstream_http_set_cookie; return 302 https://other.test/$a;"],
  ])("goes to no other host: %s in %s", (directive, text) => {
    expect(fault(text)).toEqual([directive])
  })

  test("is found at the end of any chain", () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, nth) => `set $a${nth} $a${nth + 1};`).join(" ")
    const text = (length: number) =>
      `${chain(length)} set $a${length} $http_cookie; return 302 https://a.test/$a0;`
    expect(fault(text(12))).toEqual(["return"])
    expect(fault(text(200))).toEqual(["return"])
  })

  test("goes into no log", () => {
    expect(fault("log_format a '$host $http_authorization';", "http")).toEqual(["log_format"])
  })

  test("nor by another snippet", () => {
    const { declares } = compile("map $http_cookie $who { default $http_authorization; }", "http", {
      isVariable: () => true,
    })
    expect(declares.credentials).toEqual(["who"])
    const credentials = new Set(declares.credentials)
    const { refused } = compile("return 302 https://a.test/$who;", "location", {
      isVariable: () => true,
      credentials,
    })
    expect(refused).toHaveLength(1)
  })
})

test("each directive has a verdict, in the order of the text", () => {
  const text = "add_header A 1;\ngzip on;\nroot /; location /a {\n return 200; }"
  expect(compile(text).directives.map(({ line, name, becomes }) => `${line} ${name} ${becomes}`)).toEqual([
    ...["1 add_header data", "2 gzip typed", "3 root refused", "3 location data", "4 return data"],
  ])
})

test("what is only text is kept apart, with whether it may keep requests out where it is not allowed", () => {
  const { raw, refused } = compile("server { listen 80; return 403; } server { listen 2443; }", "http")
  expect(refused).toEqual([])
  expect(raw.map(({ directive, mayGuard }) => [directive, mayGuard])).toEqual([
    ["server", true],
    ["server", false],
  ])
})

test("what is in force around the snippet is no change", () => {
  expect(compile("server_tokens off;").text).toEqual([])
  expect(compile("server_tokens off;", "location", { around: new Map() }).text).toHaveLength(1)
})

test("a location inside of a server has nothing of it that only a server can say", () => {
  const text =
    "large_client_header_buffers 4 32k; gzip_vary on; location /x { return 204; location /x/y { return 204; } }"
  const { text: ofServer, locations } = compile(text, "server")
  expect(ofServer.map(({ name }) => name)).toEqual(["large_client_header_buffers", "gzip_vary"])
  const inside = [locations[0], locations[0]?.locations[0]].map((it) => it?.text.map(({ name }) => name))
  expect(inside).toEqual([["gzip_vary"], ["gzip_vary"]])
})

test.each(["constructor", "__proto__", "toString"])("%s is a header's name as any other", (name) => {
  const { script, refused } = compile(`more_clear_headers ${name};`)
  expect(script?.levels?.[0]?.responseHeaders).toEqual([{ op: "clear", name }])
  expect(refused).toEqual([])
})

test("an empty type is one: answers have none", () => {
  const { script, refused } = compile('default_type "";')
  expect(script?.levels?.[0]?.defaultType).toBe("")
  expect(refused).toEqual([])
})
