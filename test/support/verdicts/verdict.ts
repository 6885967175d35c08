import { lint } from "../../../cli/lint/lint.ts"
import { lintObjectsOf } from "../../../cli/lint/objects.ts"
import type { Route } from "../../../controller/model/route.ts"
import {
  ingress,
  ingressClass,
  type Json,
  secret,
  service,
  settings,
  slice,
} from "../../../harness/manifests.ts"
import { rootAuthority } from "../../../harness/pki.ts"
import { changesOf, optionsOf, translationOf } from "../../../harness/translation.ts"

/**
 * What a plain request for the first path of an Ingress comes to. `stuck`: nginx refuses the configuration as a whole, so that nothing of
 * anybody changes any more. `no-page`: served, but to pages of fewer origins, or without credentials.
 */
export type Outcome = "served" | "no-page" | "redirect" | "401" | "403" | "404" | "503" | "stuck"

/** An Ingress, what is around it, and what ingress-nginx 1.15.1 makes of it. */
export interface Given {
  /** its annotations */
  readonly says?: Readonly<Record<string, string>>
  /** of the controller's ConfigMap */
  readonly keys?: Readonly<Record<string, string>>
  /** as `ingress` takes them; `app.test/ → app:80` */
  readonly rules?: string | readonly string[]
  /** the Ingress as a whole, instead of the three before */
  readonly object?: Json
  readonly beside?: readonly Json[]
  readonly flags?: readonly string[]
  /** by ingress-nginx; `served` */
  readonly was?: Outcome
  /** other differences that concern it */
  readonly besides?: readonly string[]
}

/** Of a rule: Ingresses that it has to find, and such that are close to it and that it must not find. */
interface Cases {
  readonly told: readonly Given[]
  readonly untold: readonly Given[]
}

export type CasesOfRules = Readonly<Record<string, Cases>>

const users = secret("shop/users", { auth: "ann:{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=" })

const authority = secret("shop/ca", { "ca.crt": (await rootAuthority()).pem })

/** What DNS says. */
const names = { "outside.test": { kind: "found", addresses: ["192.0.2.1"] } } as const

/** What both make of it, and what lint says. */
export function judged({ says, keys, rules, object, beside = [], flags = [] }: Given) {
  const options = optionsOf(["--configmap=nginx/settings", ...flags])
  const own = object ?? ingress("shop/app", rules ?? "app.test/ → app:80", says, 5)
  const objects: readonly Json[] = [
    ingressClass,
    own,
    ...["shop/app", "shop/auth", "shop/other", "blog/web"].flatMap((name) => [
      service(name),
      slice(name, ["10.0.0.1"], 80),
    ]),
    users,
    authority,
    settings("nginx/settings", keys ?? {}),
    ...beside,
  ]
  const changes = objects.flatMap((it) => changesOf(it, "objects.yaml:1"))
  const given = { options, badFlags: [], nowMs: Date.UTC(2026, 5, 1) }
  const report = lint(lintObjectsOf(changes, options, true), given)
  const it = report.ingresses.find(({ object: { namespace, name } }) => `${namespace}/${name}` === "shop/app")
  return {
    now: outcomeOf(own, translationOf(changes, options, names)),
    verdict: it?.verdict,
    rules: [...report.everyone, ...(it?.findings ?? [])].map(({ rule }) => rule),
  }
}

/** What wick's own translation comes to, whatever lint says. */
function outcomeOf(object: Json, { model }: ReturnType<typeof translationOf>): Outcome {
  const { host, path } = firstPath(object)
  const at = model.live.hosts
    .filter((it) => it.host === host)
    .flatMap(({ routes }) => routes.filter(({ locationPath }) => locationPath === path))
  const route = at.find(({ ingressName }) => ingressName === "app") ?? at[0]
  if (route === undefined) return "404"
  const { status, redirect, cors, backend } = route
  if (redirect !== undefined) return "redirect"
  if (status === 403 || status === 404 || status === 503) return `${status}`
  if (model.live.backends.find(({ name }) => name === backend)?.endpoints.length === 0) return "503"
  return isWithoutPages(object, cors) ? "no-page" : "served"
}

function isWithoutPages(object: Json, cors: Route["cors"]): boolean {
  const { annotations } = object.metadata as { annotations: Readonly<Record<string, string>> }
  const said = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`]
  if (said("enable-cors") !== "true") return false
  return cors === undefined || (!cors.allowsCredentials && said("cors-allow-credentials") !== "false")
}

function firstPath(object: Json): { host: string; path: string } {
  const { rules } = object.spec as { rules: { host?: string; http?: { paths: { path: string }[] } }[] }
  return { host: rules[0]?.host ?? "_", path: rules[0]?.http?.paths[0]?.path ?? "/" }
}

/** Which verdicts are true, by what both do. @param isTold a difference concerns the Ingress */
export function trueVerdicts(was: Outcome, now: Outcome, isTold: boolean): readonly string[] {
  if (was === "stuck") return ["different", "closed"]
  const [wasServed, isServed] = [was, now].map((it) => it === "served" || it === "redirect")
  if (wasServed && !isServed) return ["closed"]
  if (!wasServed && isServed) return ["different", "open"]
  if (was !== now) return ["different"]
  return isTold ? ["different"] : ["same"]
}
