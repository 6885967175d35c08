// The order in which nginx runs rewrite directives, and what they leave for each other.
import type { SnippetCase } from "../case.ts"
import { by, get, prefix } from "./ask.ts"

const all = ["/", "/a", "/b", "/a/b?x=1"].map((target) => get(target))

export const order: readonly SnippetCase[] = [
  {
    name: "what follows an if that holds is still run",
    location: `
set $seen "";
if ($arg_a) { set $seen "\${seen}a"; }
if ($arg_b) { set $seen "\${seen}b"; break; }
set $seen "\${seen}c";
add_header X-Seen $seen;`,
    requests: ["/", "/?a=1", "/?b=1", "/?a=1&b=1"].map((it) => get(it)),
  },
  {
    name: "break ends the level, not the other one",
    server: `set $s 1; break; set $s 2;`,
    location: `set $l 1; if ($arg_stop) { break; } set $l 2; add_header X-S $s; add_header X-L $l;`,
    requests: ["/", "/?stop=1"].map((it) => get(it)),
  },
  {
    name: "captures last until the next pattern matches",
    location: `
set $a ""; set $b ""; set $c "";
if ($uri ~ "^/(\\w)/(\\w)$") { set $a $1; }
if ($arg_x ~ "^(\\d)$") { set $b "$1$2"; }
if ($arg_y ~ "^(q)(w)?") { set $c "$1-$2"; }
add_header X-A "$a"; add_header X-B "$b"; add_header X-C "$c"; add_header X-Now "$1|$2";`,
    requests: ["/a/b", "/a/b?x=1", "/a/b?x=z", "/a/b?x=1&y=q", "/a/b?y=qw", "/"].map((it) => get(it)),
  },
  {
    name: "captures of a rewrite in later headers",
    location: `
rewrite ^/a/(?<name>[^/]+)/(.*)$ /$2 break;
proxy_set_header X-Name "$name";
proxy_set_header X-Second "$2";`,
    requests: ["/a/b/c", "/a/b/c?d", "/a"].map((it) => get(it)),
  },
  {
    name: "variables of the server in another location",
    server: `
set $who "server";
if ($http_x_who) { set $who $http_x_who; }
location = /who { return 200 "$who|$never"; }`,
    location: `set $never "in the other"; add_header X-Who $who; add_header X-Never $never;`,
    requests: [get("/who"), get("/who", { "X-Who": "me" }), get("/", { "X-Who": "me" }), get("/")],
  },
  {
    name: "an internal redirect keeps variables",
    server: `location = /done { return 200 "$step|$uri|$request_uri|$args"; }`,
    location: `
set $step "\${step}x";
if ($uri = /a) { set $step "\${step}a"; rewrite ^ /b last; }
if ($uri = /b) { set $step "\${step}b"; rewrite ^ /done?more=1 last; }`,
    requests: [get("/a"), get("/b"), get("/a?q=1"), get("/c")],
  },
  {
    name: "a rewrite without flag goes on and looks again",
    location: `
rewrite ^/a$ /b;
rewrite ^/b$ /c;
add_header X-Uri $uri;`,
    requests: all,
  },
  {
    name: "break after a rewrite does not look again",
    paths: prefix("/", "/c"),
    server: `location = /b { return 200 "b"; }`,
    location: `
if ($uri = /a) { rewrite ^ /b; break; }
add_header X-Path $location_path;`,
    requests: [...all, get("/c")],
  },
  {
    name: "rewrites in a circle",
    location: `rewrite ^/(.*)$ /x$1 last;`,
    requests: [get("/"), get("/a"), by("HEAD", "/")],
  },
  {
    name: "server rewrites are run once",
    server: `rewrite ^/a(.*)$ /b$1; rewrite ^/b(.*)$ /c$1; if ($uri ~ ^/c) { set $c yes; }`,
    location: `add_header X-C $c; add_header X-Uri $uri;`,
    requests: all,
  },
  {
    name: "arguments changed",
    location: `
set $args "$args&more=1";
if ($arg_more) { add_header X-More "$arg_more|$is_args|$query_string"; }
if ($arg_drop) { set $args ""; }`,
    requests: ["/", "/?a=1", "/?drop=1", "/?more=0"].map((it) => get(it)),
  },
]
