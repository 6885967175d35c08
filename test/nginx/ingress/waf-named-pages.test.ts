// An error that leads to a named location whose rules no worker has compiled yet: the request waits for them, and is served there.
import { join } from "node:path"
import { expect, test } from "vitest"
import { startIngress } from "../../../harness/ingress/ingress.ts"
import { errorPage, levelOf } from "../../../harness/ingress/levels.ts"
import { scriptOf } from "../../../harness/ingress/script-records.ts"
import { writeRules } from "../../../harness/ingress/waf.ts"
import { coreRules, recommendedRules } from "../../../harness/modsecurity.ts"

test("the first request that is led there waits, and gets the page as those after it do", async () => {
  await using ingress = await startIngress({
    http: ({ dir }) => `ingress_modsecurity ${dir}/modsecurity;`,
    locations: `location @plain { try_files /x =503; } location @page { ingress_route_page; }
      location @named { add_header X-Named yes always; try_files /x =404; }`,
  })
  const rules = writeRules(join(ingress.nginx.dir, "modsecurity"), [
    { file: recommendedRules() },
    { file: coreRules("4.22.0") },
  ])
  await ingress.route("a.test", [
    { path: "/", script: scriptOf([], [levelOf([errorPage([503], "@oops")])]) },
    { path: "@oops", match: "exact", location: "named", waf: { owner: "demo/a", rules } },
  ])
  for (let nth = 0; nth < 3; nth += 1) {
    const { headers } = await ingress.nginx.get("/", { host: "a.test" })
    expect(headers["x-named"], `request ${nth}`).toBe("yes")
  }
})
