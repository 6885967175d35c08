import { join } from "node:path"
import type { Fixed } from "../../model/model.ts"
import type { SecretFile } from "../../model/secret-file.ts"
import { checksumOf, contentName } from "../../support/content-name.ts"
import { root } from "../../support/root.ts"
import { authServices } from "./auth-services.ts"
import { loadTemplates, type Print } from "./engine.ts"
import { errorPages } from "./error-pages.ts"
import { httpFields } from "./http/http.ts"
import { endpointMetricFields, metricFields } from "./http/metrics.ts"
import { processFields } from "./http/processes.ts"
import { tracingFields } from "./http/tracing.ts"
import { locationFields } from "./location.ts"
import { mirrorsOf } from "./mirrors.ts"
import { serverBlocks, sharedNames } from "./server-blocks.ts"
import type { Site } from "./site.ts"
import { hasStream, streamFields } from "./streams.ts"

export type { Paths, Site } from "./site.ts"

// In comes the fixed half of a model, out goes the text of nginx.conf. Everything is decided here, the templates print. It knows no file
// but its templates, no process, and nothing of hosts, paths and endpoints, which are no configuration.

/** An nginx.conf. */
export interface Conf {
  readonly text: string
  /** 32 hex digits over the text; the control server of an nginx that runs with it answers `GET /conf` with them and with `Site.build` */
  readonly hash: string
  /** what the text names, unless it is there from an earlier one */
  readonly files: readonly SecretFile[]
  /** worker processes that run with it */
  readonly workers: number
  /** how many of earlier ones may finish what they have begun */
  readonly maxOldWorkers: number
}

/**
 * What an nginx is there for. `prepared`: it takes in routes and endpoints, and does not listen for traffic. `holding`: the same, but it has the
 * listening sockets of the nginx whose place it takes, and accepts nobody. `serving`: it does.
 */
export type Stage = "prepared" | "holding" | "serving"

/**
 * Prints a fixed half.
 *
 * @param stage default `serving`
 */
export type Render = (fixed: Fixed, site: Site, stage?: Stage) => Conf

const templates = join(root, "nginx/templates")

/** Reads the templates; the result is pure: equal arguments give an equal text. */
export function loadRender(folder: string = templates): Render {
  const print = loadTemplates(folder)
  return (fixed, site, stage = "serving") => {
    const fields = { ...fieldsOf(fixed, site), listens: stage !== "prepared", accepts: stage !== "holding" }
    const { workers, maxOldWorkers } = fields.processes
    return { ...withHash(print, fields), files: fixed.files ?? [], workers, maxOldWorkers }
  }
}

/** The text holds its own hash, and a number of it, so that is taken over the text with empty ones. */
function withHash(print: Print, fields: object): { text: string; hash: string } {
  const hash = contentName(print({ ...fields, hash: "", checksum: "" }))
  return { hash, text: print({ ...fields, hash, checksum: checksumOf(hash) }) }
}

/** What the templates print, word for word. */
function fieldsOf(fixed: Fixed, site: Site) {
  const { http } = fixed
  const mirrors = mirrorsOf(fixed)
  return {
    build: site.build,
    paths: {
      ...site.paths,
      streamModule: site.paths.streamModule ?? null,
      mimeTypes: site.paths.mimeTypes ?? null,
      controlListen: `unix:${site.paths.sockets.control}`,
      explainListen: `unix:${site.paths.sockets.explain}`,
      explainTlsListen: `unix:${site.paths.sockets.explainTls}`,
    },
    user: site.user ?? null,
    processes: processFields(http, site),
    metrics: metricFields(site),
    endpointMetrics: endpointMetricFields(site),
    tracing: tracingFields(http.tracing),
    http: httpFields(fixed, site),
    streams: streamFields(fixed, site),
    snippets: http.snippets,
    hasStream: hasStream(fixed),
    countsSessions: (fixed.streams?.length ?? 0) > 0,
    authServices: authServices(http),
    locations: fixed.locations.map((location) => locationFields(location, fixed)),
    sharedNames: sharedNames(fixed),
    servers: serverBlocks(fixed),
    errorPages,
    mirrors,
    hasMirrors: mirrors.length > 0,
  }
}
