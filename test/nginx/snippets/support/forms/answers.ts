// Answers without a backend, and in the place of one.
import type { SnippetCase } from "../case.ts"
import { answered, by, from, get } from "./ask.ts"

export const answers: readonly SnippetCase[] = [
  {
    name: "maintenance",
    server: `
set $maintenance on;
if ($remote_addr = "127.0.0.2") { set $maintenance off; }
if ($http_x_bypass = "yes") { set $maintenance off; }
if ($maintenance = on) { return 503; }
error_page 503 @maintenance;
location @maintenance {
  default_type text/html;
  add_header Retry-After 120 always;
  return 503 "<h1>Back soon</h1>";
}`,
    requests: [get("/"), from("127.0.0.2"), get("/", { "X-Bypass": "yes" }), by("POST"), by("HEAD")],
  },
  {
    name: "health of the edge",
    server: `
location = /health {
  access_log off;
  default_type text/plain;
  add_header Content-Type text/plain;
  return 200 "OK";
}
location = /robots.txt { default_type text/plain; return 200 "User-agent: *\\nDisallow: /\\n"; }
location = /favicon.ico { access_log off; log_not_found off; return 204; }`,
    requests: ["/health", "/health?x", "/health/", "/robots.txt", "/favicon.ico"].flatMap((target) => [
      get(target),
      by("HEAD", target),
      by("POST", target),
    ]),
  },
  {
    name: "JSON of the edge",
    server: `
location = /version { default_type application/json; return 200 '{"host":"$host","args":"$args"}'; }
location = /teapot.json { return 418 "{}"; }
location = /empty { return 200; }`,
    requests: ["/version?a=b", "/teapot.json", "/empty", "/version/"].map((target) => get(target)),
  },
  {
    name: "error pages",
    location: `
proxy_intercept_errors on;
error_page 404 /not-found;
error_page 500 502 503 = /sorry;
error_page 403 https://login.test/?rd=$request_uri;
error_page 410 =200 /gone;`,
    requests: [200, 403, 404, 410, 500, 503].map((status) => get("/a?b=c", {}, { status })),
  },
  {
    name: "named locations in the place of errors",
    server: `
location @fallback { add_header X-From "fallback of $uri" always; proxy_set_header Host $host; proxy_set_header X-Again $request_method; proxy_pass http://app.demo.svc.cluster.local; }
location @sorry { default_type text/plain; more_set_headers "X-Sorry: $status"; return 200 "sorry, $uri $args $request_method"; }
location @moved { rewrite ^/x/(.*)$ /y/$1 last; return 410 "gone"; }
location @guarded { deny 127.0.0.2; return 200 "in"; }
location /y/ { return 200 "moved to $uri"; }`,
    location: `
proxy_intercept_errors on;
error_page 502 503 @sorry;
error_page 404 = @fallback;
error_page 405 =418 @sorry;
error_page 409 @moved;
error_page 403 = @guarded;
error_page 500 @nowhere;
if ($arg_stop = deny) { return 403; }
if ($arg_stop = busy) { return 503; }`,
    requests: [
      ...[200, 404, 405, 409, 500, 503].flatMap((status) => [
        get("/x/a%20b?c=d", {}, { status }),
        { ...by("POST", "/x/?c=d"), answer: { status } },
        { ...by("HEAD", "/x/"), answer: { status } },
      ]),
      ...["deny", "busy"].flatMap((why) => [get(`/?stop=${why}`), from("127.0.0.2", `/?stop=${why}`)]),
      get("/@sorry"),
      get("/y/@fallback"),
    ],
  },
  {
    name: "a named location for all errors of a host",
    server: `
error_page 403 404 418 = @all;
location @all { add_header X-All $uri always; return 404 "none of $host"; }
location = /secret { deny all; }
location /old { return 418; }`,
    requests: [get("/"), get("/secret"), get("/old/x?y"), by("POST", "/secret"), answered(404), get("/none")],
  },
  {
    name: "CSP report of the edge",
    server: `location = /csp { if ($request_method != POST) { return 405; } return 204; }`,
    requests: [get("/csp"), by("POST", "/csp"), by("PUT", "/csp")],
  },
]
