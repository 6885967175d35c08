// Which headers are in force, and how nginx and headers-more treat those that are there already.
import type { SnippetCase } from "../case.ts"
import { answered, by, get } from "./ask.ts"

export const inheritance: readonly SnippetCase[] = [
  {
    name: "the last if that holds has the headers",
    location: `
add_header X-Outer 1;
if ($arg_one) { add_header X-One 1; }
if ($arg_two) { add_header X-Two 1; more_set_headers "X-More: 2"; }
if ($arg_three) { set $x 1; }
more_set_headers "X-More-Outer: 1";`,
    requests: ["/", "/?one=1", "/?two=1", "/?one=1&two=1", "/?one=1&two=1&three=1", "/?three=1"].map((it) =>
      get(it),
    ),
  },
  {
    name: "add_header of the host is lost where the path has one",
    server: `add_header X-Outer 1; add_header X-Always 1 always; more_set_headers "X-More: outer" "X-Both: outer";`,
    location: `add_header X-Inner 1; more_set_headers "X-Both: inner";`,
    requests: [get("/"), answered(404)],
  },
  {
    name: "add_header does not replace, more_set_headers does",
    location: `
add_header X-One mine; add_header X-One again;
more_set_headers "X-Two: mine" "X-Two: again";
add_header Content-Type text/x; add_header Location /here;`,
    requests: [
      answered(
        200,
        ["X-One", "theirs"],
        ["X-Two", "theirs"],
        ["X-Two", "twice"],
        ["Content-Type", "text/plain"],
      ),
    ],
  },
  {
    name: "headers that nginx works out",
    location: `
add_header Cache-Control private;
add_header ETag '"mine"';
add_header Last-Modified "Thu, 01 Jan 2026 00:00:00 GMT";
add_header Set-Cookie a=1; add_header Set-Cookie b=2;`,
    requests: [
      get("/"),
      answered(
        200,
        ["Cache-Control", "no-store"],
        ["ETag", '"theirs"'],
        ["Last-Modified", "Wed, 01 Jan 2025 00:00:00 GMT"],
      ),
      get("/", { "If-None-Match": '"mine"' }),
      answered(404),
    ],
  },
  {
    name: "headers-more and headers that nginx works out",
    location: `
more_set_headers "Content-Type: text/x" "Cache-Control: a" "Location: /here" "ETag: x" "Set-Cookie: a=1";
more_clear_headers "X-P*" Last-Modified;`,
    requests: [
      get("/"),
      answered(302, ["Location", "/there"], ["X-Powered-By", "x"], ["X-Pad", "1"], ["X-Other", "1"]),
      answered(
        200,
        ["Set-Cookie", "s=1"],
        ["Set-Cookie", "t=1"],
        ["Last-Modified", "Wed, 01 Jan 2025 00:00:00 GMT"],
      ),
    ],
  },
  {
    name: "headers-more reads what comes before",
    location: `
more_set_headers "X-A: 1";
more_set_headers "X-B: $sent_http_x_a" "X-A: 2";
add_header X-C "$sent_http_x_a" always;`,
    requests: [get("/"), answered(200, ["X-A", "theirs"])],
  },
  {
    name: "empty values",
    location: `
add_header X-Empty ""; add_header X-Unset "$http_nothing" always;
more_set_headers "X-Gone:" "X-Also-Gone"; more_set_headers "X-Unset-More: $http_nothing";
proxy_set_header X-Empty ""; more_set_input_headers "X-In: $http_nothing" "X-In-Gone:";`,
    requests: [
      answered(200, ["X-Gone", "1"], ["X-Also-Gone", "1"], ["X-Empty", "1"]),
      get("/", { "X-Empty": "1", "X-In": "1", "X-In-Gone": "1" }),
    ],
  },
  {
    name: "Host and others twice",
    location: `
proxy_set_header Host other.test;
proxy_set_header Connection "";
proxy_set_header X-Real-IP 192.0.2.1;
proxy_set_header X-New 1; proxy_set_header X-New 2; proxy_set_header x-new 3;`,
    requests: [get("/"), get("/", { "X-New": "theirs" }), by("POST")],
  },
  {
    name: "request headers that nginx knows",
    location: `
more_set_input_headers "Host: inner.test" "User-Agent: mine" "Cookie: a=1" "X-Forwarded-For: 192.0.2.9";
more_clear_input_headers Accept "X-Un*";`,
    requests: [
      get("/"),
      get("/", { Accept: "*/*", "X-Unwanted": "1", "X-Un": "2", Cookie: "b=2", "User-Agent": "y" }),
    ],
  },
  {
    name: "input headers come after the rewrite directives",
    location: `
more_set_input_headers "X-Role: admin";
if ($http_x_role = admin) { return 403; }
proxy_set_header X-Was "$http_x_role";`,
    requests: [get("/"), get("/", { "X-Role": "admin" }), get("/", { "X-Role": "user" })],
  },
  {
    name: "headers to a backend of its own, with an if",
    server: `
location /own {
  if ($arg_x) { add_header X-Own 1; }
  proxy_pass http://app.demo.svc.cluster.local;
}`,
    requests: [get("/own"), get("/own?x=1")],
  },
]
