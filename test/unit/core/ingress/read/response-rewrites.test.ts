import { expect, test } from "vitest"
import type { Level, Route } from "../../../../../controller/model/route-records.ts"
import { ingress, ingressClass, service, settings, slice } from "../../../../../harness/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../../../../../harness/translation.ts"

// Addresses and cookies of responses, by annotations, the ConfigMap and snippets together. What single directives mean is the compiler's.

type Texts = Readonly<Record<string, string>>

function routesOf(says: Texts, keys: Texts = {}) {
  const all = [
    ingressClass,
    settings("nginx/settings", keys),
    service("shop/app"),
    slice("shop/app", ["10.0.0.1"], 80),
    ingress("shop/app", "app.test/a → app:80", says),
  ]
  const { model } = translationOf(
    all.flatMap((object) => changesOf(object, "objects.yaml:1")),
    optionsOf(["--configmap=nginx/settings"]),
  )
  const routes = model.live.hosts.find(({ host }) => host === "app.test")?.routes ?? []
  const at = (path: string) => routes.find((route: Route) => route.path === path)
  return { locations: model.fixed.locations, level: (path: string) => at(path)?.script?.levels?.[0] }
}

const levelAt = (path: string, says: Texts, keys: Texts = {}): Level | undefined =>
  routesOf(says, keys).level(path)

const replaced = (from: string, to: string) => ({ from, to })
const paths = { "proxy-cookie-path": "/one /two" }
const redirects = { "proxy-redirect-from": "http://a.test/", "proxy-redirect-to": "/" }

test("annotations are a level of each path, and no location", () => {
  const { locations, level } = routesOf({ ...paths, ...redirects, "proxy-cookie-domain": ".a.test b.test" })
  expect(locations).toEqual(routesOf({}).locations)
  expect(level("/a")).toEqual({
    cookieDomains: [replaced("a.test", "b.test")],
    cookiePaths: [replaced("/one", "/two")],
    redirects: [replaced("http://a.test/", "/")],
  })
})

test("cookies of annotations come before those of the snippet, redirects behind them", () => {
  const snippet = "proxy_cookie_path /b /c; proxy_redirect /b /c; if ($arg_a) { add_header A b; }"
  const script = levelAt("/a", { ...paths, ...redirects, "configuration-snippet": snippet })
  expect(script).toEqual({
    cookiePaths: [replaced("/one", "/two"), replaced("/b", "/c")],
    redirects: [replaced("/b", "/c"), replaced("http://a.test/", "/")],
  })
})

test("off in the snippet leaves annotations in force, and the ConfigMap says what they do not", () => {
  const off = { "configuration-snippet": "proxy_redirect off; proxy_cookie_path off;" }
  expect(levelAt("/a", { ...paths, ...off })).toEqual({ cookiePaths: [replaced("/one", "/two")] })
  expect(levelAt("/a", off)).toBeUndefined()
  expect(levelAt("/a", {}, paths)).toEqual({ cookiePaths: [replaced("/one", "/two")] })
  expect(levelAt("/a", { "proxy-cookie-path": "off" }, paths)).toBeUndefined()
})

test("gRPC has none", () => {
  expect(levelAt("/a", { ...paths, "backend-protocol": "GRPC" })).toBeUndefined()
})

test("of a server only flags are those of paths, and its blocks have nginx's default", () => {
  const says = {
    "server-snippet": `proxy_redirect a b; proxy_cookie_path a b; proxy_cookie_flags a secure;
      location /said { proxy_pass http://app; } location /off { proxy_redirect off; proxy_pass http://app; }`,
  }
  const { level } = routesOf(says)
  const cookieFlags = [{ cookie: "a", secure: true }]
  expect(level("/a")).toEqual({ cookieFlags })
  expect(level("/said")).toMatchObject({ redirects: [replaced("a", "b")], cookieFlags })
  expect(level("/off")).not.toHaveProperty("redirects")
  const plain = { "server-snippet": "location /plain { proxy_pass http://app:8080; }" }
  expect(levelAt("/plain", plain)).toMatchObject({ redirects: [replaced("http://app:8080/", "/")] })
})

test("a block inside of a path has what is said around it, unless it says it itself", () => {
  const snippet = `location /a/b { proxy_cookie_path /x /y; proxy_pass http://app; }
    location /a/c { proxy_redirect off; proxy_pass http://app; }`
  const { level } = routesOf({ ...paths, ...redirects, "configuration-snippet": snippet })
  expect(level("/a/b")).toMatchObject({
    cookiePaths: [replaced("/x", "/y")],
    redirects: [replaced("http://a.test/", "/")],
  })
  expect(level("/a/c")).toMatchObject({ cookiePaths: [replaced("/one", "/two")] })
  expect(level("/a/c")).not.toHaveProperty("redirects")
})
