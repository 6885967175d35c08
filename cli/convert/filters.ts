import { corsDefaults } from "../../controller/core/annotations/cors.ts"
import { type AnnotationValues, unusable } from "../../controller/core/annotations/values.ts"
import { annotationPath } from "../../controller/model/field-path.ts"
import type { ConfigMap } from "../../controller/model/objects/config-map.ts"
import { isName } from "../../controller/support/host-name.ts"
import type { Subject } from "../lint/subject.ts"
import type { Json, Remarks } from "./conversion.ts"

// Filters that all paths of an Ingress have in common.

/** @param configMap by `namespace/name` */
export function filtersOf(
  subject: Subject,
  values: AnnotationValues,
  configMap: (name: string) => ConfigMap | undefined,
  remarks: Remarks,
): readonly Json[] {
  return [
    ...corsFilter(values.cors, subject, remarks),
    ...responseHeaders(values, subject, configMap, remarks),
    ...prefixHeader(values, subject, remarks),
  ]
}

/** What a request is sent on as: the host of `upstream-vhost`. */
export function vhostOf(values: AnnotationValues, subject: Subject, remarks: Remarks): string | undefined {
  const { vhost } = values.protocol
  if (vhost === undefined) return undefined
  if (isName(vhost.toLowerCase())) return vhost.toLowerCase()
  remarks.add(
    "left-out",
    at(subject, "upstream-vhost"),
    "A rewrite has a host name, without variables or port",
  )
  return undefined
}

const maxItems = 64
const httpMethods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"])
const originForm = /^\*$|^https?:\/\/(?:\*\.)?(?:[a-z0-9-]+\.)*[a-z0-9-]+(?::\d{1,5})?$/

/** The defaults of the annotations are written out: the Gateway API has others. */
function corsFilter(cors: AnnotationValues["cors"], subject: Subject, remarks: Remarks): readonly Json[] {
  if (cors.isEnabled !== true) return []
  const { origins = ["*"], allowsCredentials = true } = cors
  const { methods, headers, maxAgeSeconds } = { ...corsDefaults, ...cors }
  const all = origins === unusable ? [] : origins
  const allowOrigins = all.filter((origin) => originForm.test(origin)).slice(0, maxItems)
  if (allowOrigins.length < all.length)
    remarks.add("left-out", at(subject, "cors-allow-origin"), "Some origins are of no form that a filter has")
  if (allowOrigins.length === 0) {
    remarks.add("left-out", at(subject, "enable-cors"), "There is no origin left that a filter could allow")
    return []
  }
  const allowMethods = items(methods).map((it) => it.toUpperCase())
  const known = allowMethods.filter((method) => httpMethods.has(method))
  if (known.length < allowMethods.length)
    remarks.add("left-out", at(subject, "cors-allow-methods"), "A filter has the methods of HTTP only")
  remarks.addChange(
    "origins",
    at(subject, "enable-cors"),
    "Its headers are in answers to requests with an Origin, and were in all",
  )
  return [
    {
      type: "CORS",
      cors: {
        allowOrigins,
        allowMethods: known,
        allowHeaders: items(headers).slice(0, maxItems),
        ...(cors.exposedHeaders !== undefined && {
          exposeHeaders: items(cors.exposedHeaders).slice(0, maxItems),
        }),
        allowCredentials: allowsCredentials === true,
        maxAge: Math.min(Math.max(1, maxAgeSeconds), 2 ** 31 - 1),
      },
    },
  ]
}

function items(text: string): readonly string[] {
  return [...new Set(text.split(/[, ]+/).filter((item) => item !== ""))]
}

const maxHeaders = 16
const headerName = /^[\w!#$%&'*+.^`|~-]{1,256}$/
const headerValue = /^[^\r\n]{1,4096}$/

function responseHeaders(
  values: AnnotationValues,
  subject: Subject,
  configMap: (name: string) => ConfigMap | undefined,
  remarks: Remarks,
): readonly Json[] {
  const { headers: written } = values.responses
  if (written === undefined) return []
  const field = at(subject, "custom-headers")
  const name = String(written).replaceAll(" ", "")
  const map = configMap(name.includes("/") ? name : `${subject.ingress.meta.namespace}/${name}`)
  if (map === undefined) remarks.add("left-out", field, "The ConfigMap that it names was not read")
  const all = Object.entries(map?.data ?? {})
  const good = all.filter(([header, value]) => headerName.test(header) && headerValue.test(value))
  if (good.length < all.length || good.length > maxHeaders)
    remarks.add("left-out", field, `A filter has ${maxHeaders} headers of one line: the others were left out`)
  const set = good.slice(0, maxHeaders).map(([header, value]) => ({ name: header, value }))
  return set.length === 0 ? [] : [{ type: "ResponseHeaderModifier", responseHeaderModifier: { set } }]
}

function prefixHeader(values: AnnotationValues, subject: Subject, remarks: Remarks): readonly Json[] {
  const { forwardedPrefix, rewriteTarget } = values.routing
  if (forwardedPrefix === undefined || rewriteTarget === undefined) return []
  if (forwardedPrefix.includes("$")) {
    remarks.add("left-out", at(subject, "x-forwarded-prefix"), "A header of a filter has no variables")
    return []
  }
  const set = [{ name: "X-Forwarded-Prefix", value: forwardedPrefix }]
  return [{ type: "RequestHeaderModifier", requestHeaderModifier: { set } }]
}

/** Where the annotation stands. @param name of today */
export function at({ annotations }: Subject, name: string): string {
  const key = annotations.get(name)?.key
  return key === undefined ? "metadata.annotations" : annotationPath(key)
}
