// A real browser without a window: Debian's Chromium.
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"
import { root } from "./paths.ts"
import { patienceMs } from "./until.ts"

/** Installs Chromium where it is not yet. Its sandbox is no use to root, whose processes may not have one. */
export function startChromium(): Promise<Browser> {
  execFileSync(join(root, "build/chromium.sh"), { stdio: ["ignore", "inherit", "inherit"] })
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : []
  return chromium.launch({ executablePath: "/usr/bin/chromium", args, timeout: patienceMs })
}

export interface OpenOptions {
  readonly colorScheme?: "light" | "dark"
  readonly width?: number
}

/** A page of its own, with nothing of others in it. */
export class Tab implements AsyncDisposable {
  readonly page: Page
  /** What the browser complained of, blocked loads and errors of scripts included. */
  readonly complaints: string[] = []
  /** Where it asked for something. */
  readonly asked = new Set<string>()

  private constructor(page: Page) {
    this.page = page
    page.setDefaultTimeout(patienceMs)
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.complaints.push(message.text())
    })
    page.on("pageerror", (error) => this.complaints.push(String(error)))
    page.on("request", (request) => this.asked.add(new URL(request.url()).origin))
  }

  static async open(browser: Browser, url: string, options: OpenOptions = {}): Promise<Tab> {
    const { colorScheme = "light", width = 1280 } = options
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } })
    const tab = new Tab(page)
    await page.goto(url)
    return tab
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.close()
  }
}
