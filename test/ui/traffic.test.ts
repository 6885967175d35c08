// Who fails now, in a real browser.
import { expect, test } from "vitest"
import { startBackends } from "../../harness/backends.ts"
import { ingress, ingressClass, manifest, serviceOn } from "../../harness/manifests.ts"
import { startPage } from "../../harness/page.ts"
import { until } from "../../harness/until.ts"

test("the Ingress that fails is the first, while somebody looks", async () => {
  await using backends = await startBackends("well", "ill")
  await backends[1]?.fault("refuse")
  const objects = backends.flatMap(({ port }, at) => {
    const name = at === 0 ? "well" : "ill"
    return [...serviceOn(`shop/${name}`, [port]), ingress(`shop/${name}`, `${name}.test/ → ${name}:80`)]
  })
  await using served = await startPage({ manifests: { "all.yaml": manifest(ingressClass, ...objects) } })
  for (const name of ["well", "ill"]) await served.wick.get("/", { host: `${name}.test` })
  await using tab = await served.open("traffic")
  const { page } = tab
  await page.getByRole("heading", { name: "Traffic" }).waitFor()
  // On a busy machine the second look may be over before anybody sees what the first one says.
  const first = page.getByText("Rates come with the second look, in five seconds")
  await first.or(page.getByRole("row").nth(1)).first().waitFor()
  await until("the Ingress that fails", async () => {
    for (const name of ["well", "well", "ill"]) await served.wick.get("/", { host: `${name}.test` })
    const first = await page.getByRole("row").nth(1).innerText()
    return /^shop\/ill\s.*\(100 %\)/s.test(first)
  })
  await page.getByRole("row", { name: /^shop\/well/ }).waitFor()
  await page.getByRole("searchbox").fill("well")
  await page
    .getByRole("status")
    .filter({ hasText: /^1 Ingress$/ })
    .waitFor()
  await page.getByRole("link", { name: "shop/well" }).click()
  await page.getByRole("link", { name: "well.test/" }).waitFor()
  expect(tab.complaints).toEqual([])
})
