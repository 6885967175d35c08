import { readFileSync } from "node:fs"
import { join } from "node:path"
import { alertFiles } from "../alerts/files.ts"
import { dashboardFiles } from "../dashboards/files.ts"
import { annotationsPage } from "./annotations.ts"
import { chartPage } from "./chart/page.ts"
import { chartSchema } from "./chart/schema.ts"
import { configMapPage } from "./configmap.ts"
import { withCounts } from "./counts.ts"
import { coveragePage } from "./coverage.ts"
import { differencesPages } from "./differences.ts"
import { flagsPage } from "./flags.ts"
import { indexPage } from "./index.ts"
import { problemsPage } from "./problems.ts"
import { snippetsPage } from "./snippets.ts"

const readme = join(import.meta.dirname, "../../README.md")

/** Pages by their path from the root. The same tables give the same text; in README.md only the numbers are printed. */
export function pages(): Readonly<Record<string, string>> {
  return {
    ...alertFiles(),
    ...dashboardFiles(),
    ...differencesPages(),
    "README.md": withCounts(readFileSync(readme, "utf8")),
    "deploy/chart/values.schema.json": chartSchema(),
    "docs/reference/README.md": indexPage(),
    "docs/reference/coverage.md": coveragePage(),
    "docs/reference/annotations.md": annotationsPage(),
    "docs/reference/configmap.md": configMapPage(),
    "docs/reference/flags.md": flagsPage(),
    "docs/reference/chart.md": chartPage(),
    "docs/reference/problems.md": problemsPage(),
    "docs/reference/snippets.md": snippetsPage(),
  }
}
