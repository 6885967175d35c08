import { describe, expect, test } from "vitest"
import { guardIn } from "../../../../controller/core/snippets/guards.ts"
import type { SnippetPlace } from "../../../../controller/core/snippets/harmless.ts"

const places: readonly SnippetPlace[] = ["http", "server", "location", "auth"]

describe("may keep requests out", () => {
  test.each([
    ["deny all;", "deny"],
    ["allow 10.0.0.0/8;", "allow"],
    ["more_set_headers 'A: b';\nreturn 403;", "return"],
    ["return 301 https://other.test$request_uri;", "return"],
    ["error_page 404 /404.html;", "error_page"],
    ["auth_basic 'Staff';", "auth_basic"],
    ["auth_request /verify;", "auth_request"],
    ["limit_req zone=a;", "limit_req"],
    ["limit_conn a 1;", "limit_conn"],
    ["limit_except GET { deny all; }", "limit_except"],
    ["if ($http_a) { set $b 1; }", "if"],
    ["satisfy any;", "satisfy"],
    ["ssl_verify_client on;", "ssl_verify_client"],
    ["valid_referers none;", "valid_referers"],
    ["internal;", "internal"],
    ["location /x { proxy_set_header A b; }", "location"],
    ["rewrite ^/private / last;", "rewrite"],
    ["modsecurity on;", "modsecurity"],
    ["access_by_lua_file /x.lua;", "access_by_lua_file"],
    ["access_by_lua_block { if ngx.var.x == '}' then ngx.exit(403) end }", "access_by_lua_block"],
    ["include /etc/x;", "include"],
    ["set_real_ip_from 10.0.0.0/8;", "set_real_ip_from"],
    ["no_such_directive on;", "no_such_directive"],
    ["DENY all;", "DENY"],
    ['"deny" all;', "deny"],
    ["d\\eny all;", "d\\\\eny"],
    ["add_header A b { deny all; }", "add_header"],
  ])("%s", (text, name) => {
    for (const place of places) expect(guardIn(text, place), place).toMatch(/^directive "|it cannot/)
    expect(guardIn(text, "location")).toContain(`"${name}"`)
  })

  test.each([
    ["what does not end", "more_set_headers A:b", "the text ends in a word"],
    ["what ends too early", "set $a b; } location / { set $a b; ", 'unexpected "}"'],
    ["a quote without an end", 'add_header A "b;', "a quote has no end in line 1"],
    ["text that is none", "deny all", "the text ends in a word"],
    ["blocks without an end", "a{".repeat(10_000), "too many blocks"],
  ])("%s", (_, text, why) => {
    expect(guardIn(text, "location")).toContain(why)
  })

  test("headers of what an authentication service is asked", () => {
    expect(guardIn("proxy_set_header X-Group admins;", "auth")).toContain("proxy_set_header")
    expect(guardIn("proxy_set_header X-Group admins;", "location")).toBeUndefined()
  })

  test("servers on the ports of routes", () => {
    const server = (listen: string) => guardIn(`server { ${listen} return 308 https://$host; }`, "http")
    for (const listen of [
      "",
      "listen 80;",
      "listen [::]:443 ssl;",
      "listen 10.0.0.1;",
      "listen 2443; listen 80;",
    ])
      expect(server(listen), listen).toBe('directive "server"')
    for (const listen of ["listen 2443;", "listen [::]:2443 proxy_protocol;", "listen unix:/tmp/a;"])
      expect(server(listen), listen).toBeUndefined()
  })
})

describe("only adds or changes something", () => {
  test.each<[SnippetPlace, string]>([
    ["location", "more_set_headers 'X-Frame-Options: DENY';"],
    ["location", '# deny all;\nproxy_set_header X-A "return 403;";'],
    ["location", "proxy_buffers 8 16k; proxy_read_timeout 5s; access_log off;"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: nginx's own
    ["location", "set $x ${host}deny; sub_filter 'a' 'b';"],
    ["server", "client_header_buffer_size 8k; gzip on; types { text/plain deny; }"],
    ["http", "map $http_a $b { default deny; } limit_req_zone $b zone=a:1m rate=1r/s; log_format x '$b';"],
    ["auth", "proxy_read_timeout 5s; access_log off;"],
    ["location", ""],
  ])("%s: %s", (place, text) => {
    expect(guardIn(text, place)).toBeUndefined()
  })
})
