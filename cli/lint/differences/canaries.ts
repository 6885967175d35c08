import { dividesService } from "./conditions.ts"
import { type Differences, operation } from "./difference.ts"
import { problemText } from "./matching.ts"

/** Differences under the heading "Canaries". */
export const canariesDifferences = {
  "canary-of-another-namespace": {
    what: "The canary is for a path that another namespace serves",
    before: "The canary gets its share, with cookies and credentials of clients",
    now: "The canary gets nothing, with a Problem: it belongs to the namespace of its primary. `cross-namespace: allowed` is as before",
    why: "A canary with weight 100 took the requests of any Service",
    concerns: problemText("canary-left-out", /a canary has to be in the same namespace/),
  },
  "canary-of-host-and-path": {
    what: "The canary has some of the paths that lead to its primary's Service, and not all of them",
    before: "The canary gets its share of all requests for the Service, on whatever host and path",
    now: "The canary gets its share of its own hosts and paths. They get a backend of their own: `$proxy_upstream_name` and `upstream` name it `NAMESPACE/SERVICE:PORT>CANARY:PORT`, and sessions are its own. `cross-namespace: allowed` is as before",
    why: "It is what the canary says; a canary reached hosts that its namespace may not have",
    concerns: dividesService,
  },
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
