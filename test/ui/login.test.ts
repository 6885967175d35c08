// Behind a token, and when wick has gone, in a real browser.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Page, startPage } from "../../harness/page.ts"

const folder = mkdtempSync(join(tmpdir(), "wick-ui-"))
const file = join(folder, "token")
const token = "correct horse battery"

let served: Page
beforeAll(async () => {
  writeFileSync(file, token)
  served = await startPage({ flags: ["--ui-address=0.0.0.0", `--ui-token-file=${file}`] })
})
afterAll(async () => {
  await served?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

test("the token is asked for, and asked for again when it was changed; when wick ends the page says so", async () => {
  await using tab = await served.open("routes")
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
  await served.wick.stop()
  await page.getByRole("alert").filter({ hasText: "✕ does not answer" }).waitFor()
})
