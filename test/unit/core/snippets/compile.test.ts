import { describe, expect, test } from "vitest"
import { compile, refused } from "./compiling.ts"

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
    for (const it of ["10.1.2.3", "::ffff:10.1.2.3", "1.1.1.1", "172.32.0.1", "110.0.0.1", "8.8.8.8", "::1"])
      expect(isRefused(it), it).toBe(true)
    for (const it of ["10.1.2.4", "::ffff:10.1.2.4", "10.255.0.1", "172.16.0.1", "172.31.255.255"])
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
