// What is different between two renderings, in lines that a person can read.
import { type KubernetesObject, notices, type Rendered, type Rendering } from "./helm.ts"

/** One line for each object that went and for each field that came, went or changed; notices of NOTES.txt at the end. */
export function difference(before: Rendering, after: Rendering): string[] {
  return [
    ...paired(before.objects, after.objects).flatMap(compareObjects),
    ...compared(asEntries(notices(before)), asEntries(notices(after))),
  ]
}

type Pair = readonly [before: KubernetesObject | undefined, after: KubernetesObject | undefined]

/** By their names; of what is left, by the template and the kind: an object that was renamed is not two. */
function paired(before: readonly Rendered[], after: readonly Rendered[]): Pair[] {
  const left = [...after]
  const take = (isSame: (other: Rendered) => boolean) => {
    const index = left.findIndex(isSame)
    return index < 0 ? undefined : left.splice(index, 1)[0]
  }
  const named = before.map(
    (one) => [one, take(({ object }) => titleOf(object) === titleOf(one.object))] as const,
  )
  const all = named.map(([one, other]): Pair => {
    const renamed =
      other ?? take(({ template, object }) => template === one.template && object.kind === one.object.kind)
    return [one.object, renamed?.object]
  })
  return [...all, ...left.map(({ object }): Pair => [undefined, object])]
}

function compareObjects([before, after]: Pair): string[] {
  const title = titleOf(before ?? after)
  if (after === undefined) return [`- ${title}`]
  const isNew = ([path]: readonly [string, string]) => before !== undefined || !usual.test(path)
  return compared(
    new Map(before === undefined ? [] : fieldsOf(before)),
    new Map(fieldsOf(after).filter(isNew)),
    `${title} `,
  )
}

/** What every object has, which another test looks at. */
const usual =
  /^metadata\.(namespace|labels\.(helm\.sh\/chart|app\.kubernetes\.io\/(name|instance|version|part-of|managed-by)))$/

function fieldsOf({ apiVersion: _, kind: __, ...rest }: KubernetesObject): [string, string][] {
  return flat(rest)
}

/** The release's namespace is not told. */
function titleOf(object: KubernetesObject | undefined): string {
  if (object === undefined) return ""
  const {
    kind,
    metadata: { name, namespace = "ingress" },
  } = object
  return `${kind} ${namespace === "ingress" ? "" : `${namespace}/`}${name}`
}

function asEntries(lines: readonly string[]): Map<string, string> {
  return new Map(lines.map((line) => [line, ""]))
}

function compared(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  title = "",
): string[] {
  const line = (sign: string, path: string, value: string) =>
    `${sign} ${title}${path}${value === "" ? "" : `: ${short(value)}`}`
  const gone = [...before].filter(([path]) => !after.has(path)).map(([path, value]) => line("-", path, value))
  const here = [...after]
    .filter(([path, value]) => before.get(path) !== value)
    .map(([path, value]) =>
      before.has(path) ? line("~", path, `${before.get(path)} → ${value}`) : line("+", path, value),
    )
  return [...gone, ...here]
}

/** Whole files, as dashboards, are told by how they begin. */
function short(value: string): string {
  return value.length > 2000 ? `${value.slice(0, 40)}…` : value
}

/** Leaves by their path: texts, numbers, empty maps and lists, and rules of a Role. */
function flat(value: unknown, path = ""): [string, string][] {
  if (typeof value !== "object" || value === null || "verbs" in value) return [[path, JSON.stringify(value)]]
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [`[${keyOf(item, index)}]`, item])
    : Object.entries(value)
  if (entries.length === 0) return [[path, JSON.stringify(value)]]
  return entries.flatMap(([key, inner]) => flat(inner, path === "" ? key : `${path}.${key}`))
}

/** Items go by what tells them apart, so that one more changes no other: containers by their names, flags by theirs, rules by what they are about. */
function keyOf(item: unknown, index: number): string {
  if (typeof item === "string") return item.split("=")[0] ?? ""
  const { name, alert, verbs, resources } = item as Readonly<Record<string, unknown>>
  if (typeof name === "string") return name
  if (typeof alert === "string") return alert
  return verbs === undefined ? `${index}` : `${verbs} ${resources}`
}
