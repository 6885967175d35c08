import { breaksRules } from "./conditions.ts"
import { type Differences, operation } from "./difference.ts"
import { either, problem } from "./matching.ts"

/** Differences under the heading "Admission webhook". */
export const admissionDifferences = {
  refusal: {
    what: "A refusal",
    before: "The first thing that is wrong",
    now: "Everything, each with its field and what to write",
    why: "One round for the author",
    concerns: operation,
  },
  "update-ingress-was-wrong-before": {
    what: "An update of an Ingress that was wrong before",
    before: "Refused, whatever it changes",
    now: "Let in with a warning, if it makes nothing else wrong and leaves alone what is wrong: a forbidden value cannot become another one",
    why: "Labels and finalizers must not depend on a conflict of old",
    concerns: operation,
  },
  "update-ingress-being-deleted": {
    what: "An update of an Ingress that is being deleted and waits for a finalizer",
    before: "Let in without a look, and served",
    now: "Checked as any other, unless spec and annotations stay the same",
    why: "A finalizer of one's own would be a way past every rule",
    concerns: operation,
  },
  warnings: {
    what: "Warnings",
    before: "Deprecated annotations and path types",
    now: "Also unknown annotations, values without effect, paths that get no requests",
    concerns: operation,
  },
  "time-check": {
    what: "Time for a check",
    before: "Grows with the number of Ingresses: seconds at hundreds, until the API server gives up",
    now: "Grows with the paths of the one Ingress",
    why: "The others are in an index",
    concerns: operation,
  },
  "disable-full-test": {
    what: "`--disable-full-test`",
    before: "Renders the one Ingress only",
    now: "No effect",
    why: "Nothing is rendered",
    concerns: operation,
  },
  "watch-namespace-selector": {
    what: "`--watch-namespace-selector`",
    before: "Not consulted: Ingresses of other namespaces are refused, too",
    now: "Consulted",
    why: "They are not served",
    concerns: operation,
  },
  "before-all-objects-known": {
    what: "Before all objects are known",
    before: "Checked against those that are",
    now: "503, so that the `failurePolicy` decides",
    why: "A check against half of the cluster says nothing",
    concerns: operation,
  },
  "review-without-request-deletion": {
    what: "A review without request; a deletion",
    before: "The connection is closed; refused",
    now: "400; allowed",
    concerns: operation,
  },
  answer: {
    what: "The answer",
    before: "Repeats the request",
    now: "Does not",
    why: "Nobody reads it",
    concerns: operation,
  },
  "certificate-files-half-written-missing-at": {
    what: "Certificate files that are half written, or missing at the start",
    before: "Handshakes fail until the next event, or for ever",
    now: "The pair before stays; what is missing is waited for",
    concerns: operation,
  },
  "authentication-secrets-ingress-refused": {
    what: "Authentication Secrets of an Ingress that is refused",
    before: "Written to disk",
    now: "Nothing is written",
    concerns: operation,
  },
  "annotation-above-risk-level": {
    what: "The Ingress breaks `annotations-risk-level` or `annotation-value-word-blocklist`",
    before: "The Ingress is left out: its paths get 404, or go to another path of the host",
    now: 'Its paths get 503, and the annotation has no effect, with a Problem. With `enforce-admission-rules: "false"` only the webhook looks at the rules',
    why: "A path that is left out could be served by another one, without its checks",
    concerns: either(problem("annotation-forbidden"), breaksRules),
  },
} satisfies Differences
