import { isLoopback } from "../../support/loopback.ts"
import type { Options } from "./flag-table.ts"
import { ownPorts } from "./own-ports.ts"

/** What stands before the slash in annotations that only wick has. */
export const ownPrefix = "wick.dev"

/** One rule about several flags: the sentence to say when it is broken. */
type Rule = (options: Options) => string | undefined

const rules: readonly Rule[] = [
  (o) =>
    o.publishService && o.publishStatusAddress.length > 0
      ? "Flags --publish-service and --publish-status-address exclude each other: give one of them"
      : undefined,
  (o) =>
    o.watchNamespace !== "" && o.watchNamespaceSelector !== undefined
      ? "Flags --watch-namespace and --watch-namespace-selector exclude each other: give one of them"
      : undefined,
  (o) =>
    o.metricsPerUndefinedHost && !o.metricsPerHost
      ? "Flag --metrics-per-undefined-host needs --metrics-per-host: drop one of them"
      : undefined,
  (o) =>
    o.metricsPerEndpoint && !o.enableMetrics
      ? "Flag --metrics-per-endpoint needs --enable-metrics: give both"
      : undefined,
  (o) =>
    /^\/[\w./-]*$/.test(o.healthCheckPath)
      ? undefined
      : `Cannot use --health-check-path=${JSON.stringify(o.healthCheckPath)}: write a slash, then letters, digits, dots, dashes and slashes`,
  (o) =>
    /^[\w.-]+$/.test(o.annotationsPrefix)
      ? undefined
      : `Cannot use --annotations-prefix=${JSON.stringify(o.annotationsPrefix)}: write a DNS name without a slash`,
  (o) =>
    o.annotationsPrefix === ownPrefix
      ? `Cannot use --annotations-prefix=${ownPrefix}: it stands before the annotations that ingress-nginx does not have`
      : undefined,
  (o) =>
    o.validatingWebhook && (o.validatingWebhookCertificate === "" || o.validatingWebhookKey === "")
      ? "Flag --validating-webhook needs --validating-webhook-certificate and --validating-webhook-key: give both"
      : undefined,
  (o) =>
    o.uiPort !== 0 && o.uiTokenFile === "" && !isLoopback(o.uiAddress)
      ? `Flag --ui-address=${o.uiAddress} lets others ask for the page: give --ui-token-file, or a loopback address`
      : undefined,
  (o) =>
    o.profiling && o.profilerTokenFile === "" && !isLoopback(o.profilerAddress)
      ? `Flag --profiler-address=${o.profilerAddress} lets others ask for profiles, which hold private keys: give --profiler-token-file, or a loopback address`
      : undefined,
  samePorts,
]

/** What the flags say against each other; each a sentence. */
export function conflicts(options: Options): readonly string[] {
  return rules.map((rule) => rule(options)).filter((sentence) => sentence !== undefined)
}

function samePorts(options: Options): string | undefined {
  const owners = Map.groupBy(ownPorts(options), ({ port }) => port)
  const shared = [...owners].find(([, flags]) => flags.length > 1)
  return (
    shared &&
    `Flags ${shared[1].map(({ flag }) => flag).join(" and ")} share port ${shared[0]}: give each its own`
  )
}
