import { qualifiedName } from "../../../model/objects/object.ts"
import { Failure } from "../../../support/failure.ts"
import { ApiFailure } from "../api.ts"

// What an API server says in lists and watches. Sources: Kubernetes, "API Concepts", and meta/v1 of its API.

/** An object, and what is needed of it to keep books. */
export interface Versioned {
  /** `namespace/name`, or the name alone */
  readonly name: string
  readonly version: string
  readonly object: unknown
}

/** One page of a list. */
export interface Page {
  /** as of which the whole list is */
  readonly version: string
  readonly objects: readonly Versioned[]
  /** where the next page begins; "": this was the last one */
  readonly next: string
}

/** One line of a watch. */
export type WatchEvent =
  | ({ readonly kind: "set" } & Versioned)
  | { readonly kind: "deleted"; readonly name: string; readonly version: string }
  /** Nothing up to this version is left to be told. */
  | { readonly kind: "bookmark"; readonly version: string; readonly endsInitialEvents: boolean }

/** The server says what no API server says; perhaps something between us and it does. */
export class Malformed extends Failure {
  constructor(message: string) {
    super("api-malformed", message)
  }
}

/** @throws Malformed: what cannot be understood must not look like an empty list */
export function readPage(answer: unknown): Page {
  const version = textAt(answer, "metadata", "resourceVersion")
  const items = at(answer, "items")
  if (version === "" || !(Array.isArray(items) || items === null))
    throw new Malformed("the answer is no list of objects")
  return { version, objects: (items ?? []).map(readObject), next: textAt(answer, "metadata", "continue") }
}

/** Reads lines up to the first one that is an error or makes no sense: what came before it has happened. */
export function readEvents(lines: readonly unknown[]): { events: readonly WatchEvent[]; failure?: Failure } {
  const events: WatchEvent[] = []
  try {
    for (const line of lines) events.push(readEvent(line))
    return { events }
  } catch (error) {
    if (error instanceof Failure) return { events, failure: error }
    throw error
  }
}

function readEvent(line: unknown): WatchEvent {
  const object = at(line, "object")
  switch (at(line, "type")) {
    case "ADDED":
    case "MODIFIED":
      return { kind: "set", ...readObject(object) }
    case "DELETED": {
      const { name, version } = readObject(object)
      return { kind: "deleted", name, version }
    }
    case "BOOKMARK":
      return readBookmark(object)
    case "ERROR":
      throw failureOf(object)
    default:
      throw new Malformed("the answer is no watch of objects")
  }
}

function readObject(object: unknown): Versioned {
  const name = textAt(object, "metadata", "name")
  const namespace = textAt(object, "metadata", "namespace")
  const version = textAt(object, "metadata", "resourceVersion")
  if (name === "" || version === "") throw new Malformed("an object has no name or resourceVersion")
  return { name: qualifiedName({ namespace, name }), version, object }
}

function readBookmark(object: unknown): WatchEvent {
  const version = textAt(object, "metadata", "resourceVersion")
  if (version === "") throw new Malformed("a bookmark has no resourceVersion")
  const endsInitialEvents = textAt(object, "metadata", "annotations", "k8s.io/initial-events-end") === "true"
  return { kind: "bookmark", version, endsInitialEvents }
}

/** The Status of an ERROR event, as if it had been the answer. */
function failureOf(status: unknown): ApiFailure {
  const code = at(status, "code")
  const seconds = at(at(status, "details"), "retryAfterSeconds")
  return new ApiFailure(textAt(status, "message") || "the server ended the watch with an error", {
    status: typeof code === "number" ? code : 500,
    reason: textAt(status, "reason"),
    ...(typeof seconds === "number" && { retryAfterMs: seconds * 1000 }),
  })
}

function at(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined
  return (value as Readonly<Record<string, unknown>>)[key]
}

/** The text at a path of keys; "" when there is none. */
function textAt(value: unknown, ...path: readonly string[]): string {
  const found = path.reduce(at, value)
  return typeof found === "string" ? found : ""
}
