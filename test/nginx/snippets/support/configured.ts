// Snippets of the ConfigMap, which stand around those of Ingresses.
import { answered, by, from, get } from "./forms/ask.ts"
import type { Cases } from "./sides.ts"

const requests = [
  ...["/", "/edge", "/edge/x", "/a?b=c", "/old/x"].map((target) => get(target)),
  get("/", { "X-Plan": "Pro-1", "X-Block": "no" }),
  get("/", { "X-Block": "yes" }),
  ...[404, 500].map((status) => answered(status, ["X-Http", "theirs"], ["X-Powered-By", "node"])),
  by("POST"),
  from("127.0.0.2"),
]

const cases = [
  { name: "without snippets", requests },
  { name: "headers of its own", location: 'add_header X-Own 1; more_set_headers "X-More: own";', requests },
  {
    name: "headers of its host",
    server: 'add_header X-Own 1 always; more_set_headers "X-More: host";',
    requests,
  },
  { name: "directives before", location: 'if ($arg_b) { return 200 "own $host"; } set $late own;', requests },
  { name: "lists of its own", location: "allow 127.0.0.2; deny all;", requests },
]

export const configured: readonly Cases[] = [
  {
    cases,
    http: `
map $http_x_plan $plan { default free; ~*^pro pro; "" none; }
add_header X-Http "of all" always;
more_set_headers "X-More: all";
more_clear_headers X-Powered-By;
proxy_hide_header X-Http;`,
    location: "proxy_set_header X-Plan $plan;",
  },
  {
    cases,
    http: "map $http_x_plan $plan { default $http_x_plan; }",
    server: `
set $late server;
deny 127.0.0.2;
add_header X-Server "of all servers";
location /edge { return 200 "edge of $host"; }`,
    location: `
set $late "\${late}late";
if ($http_x_plan) { add_header X-Has-Plan $plan; }
add_header X-Location "$late";`,
  },
]

/** What the servers' own steps answer. */
export const answering: Cases = {
  cases,
  server: `
if ($http_x_block = yes) { return 403 "blocked"; }
rewrite ^/old/(.*)$ /new/$1 permanent;
add_header X-Server "of all servers" always;`,
}
