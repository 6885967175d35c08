import type { IngressPath } from "../../../controller/model/objects/ingress.ts"
import { matching } from "./patterns.ts"

/** A target, and what it is to show. */
export interface Target {
  readonly target: string
  readonly about: string
}

/** Stands for whatever there is below a path. */
const below = "wick-diff"

/** Targets for a path, itself first. @param isPattern the paths of its host are regular expressions */
export function targetsFor({ path: written, pathType }: IngressPath, isPattern: boolean): readonly Target[] {
  const path = written === "" ? "/" : written
  if (isPattern && pathType !== "Exact") return patternTargets(path)
  const itself = { target: encoded(path), about: `${kindOf(pathType)} path` }
  if (path === "/") return [itself, { target: `/${below}`, about: `below the ${kindOf(pathType)} path /` }]
  const bare = path.replace(/\/+$/, "")
  return [
    itself,
    path.endsWith("/")
      ? { target: encoded(bare), about: `${kindOf(pathType)} path without its slash` }
      : { target: encoded(`${path}/`), about: `${kindOf(pathType)} path with a slash` },
    { target: encoded(`${bare}/${below}`), about: `below the ${kindOf(pathType)} path` },
    { target: encoded(`${bare}-${below}`), about: `beside the ${kindOf(pathType)} path` },
  ]
}

/** The path as it is written comes last: few would ask for it. */
function patternTargets(path: string): readonly Target[] {
  const texts = matching(path).filter((text) => text.startsWith("/"))
  return [
    ...texts.map((text) => ({ target: encoded(text), about: "matches the regular expression" })),
    ...texts
      .slice(0, 1)
      .map((text) => ({ target: encoded(`${text}-${below}`), about: "begins as the regular expression" })),
    { target: encoded(path), about: "the regular expression as it is written" },
  ].map((it) => (it.target.startsWith("/") ? it : { ...it, target: `/${it.target}` }))
}

function kindOf(pathType: IngressPath["pathType"]): string {
  return pathType === "ImplementationSpecific" ? "implementation-specific" : pathType.toLowerCase()
}

/** As a client sends it: rules have their paths decoded. */
function encoded(path: string): string {
  return encodeURI(path.toWellFormed()).replace(/[?#]/g, encodeURIComponent)
}
