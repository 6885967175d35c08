import { useEffect, useState } from "preact/hooks"

// Which view is shown, and of what, stands behind the # of the address: so there are bookmarks, links to send, and a way back.

/** `#/routes?q=shop` */
export interface Place {
  /** "" is the overview */
  readonly view: string
  readonly params: Readonly<Record<string, string>>
}

export function hrefOf(view: string, params: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(params).filter((pair): pair is [string, string] => Boolean(pair[1]))
  const query = new URLSearchParams(given).toString()
  return query === "" ? `#/${view}` : `#/${view}?${query}`
}

/** A step that the way back leads over. */
export function go(view: string, params: Readonly<Record<string, string | undefined>> = {}): void {
  location.hash = hrefOf(view, params)
}

/** The same view of something else, as while somebody types: no step. */
export function refine(params: Readonly<Record<string, string | undefined>>): void {
  const { view, params: before } = placeOf(location.hash)
  history.replaceState(null, "", hrefOf(view, { ...before, ...params }))
  dispatchEvent(new HashChangeEvent("hashchange"))
}

export function usePlace(): Place {
  const [place, setPlace] = useState(() => placeOf(location.hash))
  useEffect(() => {
    const changed = () => setPlace(placeOf(location.hash))
    addEventListener("hashchange", changed)
    return () => removeEventListener("hashchange", changed)
  }, [])
  return place
}

function placeOf(hash: string): Place {
  const [, view = "", query = ""] = /^#\/([\w-]*)(?:\?(.*))?$/.exec(hash) ?? []
  return { view, params: Object.fromEntries(new URLSearchParams(query)) }
}
