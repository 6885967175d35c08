// Two servers for handshakes: stock nginx with a certificate in its configuration, and ours with many in the zone.
import { writeFileSync } from "node:fs"
import { Agent } from "node:http"
import { join } from "node:path"
import { ask } from "../../harness/http.ts"
import { pairRecord, tlsHostRecord } from "../../harness/ingress/tls-records.ts"
import { zoneWriter } from "../../harness/ingress/zone-writer.ts"
import { type Conf, type Nginx, type Site, startNginx } from "../../harness/nginx.ts"
import { type Identity, type KeyKind, rootAuthority } from "../../harness/pki.ts"

export type Key = Extract<KeyKind, "ec" | "rsa">

/** Which of a site's ports: by the key of nginx's own certificate, and by how sessions are kept. */
export const places = [
  { key: "ec", tickets: "on" },
  { key: "rsa", tickets: "on" },
  { key: "ec", tickets: "off" },
] as const

export const certificatesOf = { ec: "P-256", rsa: "RSA 2048" } as const
export const hostOf = (key: Key, n: number) => `${key}-${n}.shop.test`

export interface Certificates {
  readonly own: Readonly<Record<Key, Identity>>
  /** Half of them of each kind of key. */
  readonly many: readonly { readonly name: string; readonly identity: Identity }[]
}

/** So many below one intermediate authority. Those of RSA share 16 keys: making thousands would take longer than all the rest. */
export async function makeCertificates(count: number): Promise<Certificates> {
  const between = await (await rootAuthority()).intermediate()
  const issue = (key: Key, n: number, reused?: Identity) =>
    between.issue({ names: [hostOf(key, n)], key: reused?.key ?? key })
  const [ec, rsa] = [await issue("ec", 0), await issue("rsa", 0)]
  const seeds = await Promise.all(Array.from({ length: 16 }, (_, n) => issue("rsa", n)))
  const many = []
  for (let n = 0; n < count / 2; n += 1) {
    many.push({ name: hostOf("ec", n), identity: await issue("ec", n) })
    many.push({ name: hostOf("rsa", n), identity: await issue("rsa", n, seeds[n % seeds.length]) })
  }
  return { own: { ec, rsa }, many }
}

/** @param under runs nginx, as one process, under another program */
export function startStatic(certificates: Certificates, under?: readonly string[]): Promise<Nginx> {
  return start(certificates, { main: "", http: "", server: "" }, under)
}

/** With all of the certificates in the zone, each for the host of its name. */
export async function startOurs(certificates: Certificates, under?: readonly string[]): Promise<Nginx> {
  const writer = await zoneWriter()
  const parts = {
    main: `load_module MODULES/ngx_http_ingress_module.so; load_module ${writer};`,
    http: "zone_writer certificates 128m; client_body_buffer_size 64k; server { listen unix:SOCKET; location / { zone_write certificates; } }",
    server: "ingress_certificates certificates;",
  }
  const nginx = await start(certificates, parts, under)
  await fill(nginx, certificates)
  return nginx
}

async function fill(nginx: Nginx, { many }: Certificates): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const put = async (key: string, body: Uint8Array) => {
    const path = `/certificates/${key}`
    const { status } = await ask({ socketPath: nginx.site.socket, agent }, { method: "PUT", path, body })
    if (status !== 204) throw new Error(`The zone did not take ${key}: ${status}`)
  }
  for (const { name, identity } of many) {
    await put(`pairs/${name.replaceAll(".", "_")}`, pairRecord(identity))
    await put(`hosts/${name}`, tlsHostRecord({ certificates: [name.replaceAll(".", "_")] }))
  }
  agent.destroy()
}

interface Parts {
  readonly main: string
  readonly http: string
  readonly server: string
}

function start({ own }: Certificates, parts: Parts, under?: readonly string[]): Promise<Nginx> {
  const conf = (site: Site): Conf => {
    for (const key of ["ec", "rsa"] as const)
      writeFileSync(join(site.dir, `${key}.pem`), own[key].chainPem + own[key].keyPem)
    const servers = places.map(
      ({ key, tickets }, n) => `server {
  listen 127.0.0.1:${site.ports[n]} ssl; ssl_session_tickets ${tickets};
  ssl_certificate ${key}.pem; ssl_certificate_key ${key}.pem; ${parts.server}
  location / { return 204; }
}`,
    )
    const put = (text: string) => text.replaceAll("MODULES", site.modules).replaceAll("SOCKET", site.socket)
    return {
      main: `${under === undefined ? "" : "master_process off;"} ${put(parts.main)}`,
      http: `${put(parts.http)} ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache shared:sessions:20m;\n${servers.join("\n")}`,
    }
  }
  return startNginx(conf, { ports: places.length, ...(under && { under }) })
}
