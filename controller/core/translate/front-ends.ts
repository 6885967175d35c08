import type { FrontEnd } from "../declared/declarations.ts"
import { GatewayFrontEnd } from "../gateway/front-end.ts"
import { AnnotatedRoutes } from "../ingress/annotated-routes.ts"
import { IngressFrontEnd } from "../ingress/front-end.ts"
import type { Context } from "../options/context.ts"
import { StreamsFrontEnd } from "../streams/front-end.ts"

/** Makes a front end for one set of settings. */
export type MakeFrontEnd = (context: Context) => FrontEnd

/** A line for each family of objects. Where two declare the same host of a listener, the first has it. */
export const frontEnds: readonly MakeFrontEnd[] = [
  (context) => new IngressFrontEnd(context),
  (context) => new StreamsFrontEnd(context),
  (context) => new GatewayFrontEnd(context, new AnnotatedRoutes(context)),
]
