// What parts have measured, read as a scrape shows it.
import { Metrics } from "../../controller/report/observe/metrics.ts"

const identity = { controllerClass: "k8s.io/ingress-nginx", namespace: "ingress", pod: "wick-0" }

/** Behind which the labels of a series follow that are its own. */
const common =
  'controller_class="k8s.io/ingress-nginx",controller_namespace="ingress",controller_pod="wick-0"'

export const newMetrics = (isEnabled = true) =>
  new Metrics(identity, { release: "1.2.3", build: "abc", repository: "repo" }, isEnabled)

export async function textOf(metrics: Metrics): Promise<string> {
  return Buffer.from(await metrics.own("text")).toString()
}

/** The value of one series, undefined when it is not exported. @param labels its own, as they are printed: before the common ones, or behind */
export async function seriesOf(metrics: Metrics, name: string, labels = ""): Promise<number | undefined> {
  const behind = labels === "" ? common : `${common},${labels}`
  const before = `${labels},${common}`
  const lines = (await textOf(metrics)).split("\n")
  const line = lines.find((line) => [before, behind].some((all) => line.startsWith(`${name}{${all}} `)))
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ") + 1))
}
