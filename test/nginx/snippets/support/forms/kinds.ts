// All kinds of answers, locations and conditions.
import type { SnippetCase } from "../case.ts"
import { answered, by, from, get } from "./ask.ts"

export const kinds: readonly SnippetCase[] = [
  {
    name: "return before deny",
    location: `deny all; if ($arg_ok) { return 200 "ok"; } if ($arg_go) { return 302 /x; }`,
    requests: ["/", "/?ok=1", "/?go=1"].map((it) => get(it)),
  },
  {
    name: "deny of the host and of a location",
    server: `
deny 127.0.0.2;
location /open { allow all; return 200 "never asked"; }
location /half { allow 127.0.0.2; deny all; proxy_pass http://app.demo.svc.cluster.local; }`,
    requests: ["/", "/open", "/half"].flatMap((target) => [
      from("127.0.0.1", target),
      from("127.0.0.2", target),
    ]),
  },
  {
    name: "deny of host and path",
    server: `deny 127.0.0.2;`,
    location: `deny 127.0.0.5;`,
    requests: ["127.0.0.1", "127.0.0.2", "127.0.0.5"].map((address) => from(address)),
  },
  {
    name: "error pages of errors only here",
    location: `
error_page 403 404 /error?code=$status;
error_page 500 =200 /fine;
if ($arg_deny) { return 403; }
if ($arg_not) { return 404; }`,
    requests: [get("/?deny=1"), get("/?not=1"), get("/", {}, { status: 404 }), by("POST", "/?deny=1")],
  },
  {
    name: "error pages that err",
    server: `
error_page 403 /forbidden;
location = /forbidden { return 403 "twice"; }
location /deny { deny all; }
location /recursive { return 404; error_page 404 /recursive/x; }`,
    requests: ["/deny", "/forbidden", "/recursive", "/"].map((target) => get(target)),
  },
  {
    name: "kinds of return",
    server: `
location = /r1 { return 301 /other; }
location = /r2 { return 302 "other path"; }
location = /r3 { return 307 http://x.test; }
location = /r4 { return https://y.test/$arg_q; }
location = /r5 { return 404 "body $arg_q"; }
location = /r6 { return 204 "no body"; }
location = /r7 { return 303 $scheme://$host$uri; }
location = /r8 { return 200 ""; }
location = /r9 { return 400; }
location = /r10 { return 444; }
location = /r11 { return 500; add_header X-A 1; add_header X-B 1 always; }
location = /r12 { return 308 //double; }
location = /r13 { return 499 x; }
location = /r14 { return 666 devil; }
location = /r15 { return 404 ""; }
location = /r16 { return 404 "$arg_none"; }`,
    requests: Array.from({ length: 16 }, (_, index) => `/r${index + 1}`).flatMap((target) => [
      get(`${target}?q=a%20b`),
      by("HEAD", target),
      by("POST", target),
    ]),
  },
  {
    name: "types of what return says",
    server: `
location /t1 { return 200 "x"; }
location /t2 { default_type text/plain; return 200 "x"; }
location /t3 { default_type ""; return 200 "x"; }
location /t4 { add_header Content-Type text/y; return 200 "x"; }
location /t5 { more_set_headers "Content-Type: text/z"; return 200 "x"; }
location /t6 { default_type application/json; return 301 /x; }`,
    requests: [1, 2, 3, 4, 5, 6].flatMap((n) => [get(`/t${n}`), get(`/t${n}/x.json`), get(`/t${n}.css`)]),
  },
  {
    name: "lengths and places by headers-more",
    server: `
location /n1 { more_set_headers "Content-Length: 0"; return 204; }
location /n2 { more_set_headers "Location: /here"; return 200 "x"; }
location /n3 { more_set_headers "Location: here"; return 204; }`,
    location: `more_set_headers "Location: /there";`,
    requests: [
      ...[1, 2, 3].map((n) => get(`/n${n}`)),
      answered(204),
      answered(302, ["Location", "https://elsewhere.test/"]),
    ],
  },
  {
    name: "headers of what a host answers",
    server: `
add_header X-Server 1;
add_header X-Always 1 always;
more_set_headers "X-More: 1";
default_type text/plain;
if ($arg_to = here) { return 200 "here"; }
if ($arg_to = nowhere) { return 404; }
if ($arg_to) { return 301 https://$arg_to/; }`,
    requests: ["/", "/?to=here", "/a.css?to=here", "/?to=nowhere", "/?to=elsewhere.test"].map((target) =>
      get(target),
    ),
  },
  {
    name: "which location",
    server: `
location = /e { return 200 "exact"; }
location /e { return 200 "prefix"; }
location ^~ /e/final { return 200 "final"; }
location ~ ^/e/(\\d+)$ { return 200 "pattern $1"; }
location ~* /E/X { return 200 "any case"; }
location ~ /e/x { return 200 "second pattern"; }
location /e/long { return 200 "longer"; }
location /e/long/ { location ~ y$ { return 200 "nested"; } return 200 "longest"; }`,
    requests: [
      ...[
        "/e",
        "/e/",
        "/ex",
        "/e/final",
        "/e/final1/5",
        "/e/1",
        "/e/12x",
        "/E/x",
        "/e/x",
        "/e/long",
        "/e/long/y",
      ],
      ...["/e/long/1", "/e/long/e/x", "/E", "//e", "/%65", "/z"],
    ].map((target) => get(target)),
  },
  {
    name: "conditions",
    location: `
set $r "";
if ($arg_a) { set $r "\${r}1"; }
if ($arg_a = "") { set $r "\${r}2"; }
if ($arg_a != "x") { set $r "\${r}3"; }
if ($arg_a ~ "^X") { set $r "\${r}4"; }
if ($arg_a ~* "^X") { set $r "\${r}5"; }
if ($arg_a !~ "x") { set $r "\${r}6"; }
if ($arg_a !~* "X") { set $r "\${r}7"; }
if ($arg_a = $arg_b) { set $r "\${r}8"; }
return 200 "$r";`,
    requests: [
      "",
      "?a",
      "?a=",
      "?a=0",
      "?a=00",
      "?a=x",
      "?a=X",
      "?a=xy&b=xy",
      "?a=%78",
      "?a=0&b=0",
      "?A=x",
    ].map((it) => get(`/${it}`)),
  },
  {
    name: "targets that are escaped",
    location: `
rewrite ^/enc/(.*)$ "/x $1" break;
rewrite ^/arg/(.*)$ /y?p=$1 break;
rewrite ^/url/(.*)$ https://u.test/$1 redirect;
rewrite ^/path/(.*)$ /z/$1 permanent;
rewrite ^/drop/(.*)$ /w/$1? redirect;
rewrite ^/quest(.*)$ /v? break;`,
    requests: ["/enc", "/arg", "/url", "/path", "/drop", "/quest"].flatMap((path) =>
      ["/a%20b?c=d%20e", "/a%3Fb", "/%C3%A9", "/a+b&c", "/a%2Fb", "/%25"].map((rest) => get(path + rest)),
    ),
  },
  {
    name: "a pattern inside of a location",
    server: "location /in { location ~ x$ { return 403; } return 404; }",
    requests: ["/out/x", "/in/x", "/in/y", "/inx"].map((target) => get(target)),
  },
]
