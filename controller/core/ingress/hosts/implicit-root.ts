import { closedAccess, openAccess } from "../../declared/access.ts"
import { noFilters } from "../../declared/filters.ts"
import { type Proxying, plainProxying } from "../../declared/proxying.ts"
import { nobody } from "../../declared/rule.ts"
import type { Context } from "../../options/context.ts"
import { defaultBalancing } from "../parsed/balancing.ts"
import { type ParsedRoute, pathMatch } from "../parsed/parsed-route.ts"

/** `/` of `_` as long as no Ingress declares it: logged if the ConfigMap says so. */
export function implicitRoot({ settings }: Context): ParsedRoute {
  const root = settings.logsDefaultBackend ? loggedRoot : { ...loggedRoot, proxying: unlogged }
  return settings.closedByKeys.includes("all") ? { ...root, access: closedAccess } : root
}

const unlogged: Proxying = { ...plainProxying, variables: { accessLog: "0" } }

const loggedRoot: ParsedRoute = {
  source: nobody,
  field: "",
  backendAt: "",
  ...pathMatch("/", "prefix"),
  proxying: plainProxying,
  filters: noFilters,
  access: openAccess,
  balancing: defaultBalancing,
}
