// Takes the pictures of docs/images anew: the page of a wick that runs, in a real browser, beside traffic. With a folder as argument, every view goes there
// instead, light and dark, wide and as on a telephone, and `wick top` in two widths: to be looked at.
import { spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout as pause } from "node:timers/promises"
import { stripVTControlCharacters } from "node:util"
import type { Tab } from "../harness/chromium.ts"
import type { Page } from "../harness/page.ts"
import { nodeBinary, root } from "../harness/paths.ts"
import { setScene } from "./pictures/scene.ts"

/** Rates need several looks, five seconds apart. */
const watchedMs = 25_000

const views = {
  overview: "",
  traffic: "traffic",
  explain: "explain?url=http%3A%2F%2Fshop.example.com%2Fcart",
  "explain-why": "explain?url=http%3A%2F%2Fgrafana.example.com%2F",
  routes: "routes",
  backends: "backends",
  backend: "backend?name=shop-cart-80",
  canaries: "canaries",
  certificates: "certificates",
  problems: "problems",
  reloads: "reloads",
} as const

type View = keyof typeof views

interface Look {
  readonly colorScheme: "light" | "dark"
  readonly width: number
}

/** The file of a picture, and how the view looks in it. */
type Looks = Readonly<Record<string, Look>>

const wideLight = { colorScheme: "light", width: 1280 } as const
const ofDocs: Partial<Record<View, Looks>> = {
  overview: { "ui-overview": wideLight },
  traffic: { "ui-traffic": wideLight },
  backend: { "ui-backend": { colorScheme: "dark", width: 1280 } },
}

const all: Partial<Record<View, Looks>> = Object.fromEntries(
  Object.keys(views).map((view) => [
    view,
    Object.fromEntries(
      (["light", "dark"] as const).flatMap((colorScheme) =>
        [390, 1280].map((width) => [`${view}-${colorScheme}-${width}`, { colorScheme, width }]),
      ),
    ),
  ]),
)

/** Those whose plots follow the width with their next numbers. */
const plotted: readonly string[] = ["overview", "backend"]

const [folder] = process.argv.slice(2)
await using scene = await setScene()
if (folder === undefined) await takeAll(scene.page, ofDocs, join(root, "docs/images"))
else {
  mkdirSync(folder, { recursive: true })
  await takeAll(scene.page, all, folder)
  for (const columns of [60, 120])
    writeFileSync(join(folder, `top-${columns}.txt`), await top(scene.page.wick.runtimeDir, columns))
}

/** All views are open at the same time, and watch for a while. */
async function takeAll(page: Page, pictures: Partial<Record<View, Looks>>, folder: string): Promise<void> {
  const entries = Object.entries(pictures) as [View, Looks][]
  const tabs = await Promise.all(entries.map(([view]) => page.open(views[view])))
  await pause(watchedMs)
  for (const [at, [view, looks]] of entries.entries())
    for (const [file, look] of Object.entries(looks))
      await take(tabs[at], look, plotted.includes(view) ? 6000 : 1000, join(folder, `${file}.png`))
}

async function take(
  tab: Tab | undefined,
  { colorScheme, width }: Look,
  settleMs: number,
  path: string,
): Promise<void> {
  await tab?.page.emulateMedia({ colorScheme })
  await tab?.page.setViewportSize({ width, height: 800 })
  await pause(settleMs)
  await tab?.page.screenshot({ path, fullPage: true })
}

/** What a terminal of this width shows after some looks, each under the other. */
async function top(runtimeDir: string, columns: number): Promise<string> {
  const wick = [nodeBinary, join(root, "controller/main.ts"), "top", `--runtime-dir=${runtimeDir}`].join(" ")
  const command = `stty columns ${columns} rows 24; timeout --signal=INT --foreground 15 ${wick}`
  const child = spawn("script", ["--quiet", "--command", command, "/dev/null"], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  return stripVTControlCharacters(await text(child.stdout))
}
