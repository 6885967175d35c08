// Snippets as people write them for ingress-nginx, each with requests that meet it and requests that do not.
import type { SnippetCase } from "../case.ts"
import { answers } from "./answers.ts"
import { authentication } from "./authentication.ts"
import { bodies } from "./bodies.ts"
import { closed } from "./closed.ts"
import { cors } from "./cors.ts"
import { headers } from "./headers.ts"
import { inheritance } from "./inheritance.ts"
import { kinds } from "./kinds.ts"
import { order } from "./order.ts"
import { redirects } from "./redirects.ts"
import { rewrites } from "./rewrites.ts"
import { toBackends } from "./to-backends.ts"

/** Some hundred. */
export const forms: readonly SnippetCase[] = [
  ...[headers, toBackends, cors, redirects, closed, answers, rewrites],
  ...[order, inheritance, kinds, authentication, bodies],
].flat()
