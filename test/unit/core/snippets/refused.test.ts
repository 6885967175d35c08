import { describe, expect, test } from "vitest"
import type { CompilePlace } from "../../../../controller/core/snippets/scope.ts"
import { compile, refused } from "./compiling.ts"

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

describe("what is refused brings no name", () => {
  const guard = "if ($a = 1) { return 403; }"

  test.each([
    ["set $a $unknown;", "location"],
    ["auth_request_set $a $unknown;", "location"],
    ["if ($http_x) { set $a $unknown; }", "location"],
    ["set $a $b; set $b $c; set $c $unknown;", "location"],
    ["map $unknown $a { default 1; }", "http"],
    ["geo $a { default 1; include /etc/passwd; }", "http"],
    ["split_clients $unknown $a { * 1; }", "http"],
  ] as const)("%s", (text, place) => {
    const { refused, declares } = compile(place === "http" ? text : `${text} ${guard}`, place)
    expect(declares.variables).not.toContain("a")
    expect(refused.some(({ directive, mayGuard }) => directive === "if" && mayGuard)).toBe(place !== "http")
  })

  test("nor a zone", () => {
    const { declares } = compile(
      "limit_req_zone $unknown zone=a:1m rate=1r/s; limit_conn_zone $unknown zone=b:1m;",
      "http",
    )
    expect([declares.requestZones, declares.connectionZones]).toEqual([[], []])
  })

  test("unless it is brought elsewhere, too", () => {
    const { refused, declares } = compile(`set $a $unknown; set $a 1; ${guard}`)
    expect(declares.variables).toContain("a")
    expect(refused.map(({ directive }) => directive)).toEqual(["set"])
  })

  test("however many wait for each other", () => {
    const chain = Array.from({ length: 500 }, (_, nth) => `set $v${nth} $v${nth + 1};`).join(" ")
    const { refused, declares } = compile(`${chain} if ($v0 = 1) { return 403; }`)
    expect(declares.variables).toEqual([])
    expect(refused.at(-1)).toMatchObject({ directive: "if", mayGuard: true })
  })
})

test("a location whose guard is refused closes those inside of it", () => {
  const text =
    "location /a/ { access_by_lua_block { x } location /a/in/ { location /a/in/in/ { return 200; } } } location /b/ { return 200; }"
  const { locations } = compile(text, "server")
  const closed = (all: typeof locations): unknown =>
    all.map(({ isClosed, locations }) => [isClosed, closed(locations)])
  expect(closed(locations)).toEqual([
    [true, [[true, [[true, []]]]]],
    [undefined, []],
  ])
})
