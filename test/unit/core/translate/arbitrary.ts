import fc from "fast-check"
import {
  authoritySecret,
  ingress,
  type Part,
  service,
  slice,
  tlsSecret,
} from "../../../../harness/objects.ts"
import { site } from "./second-front-end.ts"

// A small world in which Ingresses meet each other often: few hosts, paths, Services and ages.

const namespaces = ["a", "a-b"]
const services = ["cart", "b-cart", "none"]
const hosts = ["", "one.test", "*.test", "ONE.test", "bad_host"]
const paths = ["", "/", "/x", "/x/", "/x(/|$)(.*)", "/.*", "/.well-known/acme-challenge/t", "/a//b"]

const target = fc
  .tuple(fc.constantFrom(...services), fc.constantFrom("80", "http", "81", ""))
  .map(([name, port]) => `${name}:${port}`)

const rule = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(
      fc.constantFrom("", "Exact "),
      fc.constantFrom(...hosts),
      fc.constantFrom(...paths),
      target,
    ),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant(""), fc.constant("* "), fc.constant(""), target) },
)

const rules = fc.array(
  rule.map(([exact, host, path, to]) =>
    host === "* " ? `* → ${to}` : `${exact}${host}${path || "/"} → ${to}`,
  ),
  { maxLength: 4 },
)

const annotations = fc.record(
  {
    "proxy-read-timeout": fc.constantFrom("5", "5s", "31536000"),
    "proxy-http-version": fc.constantFrom("1.0", "1.1", "2"),
    canary: fc.constantFrom("true", "false"),
    "canary-weight": fc.constantFrom("5", "x"),
    "wick.dev/canary-n-way": fc.constantFrom("true", "false"),
    affinity: fc.constant("cookie"),
    "affinity-canary-behavior": fc.constantFrom("sticky", "legacy"),
    "session-cookie-name": fc.constantFrom("a", "b"),
    "load-balance": fc.constantFrom("ewma", "p2c", "chash"),
    "service-upstream": fc.constantFrom("true", "false"),
    "use-regex": fc.constantFrom("true", "false"),
    "rewrite-target": fc.constantFrom("/", "/x", "/$1", "a b"),
    "app-root": fc.constantFrom("/start", "start"),
    "server-alias": fc.constantFrom("one.test", "two.test,three.test", "~two", "www.one.test"),
    "from-to-www-redirect": fc.constantFrom("true", "false"),
    "permanent-redirect": fc.constantFrom("/gone", "$x"),
    "force-ssl-redirect": fc.constantFrom("true", "false"),
    "ssl-ciphers": fc.constantFrom("AES128-SHA", "AES256-SHA"),
    "ssl-prefer-server-ciphers": fc.constantFrom("true", "false"),
    "ssl-passthrough": fc.constantFrom("true", "false"),
    "auth-tls-secret": fc.constantFrom("a/ca", "a/ca", "a-b/ca", "a/one", "ca"),
    "auth-tls-verify-client": fc.constantFrom("off", "optional"),
    "auth-tls-match-cn": fc.constantFrom("CN=a", "a"),
  },
  { requiredKeys: [] },
)

const tls = fc.array(
  fc.record({
    hosts: fc.subarray(["one.test", "*.test", "ONE.test", "two.test", "www.one.test"]),
    secretName: fc.constantFrom("", "one", "wild", "none"),
  }),
  { maxLength: 2 },
)

const someIngress = fc
  .tuple(
    fc.constantFrom(...namespaces),
    fc.constantFrom("i", "j", "k", "l"),
    rules,
    annotations,
    fc.constantFrom(1, 2),
    fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, tls),
  )
  .map(
    ([namespace, name, someRules, values, createdMs, entries]): Part => ({
      ...ingress(`${namespace}/${name}`, someRules, values as Record<string, string>, createdMs),
      tls: entries,
    }),
  )

/** What is known of a Secret: `one` and `wild` are what Ingresses may name. */
const someSecret = fc
  .tuple(
    fc.constantFrom(...namespaces),
    fc.constantFrom("one", "wild"),
    fc.constantFrom<readonly string[]>(["one.test"], ["*.test", "two.test"], ["other.test"], []),
    fc.constantFrom("rsa", "ec"),
  )
  .map(([namespace, name, names, keyType]) =>
    tlsSecret(`${namespace}/${name}`, names.length === 0 ? undefined : { names, keyType }),
  )

const someAuthority = fc
  .tuple(fc.constantFrom(...namespaces), fc.constantFrom("one", "two"))
  .map(([namespace, authority]): Part => authoritySecret(`${namespace}/ca`, authority))

const someService = fc
  .tuple(
    fc.constantFrom(...namespaces),
    fc.constantFrom("cart", "b-cart"),
    fc.constantFrom("http:80>8080", "80", "81"),
  )
  .map(([namespace, name, port]): Part => service(`${namespace}/${name}`, port))

const addresses = fc.uniqueArray(fc.constantFrom("10.0.0.1", "10.0.0.2", "127.0.0.1", "2001:db8::1"))

const someSlice = fc
  .tuple(
    fc.constantFrom(...namespaces),
    fc.constantFrom("cart", "b-cart"),
    addresses,
    fc.constantFrom("http:8080", "8081"),
  )
  .map(([namespace, name, ready, port]): Part => slice(`${namespace}/${name}`, ready, port))

export const part = fc.oneof(
  { weight: 3, arbitrary: someIngress },
  someService,
  someSlice,
  someSecret,
  someAuthority,
)

const siteRules = fc.array(
  fc
    .tuple(
      fc.constantFrom("/", "/x", "/x/", "/x?GET"),
      fc.array(fc.constantFrom(...services), { minLength: 1, maxLength: 2 }),
    )
    .map(([path, names]) => `${path} → ${names.map((name, at) => `${name}:80*${at}`).join(" ")}`),
  { maxLength: 3 },
)

const someSite = fc
  .tuple(
    fc.constantFrom(...namespaces),
    fc.constantFrom("s", "t"),
    fc.constantFrom("one.test", "two.test", "_", "*.test"),
    siteRules,
    fc.constantFrom("", "one", "wild"),
    fc.constantFrom("main", "http:*:8000"),
    fc.constantFrom(1, 2),
  )
  .map(
    ([namespace, name, host, rules, secret, listener, createdMs]): Part =>
      site(`${namespace}/${name}`, host, rules, { secret, listener, createdMs }),
  )

/** An object of any of two families. */
export const partOfTwo = fc.oneof({ weight: 3, arbitrary: part }, { weight: 1, arbitrary: someSite })

/** Objects with distinct names within their kind. */
export const world = fc.uniqueArray(part, { selector: identity, maxLength: 16 })

/** The same, of two families. */
export const worldOfTwo = fc.uniqueArray(partOfTwo, { selector: identity, maxLength: 16 })

export function identity({ kind, meta }: Part): string {
  return `${kind} ${meta.namespace}/${meta.name}`
}
