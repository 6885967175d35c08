// Behind a token, and when wick has gone, in a real browser.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startChromium, Tab } from "../support/chromium.ts"
import { freePorts } from "../support/ports.ts"
import { startWick, type Wick } from "../support/wick.ts"

const folder = mkdtempSync(join(tmpdir(), "wick-ui-"))
const file = join(folder, "token")
const token = "correct horse battery"

let browser: Browser
let wick: Wick
let origin: string
beforeAll(async () => {
  const [uiPort = 0] = await freePorts(1)
  origin = `http://127.0.0.1:${uiPort}`
  writeFileSync(file, token)
  ;[browser, wick] = await Promise.all([
    startChromium(),
    startWick({ flags: [`--ui-port=${uiPort}`, "--ui-address=0.0.0.0", `--ui-token-file=${file}`] }),
  ])
})
afterAll(async () => {
  await Promise.all([browser?.close(), wick?.stop()])
  rmSync(folder, { recursive: true })
})

test("the token is asked for, and asked for again when it was changed; when wick ends the page says so", async () => {
  await using tab = await Tab.open(browser, `${origin}/#/routes`)
  const { page } = tab
  const field = page.getByLabel(/^Token/)
  await field.fill("wrong")
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByText("This is not the token.").waitFor()
  await field.fill(token)
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("heading", { name: "Overview" }).waitFor()
  const [cookie] = await page.context().cookies()
  expect(cookie).toMatchObject({ name: "wick_ui", httpOnly: true, sameSite: "Strict" })
  expect(await page.evaluate("document.cookie")).toBe("")
  writeFileSync(file, "another token of some length")
  await field.fill("another token of some length")
  await field.press("Enter")
  await page.getByRole("heading", { name: "Overview" }).waitFor()
  await wick.stop()
  await page.getByRole("alert").filter({ hasText: "does not answer" }).waitFor()
})
