// YAML that pages of the documentation show: tests apply it as it stands there.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseAllDocuments } from "yaml"
import type { Json } from "../../harness/manifests.ts"
import { root } from "../../harness/paths.ts"

/** A fenced block of YAML. ` ```yaml problems=CODE,CODE ` says that wick is to report these Problems about it. */
export interface Example {
  readonly page: string
  readonly line: number
  /** the nearest one above */
  readonly heading: string
  readonly problems: readonly string[]
  readonly text: string
}

/** Every page that people read, from the root. */
export const pages: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  ...globSync(["docs/**/*.md", "deploy/**/*.md", "lab/**/*.md", "examples/**/*.md"], { cwd: root }),
].sort()

export function examplesOf(page: string): Example[] {
  const text = readFileSync(join(root, page), "utf8")
  return [...text.matchAll(/^```ya?ml(?: problems=(\S+))?\n(.*?)^```$/gms)].map((match) => {
    const [, problems = "", block = ""] = match
    const before = text.slice(0, match.index)
    return {
      page,
      line: before.split("\n").length,
      heading: [...before.matchAll(/^#+ (.+)$/gm)].at(-1)?.[1] ?? "",
      problems: problems.split(",").filter((code) => code !== ""),
      text: block,
    }
  })
}

/** Documents of an example. @throws Error when it is not YAML */
export function documentsOf({ page, line, text }: Example): unknown[] {
  return parseAllDocuments(text).map((document) => {
    const [trouble] = [...document.errors, ...document.warnings]
    if (trouble !== undefined) throw new Error(`${page}:${line}: ${trouble.message}`)
    return document.toJS() as unknown
  })
}

/**
 * The Kubernetes objects that a page shows under a heading, in a namespace: what somebody has who copied them.
 *
 * @throws Error when there are none, so that a renamed heading is noticed
 */
export function objectsUnder(page: string, heading: string, namespace = "demo"): Json[] {
  const examples = examplesOf(page).filter((example) => example.heading === heading)
  const objects = examples.flatMap(documentsOf).filter(isObject)
  if (objects.length === 0) throw new Error(`${page} shows no objects under "${heading}"`)
  return objects.map((object) => inNamespace(object, namespace))
}

/** @returns whether this could be an object of some cluster */
export function isObject(value: unknown): value is KubernetesObject {
  return typeof value === "object" && value !== null && "apiVersion" in value && "kind" in value
}

export type KubernetesObject = Json & {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Json
}

/** As `kubectl apply --namespace` does it. */
export function inNamespace(object: KubernetesObject, namespace: string): KubernetesObject {
  return { ...object, metadata: { namespace, ...object.metadata } }
}
