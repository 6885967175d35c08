import { annotationPath } from "../../controller/model/field-path.ts"
import { nameOf } from "../../controller/model/objects/object.ts"
import type { Finding } from "./report.ts"
import type { Subject } from "./subject.ts"

// What wick can do for an Ingress that is served as before, and ingress-nginx could not: a hint, and no difference.

/** Of gRPC paths are escaped anew, and FastCGI has none with escapes: there the annotation has no effect. */
const cannotBeRaw: ReadonlySet<string> = new Set(["grpc", "grpcs", "fastcgi"])

export function hintsOf({
  ingress,
  annotations,
  values: { routing, protocol },
}: Subject): readonly Finding[] {
  const key = annotations.get("rewrite-target")?.key
  const insertsGroup = /\$[1-9]/.test(routing.rewriteTarget ?? "")
  if (key === undefined || !insertsGroup || routing.rewritesRaw === true) return []
  if (cannotBeRaw.has(protocol.protocol ?? "http")) return []
  return [
    {
      rule: "rewrite-raw",
      relation: "same",
      isHint: true,
      what: "The rewrite target inserts a part of the path, and encoded characters of it are decoded",
      before: 'With the path "/mq(/|$)(.*)", /mq/queues/%2F/orders reaches the backend as /queues/orders',
      now: "The same, so that nothing changes for the backend",
      change: 'If the backend needs paths as clients write them, add wick.dev/rewrite-raw: "true"',
      evidence: [{ object: nameOf(ingress), field: annotationPath(key) }],
    },
  ]
}
