import { type Differences, operation } from "./difference.ts"

/** Differences under the heading "Canaries". */
export const canariesDifferences = {
  "second-canary-same-backend": {
    what: "A second canary of the same backend",
    before: "Ignored silently",
    now: 'A Problem. With `wick.dev/canary-n-way: "true"` it is used as well',
    concerns: operation,
  },
  "wick-dev-canary-n-way-several": {
    what: "`wick.dev/canary-n-way`: several canaries of one backend",
    before: "Only the first is used",
    now: "A request goes to the first canary that its session, header or cookie selects, otherwise one draw over all weights decides. `never` and an invalid pattern affect their own canary only",
    concerns: operation,
  },
  "canary-whose-service-already-backend-older": {
    what: "A canary whose Service is already a backend of an older Ingress",
    before: "Accepted, without effect",
    now: "A Problem",
    concerns: operation,
  },
} satisfies Differences
