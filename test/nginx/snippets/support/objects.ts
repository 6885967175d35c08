// Cases as wick gets them.
import { ingress, ingressClass, type Json, serviceOn, settings } from "../../../../harness/manifests.ts"
import type { SnippetCase } from "./case.ts"
import { hostOf, ingressName, type OracleConf } from "./oracle.ts"

/** The objects that say the same to wick as the oracle's text does to nginx. */
export function objectsOf({ cases, backendPort, http, server, location }: OracleConf): Json[] {
  const snippets = { "http-snippet": http, "server-snippet": server, "location-snippet": location }
  const keys = Object.entries(snippets).flatMap(([key, text]) => (text === undefined ? [] : [[key, text]]))
  return [
    ingressClass,
    settings("demo/settings", {
      "worker-processes": "1",
      "allow-snippet-annotations": "true",
      "annotations-risk-level": "Critical",
      ...Object.fromEntries(keys),
    }),
    ...serviceOn("demo/app", [backendPort]),
    ...cases.map((it, index) => ingressOf(it, hostOf(index))),
  ]
}

function ingressOf(it: SnippetCase, host: string): Json {
  const paths = it.paths ?? [{ path: "/", type: "Prefix" }]
  const rules = paths.map(({ path, type }) => `${host}${path} ${type === "Exact" ? "=" : ""}→ app:80`)
  const snippets = {
    ...(it.server !== undefined && { "server-snippet": it.server }),
    ...(it.location !== undefined && { "configuration-snippet": it.location }),
  }
  return ingress(`demo/${ingressName(it)}`, rules, { ...it.annotations, ...snippets })
}
