import { annotations, plannedAnnotations } from "../core/annotations/table.ts"
import { ownPrefix } from "../core/options/conflicts.ts"
import { isAbove, type Risk } from "../core/options/keys/permissions.ts"
import type { Settings } from "../core/options/settings.ts"
import { annotationPath, annotationsPath } from "../model/field-path.ts"
import type { Ingress } from "../model/objects/ingress.ts"
import { shown } from "../model/shown.ts"
import type { Finding } from "./finding.ts"

// What an operator has closed to those who write Ingresses: it is not asked whether a value makes sense.

/** What annotations are held against. */
export interface AnnotationRules {
  readonly settings: Pick<Settings, "allowsSnippetAnnotations" | "blockedWords" | "maxRisk">
  /** `--annotations-prefix` */
  readonly prefix: string
}

const usualPrefix = "nginx.ingress.kubernetes.io"

/** All keys and values. Source: Kubernetes, ValidateAnnotations; it is held against that only after webhooks have been asked. */
const maxBytes = 256 * 1024

const risks: ReadonlyMap<string, Risk> = new Map(
  [...annotations, ...plannedAnnotations].flatMap(({ name, aliases = [], risk }) =>
    [name, ...aliases].map((spelling) => [spelling, risk] as const),
  ),
)

/** Of annotations that are too long nothing else is said: parsers are spared them. */
export function sizeFaults({ meta }: Ingress): readonly Finding[] {
  const entries = Object.entries(meta.annotations)
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  if (bytes <= maxBytes) return []
  return [{ field: annotationsPath, message: `they have ${bytes} bytes: write ${maxBytes} at most` }]
}

/** In the order of the keys: each is held against all rules. */
export function forbiddenAnnotations({ meta }: Ingress, rules: AnnotationRules): readonly Finding[] {
  return Object.entries(meta.annotations)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, value]) => {
      const message = fault(key, value, rules)
      return message === undefined ? [] : [{ field: annotationPath(key), message }]
    })
}

/** Those above the annotations-risk-level. */
export function riskyAnnotations(
  { meta }: Ingress,
  { settings, prefix }: AnnotationRules,
): readonly Finding[] {
  return Object.keys(meta.annotations)
    .sort()
    .flatMap((key) => {
      const name = nameUnder(key, prefix)
      const risk = name === undefined ? undefined : risks.get(name)
      if (risk === undefined || !isAbove(risk, settings.maxRisk)) return []
      const message = `annotation ${shown(key)} is of risk ${risk}, and annotations-risk-level allows ${settings.maxRisk} at most: remove it, or ask who runs the controller`
      return [{ field: annotationPath(key), message }]
    })
}

function fault(key: string, value: string, { settings, prefix }: AnnotationRules): string | undefined {
  if (prefix !== usualPrefix && key.startsWith(`${usualPrefix}/`))
    return `annotation ${shown(key)} has another prefix than this controller reads: write ${shown(`${prefix}/${key.slice(usualPrefix.length + 1)}`)}`
  const isRead = nameUnder(key, prefix) !== undefined
  const word = isRead ? settings.blockedWords.find((blocked) => value.includes(blocked)) : undefined
  if (word !== undefined)
    return `annotation ${shown(key)} contains the word ${shown(word)}, which annotation-value-word-blocklist forbids: write it without`
  if (key.endsWith("-snippet") && !settings.allowsSnippetAnnotations)
    return `annotation ${shown(key)} cannot be used: snippets are off, remove it, or ask who runs the controller for allow-snippet-annotations`
  return undefined
}

/** Without the prefix, if it is one of those that are read. */
function nameUnder(key: string, prefix: string): string | undefined {
  for (const read of [prefix, ownPrefix]) if (key.startsWith(`${read}/`)) return key.slice(read.length + 1)
  return undefined
}
