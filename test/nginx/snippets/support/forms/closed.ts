// What keeps requests out.
import type { SnippetCase } from "../case.ts"
import { by, from, get } from "./ask.ts"

export const closed: readonly SnippetCase[] = [
  {
    name: "block by user agent",
    server: `
if ($http_user_agent ~* "(curl|bot|spider)") { return 403; }
if ($http_user_agent = "") { return 444; }`,
    requests: [
      get("/"),
      ...["curl/8", "GoogleBOT", "Mozilla/5.0"].map((agent) => get("/", { "User-Agent": agent })),
    ],
  },
  {
    name: "secret header",
    location: `if ($http_x_secret != "s3cret") { return 401 "no"; }`,
    requests: [get("/"), get("/", { "X-Secret": "s3cret" }), get("/", { "X-Secret": "S3cret" })],
  },
  {
    name: "deny addresses",
    server: `deny 127.0.0.2; deny 203.0.113.0/24;`,
    requests: [from("127.0.0.1"), from("127.0.0.2"), from("127.0.0.2", "/x")],
  },
  {
    name: "allow addresses",
    location: `allow 127.0.0.2; allow 127.0.0.8/30; deny all;`,
    requests: ["127.0.0.1", "127.0.0.2", "127.0.0.9", "127.0.0.12"].map((address) => from(address)),
  },
  {
    name: "read only",
    location: `limit_except GET { deny all; }`,
    requests: ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"].map((method) => by(method)),
  },
  {
    name: "methods by if",
    location: `if ($request_method !~ ^(GET|HEAD|POST)$) { return 405; }`,
    requests: ["GET", "HEAD", "POST", "PUT", "DELETE"].map((method) => by(method)),
  },
  {
    name: "actuator and metrics",
    server: `
location ~* ^/(actuator|metrics) { deny all; }
location /internal { return 404; }
location ^~ /private/ { allow 127.0.0.2; deny all; return 200 "private"; }`,
    requests: [
      ...[
        "/",
        "/metrics",
        "/METRICS/x",
        "/metricsx",
        "/actuator/health",
        "/internal",
        "/internals",
        "/private/x",
      ],
      ...["/x/metrics", "/private", "//metrics", "/%6detrics"],
    ].map((target) => get(target)),
  },
  {
    name: "internal, and what is inside of it",
    server: `
location /i/ { internal; location /i/in/ { return 200 "in"; } location ~ x$ { return 200 "x"; } return 200 "i"; }
location /m/ { limit_except GET { allow 127.0.0.0/8; deny all; } internal; return 200 "m"; }
location /lead { error_page 403 /i/in/a; return 403; }`,
    requests: [
      ...["/i/a", "/i/in/a", "/i/x", "/lead", "/m/a"].map((target) => get(target)),
      by("POST", "/m/a"),
    ],
  },
  {
    name: "referers of the location around",
    server: `
location /a/ {
  valid_referers a.test;
  if ($invalid_referer) { return 403; }
  location /a/in/ { if ($invalid_referer) { return 403; } return 200 "in"; }
  location /a/own/ { valid_referers b.test; if ($invalid_referer) { return 403; } return 200 "own"; }
  return 200 "a";
}`,
    requests: ["/a/x", "/a/in/x", "/a/own/x"].flatMap((target) =>
      ["", "http://a.test/", "http://b.test/", "http://evil.test/"].map((Referer) =>
        get(target, Referer === "" ? {} : { Referer }),
      ),
    ),
  },
  {
    name: "scripts and dot files",
    server: `
location ~* \\.(php|cgi|xml)$ { deny all; access_log off; }
location ~ /\\.(?!well-known) { deny all; }`,
    requests: [
      "/index.php",
      "/a/B.PHP",
      "/a.php/b",
      "/.git/config",
      "/a/.env",
      "/.well-known/x",
      "/x.phpx",
    ].map((target) => get(target)),
  },
  {
    name: "metrics inside of the path",
    location: `
location /metrics {
  deny all;
  return 401;
}`,
    requests: ["/", "/metrics", "/metrics/x", "/metricsx", "/x/metrics"].map((target) => get(target)),
  },
  {
    name: "only with a referer",
    location: `
valid_referers none blocked server_names *.example.test ~^https://exact\\.test/;
if ($invalid_referer) { return 403; }`,
    requests: [
      get("/"),
      ...[
        "https://a.example.test/x",
        "https://evil.test/",
        "https://exact.test/a",
        "blocked",
        "https://case-99.test/",
      ].map((referer) => get("/", { Referer: referer })),
    ],
  },
  {
    name: "methods are limited without losing what the path has matched",
    server: `location ~ ^/files/(\\w+)$ { limit_except GET POST { deny all; } return 200 "$1"; }`,
    requests: [get("/files/a"), by("POST", "/files/b"), by("PUT", "/files/c"), by("HEAD", "/files/d")],
  },
]
