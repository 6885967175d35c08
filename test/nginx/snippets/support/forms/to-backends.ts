// Headers of requests to backends.
import type { SnippetCase } from "../case.ts"
import { answered, get } from "./ask.ts"

export const toBackends: readonly SnippetCase[] = [
  {
    name: "websocket headers",
    location: `
proxy_set_header Upgrade $http_upgrade;
proxy_set_header Connection "upgrade";`,
    requests: [get("/"), get("/ws", { Upgrade: "websocket", Connection: "Upgrade" })],
  },
  {
    name: "forwarded headers once more",
    location: `
proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
proxy_set_header X-Forwarded-Proto $scheme;
proxy_set_header X-Forwarded-Host $host;
proxy_set_header X-Real-IP $remote_addr;`,
    requests: [get("/"), get("/", { "X-Forwarded-For": "192.0.2.1, 192.0.2.2" })],
  },
  {
    name: "headers for a mesh",
    location: `
proxy_set_header l5d-dst-override $service_name.$namespace.svc.cluster.local:$service_port;
proxy_hide_header l5d-remote-ip;
proxy_hide_header l5d-server-id;`,
    requests: [get("/"), answered(200, ["l5d-remote-ip", "10.0.0.1"], ["l5d-server-id", "x"])],
  },
  {
    name: "headers that are not passed on",
    location: `proxy_set_header Origin ""; proxy_set_header Accept-Encoding ""; proxy_set_header Cookie "";`,
    requests: [
      get("/", { Origin: "https://o.test", "Accept-Encoding": "gzip", Cookie: "a=1", Accept: "*/*" }),
    ],
  },
  {
    name: "tenant of a host",
    location: `
set $tenant "none";
if ($host ~* "^([a-z0-9-]+)\\.test$") { set $tenant $1; }
proxy_set_header X-Scope-OrgID $tenant;`,
    requests: [get("/"), get("/", { "X-Scope-OrgID": "forged" })],
  },
  {
    name: "request headers by headers-more",
    location: `
more_clear_input_headers "WL-Proxy-Client-IP" "WL-Proxy-SSL";
more_set_input_headers "X-Forwarded-Proto: https";
more_set_input_headers "WL-Proxy-SSL: true";
more_set_input_headers -r "X-Debug: off";`,
    requests: [
      get("/"),
      get("/", { "WL-Proxy-SSL": "false", "WL-Proxy-Client-IP": "1.1.1.1", "X-Debug": "on" }),
    ],
  },
  {
    name: "Basic credentials from a cookie",
    location: `
set $token "";
if ($cookie_token != "") { set $token "Bearer $cookie_token"; }
if ($http_authorization != "") { set $token $http_authorization; }
proxy_set_header Authorization $token;`,
    requests: [
      get("/"),
      get("/", { Cookie: "token=abc" }),
      get("/", { Cookie: "token=abc", Authorization: "Basic x" }),
    ],
  },
  {
    name: "header of an argument",
    location: `if ($arg_debug) { more_set_input_headers "X-Debug: $arg_debug"; }`,
    requests: [
      get("/"),
      get("/?debug=1"),
      get("/?debug=0"),
      get("/?debug="),
      get("/?DEBUG=2"),
      get("/?a=1&debug=x%20y"),
    ],
  },
  {
    name: "the Host of a location's own backend is worked out behind its steps",
    server: `
location /set { set $a b.test; proxy_set_header Host $a; proxy_pass http://app.demo.svc.cluster.local; }
location ~ ^/(again) {
  if ($http_x_a ~ (.*)) { set $b $1; }
  proxy_set_header Host "$1.test";
  proxy_pass http://app.demo.svc.cluster.local;
}`,
    requests: [get("/set"), get("/again"), get("/again", { "X-A": "c" })],
  },
  {
    name: "the Host of a location's own backend is worked out behind changes of the request",
    server: `
proxy_set_header Host "a$http_x_a.test";
location /in/ { more_set_input_headers "X-A: new"; proxy_pass http://app.demo.svc.cluster.local; add_header X-Was "$http_x_a" always; }`,
    requests: [get("/in/", { "X-A": "old" }), get("/in", { "X-A": "old" })],
  },
]
