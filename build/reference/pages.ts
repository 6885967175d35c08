import { annotationsPage } from "./annotations.ts"
import { configMapPage } from "./configmap.ts"
import { flagsPage } from "./flags.ts"
import { problemsPage } from "./problems.ts"

/** The pages of docs/reference by file name. The same tables give the same text. */
export function pages(): Readonly<Record<string, string>> {
  return {
    "annotations.md": annotationsPage(),
    "configmap.md": configMapPage(),
    "flags.md": flagsPage(),
    "problems.md": problemsPage(),
  }
}
