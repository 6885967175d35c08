// Requests that snippets of others are about: the paths, headers, arguments, cookies and methods that their text names.
import { type BackendAnswer, type CaseRequest, type SnippetCase, textsOf } from "./case.ts"

const page: BackendAnswer = {
  headers: [
    ["Content-Type", "text/html"],
    ["X-Powered-By", "node"],
    ["Cache-Control", "no-store"],
    ["X-Frame-Options", "ALLOWALL"],
    ["Set-Cookie", "s=1"],
  ],
  body: '<html><head></head><body><a href="/x">x</a></body></html>',
}

export function requestsOf(it: Omit<SnippetCase, "requests">): CaseRequest[] {
  const text = textsOf({ ...it, requests: [] })
  const targets = targetsOf(it, text)
  const values = valuesIn(text)
  return [
    ...targets.map((target) => ({ target, answer: page })),
    ...methodsIn(text).flatMap((method) =>
      targets.slice(0, 6).map((target) => ({ target, method, answer: page })),
    ),
    ...[201, 304, 404, 500].map((status) => ({ target: targets[0] ?? "/", answer: { ...page, status } })),
    ...namesIn(text, "http").flatMap((name) =>
      (name === "upgrade" ? ["websocket"] : values).map(
        (value): CaseRequest => ({ target: targets[0] ?? "/", headers: [[name, value]], answer: page }),
      ),
    ),
    ...namesIn(text, "arg").map((name) => ({ target: `${targets[0] ?? "/"}?${name}=v`, answer: page })),
    ...namesIn(text, "cookie").map(
      (name): CaseRequest => ({
        target: targets[0] ?? "/",
        headers: [["Cookie", `${name}=v`]],
        answer: page,
      }),
    ),
  ]
}

function targetsOf({ paths = [] }: Omit<SnippetCase, "requests">, text: string): string[] {
  const own = paths.map(({ path }) => plain(path))
  const named = [...text.matchAll(/(?:\\?\/[\w.~%-]+)+\/?/g)].map(([path]) => plain(path))
  const endings = [...text.matchAll(/\\\.\(?([a-z|]+)/g)].flatMap(([, list = ""]) => list.split("|"))
  const files = endings.map((ending) => `/a/b.${ending}`)
  const all = ["/", ...own, ...named, ...files].flatMap((path) => [path, `${path}/x?y=z`, `${path}x`])
  return [...new Set(all.map((path) => path.replaceAll("//", "/")))].slice(0, 60)
}

/** What remains of a pattern's path without what is no letter. */
function plain(path: string): string {
  return `/${path.replace(/\(.*$/, "").replaceAll(/[^\w.~%/-]/g, "")}`
}

/** Names in variables of this kind: `$http_x_a` is header X-A. */
function namesIn(text: string, kind: string): string[] {
  const names = [...text.matchAll(new RegExp(`\\$\\{?${kind}_(\\w+)`, "g"))].map(([, name = ""]) => name)
  return [...new Set(names)].map((name) => (kind === "http" ? name.replaceAll("_", "-") : name))
}

/** Texts in quotes, and words of patterns. */
function valuesIn(text: string): string[] {
  const quoted = [...text.matchAll(/["']([\w ./:-]+)["']/g)].map(([, word = ""]) => word)
  const words = [...text.matchAll(/~\*? *["']?\^?\(?([\w|.-]+)/g)].flatMap(([, list = ""]) => list.split("|"))
  return [...new Set(["v", "websocket", "https://a.test", ...quoted, ...words])].slice(0, 20)
}

function methodsIn(text: string): string[] {
  const named = [...text.matchAll(/\b(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/g)].map(([method]) => method)
  return [...new Set(["HEAD", "POST", ...named])]
}
