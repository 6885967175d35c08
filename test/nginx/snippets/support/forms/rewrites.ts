// Other paths, arguments and backends.
import type { SnippetCase } from "../case.ts"
import { get, prefix } from "./ask.ts"

export const rewrites: readonly SnippetCase[] = [
  {
    name: "sub-path of an application",
    paths: prefix("/app"),
    location: `rewrite ^/app/(.*)$ /$1 break;\nrewrite ^/app$ / break;`,
    requests: ["/app", "/app/", "/app/a/b?c=d", "/application", "/", "/app/a%20b", "/app//x"].map((it) =>
      get(it),
    ),
  },
  {
    name: "double slashes",
    location: `rewrite "(?i)///(.*)" /$1 break;\nrewrite "(?i)//$" / break;`,
    requests: ["/", "//", "///a", "/a//", "/a///b?x=//"].map((target) => get(target)),
  },
  {
    name: "registry",
    location: `
rewrite ^/(v2)/token ZHVtbXk=;
rewrite ^/(v2)/([^\\/]*)/(.*) /artifactory/api/docker/$2/$1/$3;`,
    requests: ["/v2/", "/v2/repo/manifests/1", "/v2/token", "/v2/a/b/c?x=y", "/v1/x"].map((target) =>
      get(target),
    ),
  },
  {
    name: "versions of an API",
    server: `rewrite ^/api/v1/(.*)$ /api/v2/$1 last;`,
    paths: prefix("/", "/api/v1", "/api/v2"),
    location: `add_header X-Path $location_path;`,
    requests: ["/api/v1/users?x=1", "/api/v2/users", "/api/v1", "/other"].map((target) => get(target)),
  },
  {
    name: "mobile site",
    location: `
set $mobile "";
if ($http_user_agent ~* "(iphone|android)") { set $mobile "/m"; }
if ($cookie_desktop) { set $mobile ""; }
rewrite ^(.*)$ $mobile$1 break;`,
    requests: [
      get("/a"),
      get("/a?b", { "User-Agent": "iPhone" }),
      get("/a", { "User-Agent": "Android", Cookie: "desktop=1" }),
      get("/a", { "User-Agent": "Android", Cookie: "desktop=0" }),
    ],
  },
  {
    name: "arguments added and dropped",
    location: `
if ($args ~ "^(.*)&?utm_source=[^&]*(.*)$") { set $args "$1$2"; }
if ($arg_lang = "") { set $args "$args&lang=en"; }`,
    requests: ["/", "/?a=1&utm_source=x&b=2", "/?utm_source=x", "/?lang=de"].map((target) => get(target)),
  },
  {
    name: "another Service for some paths",
    server: `
location ^~ /assets/ {
  rewrite ^/assets/(.*)$ /static/$1 break;
  proxy_pass http://app.demo.svc.cluster.local;
  proxy_set_header Host $host;
  add_header Cache-Control "public, max-age=31536000, immutable" always;
}`,
    requests: [
      get("/assets/a.js?v=1"),
      get("/assets"),
      get("/assets/x", { "X-A": "1" }, { status: 404 }),
      get("/a"),
    ],
  },
  {
    name: "headers of the request change before it is led on",
    server: `location = /in { more_clear_input_headers X-A; more_set_input_headers "X-B: in"; rewrite ^ /out; }`,
    requests: [get("/in", { "X-A": "1", "X-B": "1" })],
  },
  {
    name: "a circle",
    location: "rewrite ^/(.*)$ /x$1 last; add_header X-New 1 always; error_page 500 =200 /fine;",
    requests: [get("/")],
  },
]
