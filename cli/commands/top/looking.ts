import { columnsOf, type Sorting, sortedBy, type ViewName, viewNames } from "./views.ts"

/** What somebody looks at, and how. */
export interface Looking extends Sorting {
  readonly view: ViewName
  /** the first row that is shown */
  readonly first: number
  /** keys go to the filter */
  readonly isTyping: boolean
}

export const firstLook: Looking = {
  view: "ingresses",
  isReversed: false,
  filter: "",
  first: 0,
  isTyping: false,
}

/** What a key does. @param rows that fit on a page @returns undefined: leave */
export function pressed(looking: Looking, key: string, rows: number): Looking | undefined {
  if (key === "ctrl-c") return undefined
  return looking.isTyping ? typed(looking, key) : chosen(looking, key, rows)
}

function typed(looking: Looking, key: string): Looking {
  const { filter } = looking
  if (key === "return" || key === "enter") return { ...looking, isTyping: false }
  if (key === "escape") return { ...looking, isTyping: false, filter: "", first: 0 }
  if (key === "backspace") return { ...looking, filter: filter.slice(0, -1), first: 0 }
  return key.length === 1 ? { ...looking, filter: filter + key, first: 0 } : looking
}

function chosen(looking: Looking, key: string, rows: number): Looking | undefined {
  const view = viewNames[Number(key) - 1]
  if (view !== undefined) return look(looking, view)
  switch (key) {
    case "q":
      return undefined
    case "tab":
      return look(looking, viewNames[(viewNames.indexOf(looking.view) + 1) % viewNames.length] ?? "ingresses")
    case "s":
      return { ...looking, column: nextColumn(looking), isReversed: false, first: 0 }
    case "r":
      return { ...looking, isReversed: !looking.isReversed, first: 0 }
    case "/":
      return { ...looking, isTyping: true }
    case "escape":
      return { ...looking, filter: "", first: 0 }
    case "up":
    case "k":
      return scrolled(looking, -1)
    case "down":
    case "j":
      return scrolled(looking, 1)
    case "pageup":
      return scrolled(looking, -rows)
    case "pagedown":
      return scrolled(looking, rows)
    case "home":
      return { ...looking, first: 0 }
    default:
      return looking
  }
}

/** The filter stays. */
function look({ filter }: Looking, view: ViewName): Looking {
  return { ...firstLook, view, filter }
}

function nextColumn({ view, column = sortedBy(view) }: Looking): number {
  return (column + 1) % columnsOf(view)
}

/** No further down than to the last row, which who draws knows. */
function scrolled(looking: Looking, by: number): Looking {
  return { ...looking, first: Math.max(looking.first + by, 0) }
}
