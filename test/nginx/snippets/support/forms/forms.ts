// Snippets as people write them for ingress-nginx, each with requests that meet it and requests that do not.
import type { SnippetCase } from "../case.ts"
import { answers } from "./answers.ts"
import { closed } from "./closed.ts"
import { cors } from "./cors.ts"
import { headers } from "./headers.ts"
import { redirects } from "./redirects.ts"
import { rewrites } from "./rewrites.ts"
import { toBackends } from "./to-backends.ts"

/** Some fifty. */
export const forms: readonly SnippetCase[] = [
  ...[headers, toBackends, cors, redirects, closed, answers, rewrites].flat(),
]
