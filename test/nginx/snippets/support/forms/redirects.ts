// Redirects.
import type { SnippetCase } from "../case.ts"
import { by, get } from "./ask.ts"

export const redirects: readonly SnippetCase[] = [
  {
    name: "redirect by host",
    server: `if ($host ~* ^case-\\d+\\.test$) { return 301 https://other.test$request_uri; }`,
    requests: [get("/a?b=c")],
  },
  {
    name: "redirect of all but one host",
    server: `if ($host != "www.test") { return 301 $scheme://www.test$request_uri; }`,
    requests: [get("/a/b?c=d"), by("POST", "/x"), by("HEAD", "/")],
  },
  {
    name: "trailing slash",
    location: `rewrite ^([^.?]*[^/])$ $1/ permanent;`,
    requests: [get("/"), get("/a"), get("/a/"), get("/a.html"), get("/a/b?c=d"), get("/a%20b")],
  },
  {
    name: "old paths",
    server: `
rewrite ^/blog/(\\d+)/(.*)$ /posts/$2?id=$1 permanent;
rewrite ^/feed$ /rss.xml? redirect;
rewrite ^/docs/(.*) https://docs.test/$1 permanent;`,
    requests: [
      get("/blog/12/a-b?x=1"),
      get("/blog/x/a"),
      get("/feed?x=1"),
      get("/docs/a%20b?q=1"),
      get("/docs"),
    ],
  },
  {
    name: "redirect of /",
    location: `if ($uri = "/") { return 302 /app/; }`,
    requests: [get("/"), get("/?a=b"), get("//"), get("/x"), get("/./")],
  },
  {
    name: "redirect to a login page",
    location: `
error_page 401 = @none;
if ($cookie_session = "") { return 302 https://login.test/?next=$scheme://$http_host$request_uri; }`,
    server: `location @none { return 401; }`,
    requests: [get("/a?b=c"), get("/", { Cookie: "session=1" }), get("/", { Cookie: "session=" })],
  },
  {
    name: "well-known redirects",
    server: `
location = /.well-known/security.txt { return 301 https://security.test/security.txt; }
location = /.well-known/change-password { return 302 /account; }
location ~ ^/\\.well-known/(carddav|caldav)$ { return 301 $scheme://$host/remote.php/dav; }`,
    requests: [
      get("/.well-known/security.txt"),
      get("/.well-known/change-password?x=1"),
      get("/.well-known/carddav"),
      get("/.well-known/carddav/"),
      get("/.well-known/other"),
    ],
  },
]
