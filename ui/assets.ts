import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { stripTypeScriptTypes } from "node:module"
import { extname, join } from "node:path"
import { root } from "../controller/support/root.ts"
import type { Reply } from "./reply.ts"

// The page's files, and the libraries that they import, as a browser takes them: JavaScript, by paths of ours. Nothing is loaded from elsewhere.

/** By path. */
export type Assets = ReadonlyMap<string, Asset>

interface Asset {
  readonly type: string
  readonly body: Buffer
  readonly etag: string
}

const folder = join(root, "ui/page")
const packages = join(root, "node_modules")

/** Where a library's file is among the packages, by the name that it is imported by. */
const libraries: Readonly<Record<string, string>> = {
  preact: "preact/dist/preact.mjs",
  "preact/hooks": "preact/hooks/dist/hooks.mjs",
  htm: "htm/dist/htm.mjs",
  uplot: "uplot/dist/uPlot.esm.js",
}

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".svg": "image/svg+xml",
}

/** Pages, by the path that they are asked for by. */
const pages: Readonly<Record<string, string>> = { "/": "index.html", "/login": "login.html" }

export async function loadAssets(): Promise<Assets> {
  const files = await readdir(folder)
  const own = files.filter((file) => extname(file) === ".ts" || extname(file) in types)
  const loaded = await Promise.all([
    ...own.map(async (file) => pageFile(file, await readFile(join(folder, file), "utf8"))),
    ...Object.entries(libraries).map(async ([name, file]) => {
      const text = await readFile(join(packages, file), "utf8")
      return [libraryPath(name), asset(".js", withLibraries(text))] as const
    }),
    readFile(join(packages, "uplot/dist/uPlot.min.css"), "utf8").then(
      (text) => ["/lib/uplot.css", asset(".css", text)] as const,
    ),
  ])
  const byPath = new Map(loaded)
  for (const [path, file] of Object.entries(pages)) {
    const page = byPath.get(`/page/${file}`)
    if (page !== undefined) byPath.set(path, page)
  }
  return byPath
}

/** @param known the value of `If-None-Match` */
export function assetReply({ type, body, etag }: Asset, known: string | undefined): Reply {
  const headers = { "content-type": type, etag, "cache-control": "no-cache" }
  return { status: known === etag ? 304 : 200, headers, body }
}

/** In a checkout it is TypeScript, in the image JavaScript (build/javascript.ts). */
function pageFile(file: string, text: string): readonly [string, Asset] {
  if (extname(file) !== ".ts") {
    const isScript = extname(file) === ".js"
    return [`/page/${file}`, asset(extname(file), isScript ? withLibraries(text) : text)]
  }
  const stripped = stripTypeScriptTypes(text).replaceAll(/("\.\/[^"\n]*)\.ts"/g, '$1.js"')
  return [`/page/${file.replace(/\.ts$/, ".js")}`, asset(".js", withLibraries(stripped))]
}

/** Browsers take no names of packages where there is no import map, and one would have to stand in the page's text. */
function withLibraries(text: string): string {
  return text.replace(/(\bfrom\s*|\bimport\s*)"([^"./][^"\n]*)"/g, (whole, before: string, name: string) =>
    name in libraries ? `${before}"${libraryPath(name)}"` : whole,
  )
}

function libraryPath(name: string): string {
  return `/lib/${name.replace("/", "-")}.js`
}

function asset(extension: string, text: string): Asset {
  const body = Buffer.from(text)
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`
  return { type: types[extension] ?? "", body, etag }
}
