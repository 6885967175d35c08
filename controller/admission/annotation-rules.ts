import { annotationBytes, blockedWords, isParsedSnippet } from "../core/annotations/rules.ts"
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
export function sizeFaults(ingress: Ingress): readonly Finding[] {
  const bytes = annotationBytes(ingress)
  if (bytes <= maxBytes) return []
  return [{ field: annotationsPath, message: `they have ${bytes} bytes: write ${maxBytes} at most` }]
}

/** In the order of the keys: each is held against all rules. */
export function refusedValues(ingress: Ingress, rules: ValueRules): readonly Finding[] {
  const blocked = new Map(blockedWords(ingress, rules).map(({ key, message }) => [key, message]))
  return Object.keys(ingress.meta.annotations)
    .sort()
    .flatMap((key) => {
      const message = prefixFault(key, rules) ?? blocked.get(key) ?? snippetFault(key, rules)
      return message === undefined ? [] : [{ field: annotationPath(key), message }]
    })
}

function prefixFault(key: string, { prefix }: ValueRules): string | undefined {
  if (prefix === usualPrefix || !key.startsWith(`${usualPrefix}/`)) return undefined
  return `annotation ${shown(key)} has another prefix than this controller reads: write ${shown(`${prefix}/${key.slice(usualPrefix.length + 1)}`)}`
}

/** Of a snippet that wick reads itself, its reader says what of it needs a permission. */
function snippetFault(key: string, { settings, prefix }: ValueRules): string | undefined {
  if (!key.endsWith("-snippet") || settings.allowsSnippetAnnotations) return undefined
  if (isParsedSnippet(key, prefix)) return undefined
  return `annotation ${shown(key)} cannot be used: its text would be raw text of nginx's configuration, and that is off: remove it, or ask the operator of wick for allow-snippet-annotations`
}
