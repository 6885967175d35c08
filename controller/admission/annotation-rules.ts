import { blockedWord } from "../core/annotations/rules.ts"
import type { Settings } from "../core/options/settings.ts"
import { annotationPath, annotationsPath } from "../model/field-path.ts"
import type { Ingress } from "../model/objects/ingress.ts"
import { shown } from "../model/shown.ts"
import type { Finding } from "./finding.ts"

// What only the webhook can refuse, beside the rules that hold for what is there, too (core/annotations/rules.ts).

/** What annotations are held against. */
export interface ValueRules {
  readonly settings: Pick<Settings, "allowsSnippetAnnotations" | "blockedWords">
  /** `--annotations-prefix` */
  readonly prefix: string
}

const usualPrefix = "nginx.ingress.kubernetes.io"

/** All keys and values. Source: Kubernetes, ValidateAnnotations; it is held against that only after webhooks have been asked. */
const maxBytes = 256 * 1024

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
export function refusedValues({ meta }: Ingress, rules: ValueRules): readonly Finding[] {
  return Object.entries(meta.annotations)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, value]) => {
      const message = fault(key, value, rules)
      return message === undefined ? [] : [{ field: annotationPath(key), message }]
    })
}

function fault(key: string, value: string, rules: ValueRules): string | undefined {
  const { settings, prefix } = rules
  if (prefix !== usualPrefix && key.startsWith(`${usualPrefix}/`))
    return `annotation ${shown(key)} has another prefix than this controller reads: write ${shown(`${prefix}/${key.slice(usualPrefix.length + 1)}`)}`
  const blocked = blockedWord(key, value, rules)
  if (blocked !== undefined) return blocked.message
  if (key.endsWith("-snippet") && !settings.allowsSnippetAnnotations)
    return `annotation ${shown(key)} cannot be used: snippets are off, remove it, or ask the operator of wick for allow-snippet-annotations`
  return undefined
}
