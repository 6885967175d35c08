// A real browser beside a wick that serves its page.
import type { Browser } from "playwright-core"
import { type OpenOptions, startChromium, Tab } from "./chromium.ts"
import { freePorts } from "./ports.ts"
import { startWick, type Wick, type WickOptions } from "./wick.ts"

export class Page implements AsyncDisposable {
  /** `http://127.0.0.1:` and the page's port */
  readonly origin: string
  readonly wick: Wick
  readonly #browser: Browser

  constructor(origin: string, wick: Wick, browser: Browser) {
    this.origin = origin
    this.wick = wick
    this.#browser = browser
  }

  /** @param view with its arguments, as behind `#/`; "" for the overview */
  open(view: string, options: OpenOptions = {}): Promise<Tab> {
    return Tab.open(this.#browser, `${this.origin}/#/${view}`, options)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#browser.close(), this.wick.stop()])
  }
}

export async function startPage(options: WickOptions = {}): Promise<Page> {
  const [port = 0] = await freePorts(1)
  const flags = [`--ui-port=${port}`, ...(options.flags ?? [])]
  const [browser, wick] = await Promise.all([startChromium(), startWick({ ...options, flags })])
  return new Page(`http://127.0.0.1:${port}`, wick, browser)
}
