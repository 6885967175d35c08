import { compareText } from "../../../controller/support/order.ts"
import { percent, secondsText } from "../endpoint-table.ts"
import { printable } from "../table.ts"
import type { Activity, BackendActivity, EndpointActivity, NamedTraffic } from "./activity.ts"
import type { PortActivity } from "./port-activity.ts"

// What can be looked at: each a list with columns, some of which it can be sorted by.

export const viewNames = ["ingresses", "hosts", "backends", "endpoints", "ports"] as const

export type ViewName = (typeof viewNames)[number]

/** A list as it is shown, sorted and without what the filter leaves out. */
export interface Table {
  readonly heads: readonly Head[]
  readonly rows: readonly Row[]
  /** of all, before the filter */
  readonly total: number
  /** why there is nothing to see, a sentence */
  readonly nothing?: string
}

interface Head {
  readonly text: string
  /** numbers stand at the right of their column */
  readonly isNumber: boolean
  /** it is sorted by this one */
  readonly isSorted: boolean
}

interface Row {
  readonly cells: readonly string[]
  /** worth looking at */
  readonly isBad: boolean
}

interface Column<T> {
  readonly head: string
  readonly text: (row: T) => string
  /** what it is sorted by, largest first; texts ascending */
  readonly by: (row: T) => number | string
}

interface View<T> {
  readonly rows: (activity: Activity) => readonly T[] | undefined
  readonly columns: readonly Column<T>[]
  readonly isBad: (row: T) => boolean
  /** it is sorted by this column first */
  readonly sorted: number
  readonly nothing: (activity: Activity) => string
}

const notCounted = "Requests are not counted: start the controller with --enable-metrics"

const traffic = (head: string, rows: View<NamedTraffic>["rows"]): View<NamedTraffic> => ({
  rows,
  columns: [
    { head, text: ({ name }) => (name === "" ? "-" : name), by: ({ name }) => name },
    { head: "REQ/S", text: ({ perSecond }) => rate(perSecond), by: ({ perSecond }) => perSecond },
    {
      head: "5XX",
      text: ({ errorsPerSecond, perSecond }) => share(errorsPerSecond, perSecond),
      by: ({ errorsPerSecond }) => errorsPerSecond,
    },
    {
      head: "4XX",
      text: ({ refusedPerSecond, perSecond }) => share(refusedPerSecond, perSecond),
      by: ({ refusedPerSecond }) => refusedPerSecond,
    },
    {
      head: "MEAN",
      text: ({ meanSeconds }) => secondsText(meanSeconds),
      by: ({ meanSeconds = -1 }) => meanSeconds,
    },
    { head: "P99", text: p99Text, by: ({ p99Seconds = -1 }) => p99Seconds },
    { head: "TOTAL", text: ({ total }) => String(total), by: ({ total }) => total },
  ],
  isBad: ({ errorsPerSecond }) => errorsPerSecond > 0,
  sorted: 1,
  nothing: ({ requests }) => (requests === undefined ? notCounted : "There were no requests"),
})

interface Attempted {
  readonly perSecond?: number
  readonly failuresPerSecond?: number
  readonly responseSeconds?: number
  readonly running?: number
}

const attempts: readonly Column<Attempted>[] = [
  { head: "ATT/S", text: ({ perSecond }) => rate(perSecond), by: ({ perSecond = -1 }) => perSecond },
  {
    head: "FAILED",
    text: ({ failuresPerSecond, perSecond }) => share(failuresPerSecond, perSecond),
    by: ({ failuresPerSecond = -1 }) => failuresPerSecond,
  },
  {
    head: "RESPONSE",
    text: ({ responseSeconds }) => secondsText(responseSeconds),
    by: ({ responseSeconds = -1 }) => responseSeconds,
  },
  { head: "RUNNING", text: ({ running }) => String(running ?? "-"), by: ({ running = -1 }) => running },
]

const backends: View<BackendActivity> = {
  rows: ({ backends }) => backends,
  columns: [
    { head: "BACKEND", text: ({ name }) => name, by: ({ name }) => name },
    ...attempts,
    { head: "ENDPOINTS", text: ({ endpoints }) => String(endpoints), by: ({ endpoints }) => endpoints },
    {
      head: "OUT",
      text: ({ ejected }) => (ejected === 0 ? "-" : String(ejected)),
      by: ({ ejected }) => ejected,
    },
  ],
  isBad: ({ failuresPerSecond = 0, ejected }) => failuresPerSecond > 0 || ejected > 0,
  sorted: 1,
  nothing: ({ countsEndpoints }) =>
    countsEndpoints
      ? "There were no attempts"
      : "Attempts are not counted by endpoint: start the controller with --metrics-per-endpoint",
}

const endpoints: View<EndpointActivity> = {
  rows: ({ endpoints }) => endpoints,
  columns: [
    { head: "ENDPOINT", text: ({ endpoint }) => endpoint, by: ({ endpoint }) => endpoint },
    { head: "BACKEND", text: ({ backend }) => backend, by: ({ backend }) => backend },
    ...attempts,
    {
      head: "EWMA",
      text: ({ scoreSeconds }) => secondsText(scoreSeconds || undefined),
      by: ({ scoreSeconds = -1 }) => scoreSeconds,
    },
    { head: "NOTES", text: ({ notes }) => notes.join("; "), by: ({ notes }) => notes.length },
  ],
  isBad: ({ failuresPerSecond = 0, isEjected }) => failuresPerSecond > 0 || isEjected,
  sorted: 2,
  nothing: backends.nothing,
}

const ports: View<PortActivity> = {
  rows: ({ ports }) => ports,
  columns: [
    { head: "PORT", text: ({ name }) => name, by: ({ name }) => name },
    { head: "SESS/S", text: ({ perSecond }) => rate(perSecond), by: ({ perSecond }) => perSecond },
    {
      head: "FAILED",
      text: ({ failuresPerSecond, perSecond }) => share(failuresPerSecond, perSecond),
      by: ({ failuresPerSecond }) => failuresPerSecond,
    },
    {
      head: "REFUSED",
      text: ({ refusedPerSecond, perSecond }) => share(refusedPerSecond, perSecond),
      by: ({ refusedPerSecond }) => refusedPerSecond,
    },
    { head: "OPEN", text: ({ open }) => String(open), by: ({ open }) => open },
    {
      head: "CONNECT",
      text: ({ connectSeconds }) => secondsText(connectSeconds),
      by: ({ connectSeconds = -1 }) => connectSeconds,
    },
    {
      head: "IN/S",
      text: ({ receivedBytesPerSecond }) => bytesText(receivedBytesPerSecond),
      by: ({ receivedBytesPerSecond }) => receivedBytesPerSecond,
    },
    {
      head: "OUT/S",
      text: ({ sentBytesPerSecond }) => bytesText(sentBytesPerSecond),
      by: ({ sentBytesPerSecond }) => sentBytesPerSecond,
    },
    { head: "TOTAL", text: ({ total }) => String(total), by: ({ total }) => total },
  ],
  isBad: ({ failuresPerSecond }) => failuresPerSecond > 0,
  sorted: 1,
  nothing: () => "Nobody has come to a port of a TCP or UDP service",
}

const views = {
  ingresses: traffic("INGRESS", ({ ingresses }) => ingresses),
  hosts: traffic("HOST", ({ hosts }) => hosts),
  backends,
  endpoints,
  ports,
}

/** What it is looked at by. */
export interface Sorting {
  /** column; undefined: the view's own */
  readonly column?: number | undefined
  readonly isReversed: boolean
  /** rows must have this in their text, in any case */
  readonly filter: string
}

export function tableOf(name: ViewName, activity: Activity, sorting: Sorting): Table {
  switch (name) {
    case "ingresses":
    case "hosts":
      return table(views[name], activity, sorting)
    case "backends":
      return table(views.backends, activity, sorting)
    case "endpoints":
      return table(views.endpoints, activity, sorting)
    case "ports":
      return table(views.ports, activity, sorting)
    default:
      return name satisfies never
  }
}

export function columnsOf(name: ViewName): number {
  return views[name].columns.length
}

/** The column that a view is sorted by unless another one is wanted. */
export function sortedBy(name: ViewName): number {
  return views[name].sorted
}

function table<T>(view: View<T>, activity: Activity, sorting: Sorting): Table {
  const { columns } = view
  const all = view.rows(activity)
  const at = sorting.column ?? view.sorted
  const rows = [...(all ?? [])].sort((a, b) => compared(columns[at]?.by(a), columns[at]?.by(b)))
  if (sorting.isReversed) rows.reverse()
  const wanted = sorting.filter.toLowerCase()
  const shown = rows
    .map((row) => ({ cells: columns.map(({ text }) => printable(text(row))), isBad: view.isBad(row) }))
    .filter(({ cells }) => cells.some((cell) => cell.toLowerCase().includes(wanted)))
  const [first] = rows
  return {
    heads: columns.map(({ head, by }, nth) => ({
      text: head,
      isNumber: first !== undefined && typeof by(first) === "number" && head !== "NOTES",
      isSorted: nth === at,
    })),
    rows: shown,
    total: rows.length,
    ...((all === undefined || all.length === 0) && { nothing: view.nothing(activity) }),
  }
}

function compared(a: number | string = "", b: number | string = ""): number {
  return typeof a === "number" && typeof b === "number" ? b - a : compareText(String(a), String(b))
}

function p99Text({ p99Seconds, isP99Beyond = false }: NamedTraffic): string {
  return `${isP99Beyond ? "> " : ""}${secondsText(p99Seconds)}`
}

/** Per second. */
export function rate(perSecond: number | undefined): string {
  if (perSecond === undefined) return "-"
  return perSecond >= 100 || perSecond === 0 ? String(Math.round(perSecond)) : perSecond.toFixed(1)
}

/** What part of all some are. */
function share(some: number | undefined, all: number | undefined): string {
  return some === undefined || !all ? "-" : percent(some / all)
}

/** `0 B`, `12 kB`, `3.4 MB` */
function bytesText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"]
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`
}
