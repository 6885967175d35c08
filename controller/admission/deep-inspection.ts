import { fieldPath } from "../model/field-path.ts"
import type { Ingress } from "../model/objects/ingress.ts"
import { shown } from "../model/shown.ts"
import type { Finding } from "./finding.ts"

/**
 * Text that has no place in a host, a path or a name, and is known from attacks on what prints them into nginx.conf. wick prints none of them, and
 * refuses them nevertheless: they are written with bad intent. Source: ingress-nginx, internal/ingress/inspector.
 */
const suspicious: readonly ((text: string) => boolean)[] = [
  (text) => hasInOrder(text, "alias", ";"),
  (text) => hasInOrder(text, "root", ";"),
  (text) => /\/etc\/(?:passwd|shadow|group|nginx|ingress-controller)/.test(text),
  (text) => text.includes("/var/run/secrets"),
  (text) => text.includes("_by_lua"),
]

/** As a pattern would say it, but in linear time. */
function hasInOrder(text: string, first: string, last: string): boolean {
  const at = text.indexOf(first)
  return at >= 0 && text.includes(last, at)
}

/** `--deep-inspect` */
export function inspect({ rules, tls }: Ingress): readonly Finding[] {
  const texts = [
    ...rules.flatMap(({ host, paths = [] }, at) => [
      { field: fieldPath("spec", "rules", at, "host"), what: "host", text: host },
      ...paths.map(({ path }, index) => ({
        field: fieldPath("spec", "rules", at, "http", "paths", index, "path"),
        what: "path",
        text: path,
      })),
    ]),
    ...tls.flatMap(({ hosts, secretName }, at) => [
      { field: fieldPath("spec", "tls", at, "secretName"), what: "Secret", text: secretName },
      ...hosts.map((host, index) => ({
        field: fieldPath("spec", "tls", at, "hosts", index),
        what: "host",
        text: host,
      })),
    ]),
  ]
  return texts
    .filter(({ text }) => suspicious.some((isSuspicious) => isSuspicious(text)))
    .map(({ field, what, text }) => ({
      field,
      message: `${what} ${shown(text)} has text that is known from attacks: write another one, or start wick with --deep-inspect=false`,
    }))
}
