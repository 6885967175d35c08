// Bodies, and what is changed of answers on their way.
import type { BackendAnswer, SnippetCase } from "../case.ts"
import { answered, by, get } from "./ask.ts"

const page: BackendAnswer = {
  headers: [["Content-Type", "text/html"]],
  body: `<head></head><a href="/x">${"long text ".repeat(200)}</a>`,
}

/** What ingress-nginx says for each path itself, a snippet can only say for paths of its own. */
const own = (directives: string) =>
  `location /own { proxy_pass http://app.demo.svc.cluster.local; ${directives} }`

export const bodies: readonly SnippetCase[] = [
  {
    name: "paths within pages",
    location: `
sub_filter '<head>' '<head> <base href="/sub/">'; # base
sub_filter 'href="/' 'href="./';
sub_filter_once off;
sub_filter_types text/html text/css;
proxy_set_header Accept-Encoding "";`,
    requests: [
      get("/", {}, page),
      get("/", {}, { ...page, headers: [["Content-Type", "text/plain"]] }),
      by("HEAD"),
    ],
  },
  {
    name: "a text of the host in pages",
    location: `sub_filter '</a>' "</a><p>$host $arg_q</p>"; sub_filter_last_modified on;`,
    requests: [
      get("/?q=v", {}, page),
      get(
        "/",
        {},
        {
          ...page,
          headers: [
            ["Content-Type", "text/html"],
            ["Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT"],
          ],
        },
      ),
    ],
  },
  {
    name: "redirects of the backend",
    server: own("proxy_redirect http://inner.test/ https://$host/; proxy_redirect ~^/old/(.*)$ /new/$1;"),
    requests: ["http://inner.test/a?b", "/old/x", "/other", "https://inner.test/"].map((to) =>
      get("/own", {}, { status: 302, headers: [["Location", to]] }),
    ),
  },
  {
    name: "cookies of the backend",
    server: own(
      "proxy_cookie_path /app /; proxy_cookie_domain inner.test $host; proxy_cookie_flags session secure samesite=lax;",
    ),
    requests: ["a=1; Path=/app; Domain=inner.test", "session=2; path=/app/x", "b=3"].map((cookie) =>
      get(
        "/own",
        {},
        {
          headers: [
            ["Set-Cookie", cookie],
            ["Set-Cookie", "z=0; Path=/app"],
          ],
        },
      ),
    ),
  },
  {
    name: "bodies that are too large",
    server: own("client_max_body_size 3;"),
    requests: [
      by("POST", "/own"),
      { ...by("POST", "/own"), body: "12345" },
      { ...by("POST"), body: "12345" },
    ],
  },
  {
    name: "compression",
    location: `gzip on; gzip_types text/css; gzip_min_length 10; gzip_vary on; gzip_proxied any;`,
    requests: [
      get("/", {}, page),
      get("/", { "Accept-Encoding": "br" }, page),
      get("/", {}, { body: "short" }),
    ],
  },
  {
    name: "character set",
    location: `charset utf-8;`,
    requests: [get("/", {}, page), get("/", {}, { headers: [["Content-Type", "image/png"]] }), answered(404)],
  },
  {
    name: "conditions of clients",
    location: `if_modified_since off; etag off;`,
    requests: [
      get(
        "/",
        { "If-Modified-Since": "Thu, 01 Jan 2026 00:00:00 GMT" },
        {
          headers: [["Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT"]],
        },
      ),
      get("/", { "If-None-Match": '"e"' }, { headers: [["ETag", '"e"']] }),
    ],
  },
  {
    name: "numbers of the proxy",
    server: own(`
proxy_read_timeout 5; proxy_buffering on; proxy_buffer_size 8k; proxy_request_buffering off;
proxy_next_upstream off; client_body_buffer_size 16k;`),
    location: "client_body_buffer_size 16k;",
    requests: ["/", "/own"].flatMap((target) => [get(target, {}, page), by("POST", target)]),
  },
  {
    name: "slow answers",
    location: `limit_rate 1m; limit_rate_after 1k; if ($arg_fast) { set $limit_rate 10m; }`,
    requests: [get("/", {}, page), get("/?fast=1", {}, page)],
  },
  {
    name: "version of the server",
    server: "server_tokens on;",
    location: "server_tokens on; proxy_pass_header Server; more_set_headers 'Server: mine';",
    requests: [answered(200, ["Server", "theirs"]), answered(404)],
  },
]
