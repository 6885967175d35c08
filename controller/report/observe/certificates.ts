import type { ShownCertificate } from "../../model/observed.ts"
import { type CertificateDetails, detailsOf } from "./certificate-details.ts"
import { type Family, printLabels } from "./series.ts"

/** What metrics of certificates need to know beside the certificates. */
export interface CertificateSource {
  /** `--controller-class` */
  readonly controllerClass: string
  /** whether this replica tells when they end, as one of all does */
  readonly isLeader: () => boolean
  /** the certificate that nginx was started with */
  readonly initial: CertificateDetails
}

/** When the certificates that hosts show end, and what they are. Labels, and who tells, are those of ingress-nginx. */
export function certificateFamilies(
  shown: readonly ShownCertificate[],
  { controllerClass, isLeader, initial }: CertificateSource,
): readonly Family[] {
  function* each<T>(read: (labels: string, details: CertificateDetails) => T): Generator<T> {
    for (const one of shown) {
      const details = one.certificate === undefined ? initial : detailsOf(one.certificate)
      if (details !== undefined) yield read(labelsOf(one, details, controllerClass), details)
    }
  }
  const ends = each((labels, { notAfterSeconds }) => [labels, notAfterSeconds] as const)
  const infos = each((labels, details) => [`${labels},${infoOf(details)}`, 1] as const)
  return [
    {
      name: "nginx_ingress_controller_ssl_expire_time_seconds",
      help: "Seconds since 1970 to the end of the certificate that a host shows; told by the leader",
      series: isLeader() ? ends : [],
    },
    {
      name: "nginx_ingress_controller_ssl_certificate_info",
      help: "The certificate that a host shows",
      series: infos,
    },
  ]
}

function labelsOf(
  { host, secret = "/" }: ShownCertificate,
  { serial, issuer }: CertificateDetails,
  controllerClass: string,
): string {
  const slash = secret.indexOf("/")
  return printLabels({
    class: controllerClass,
    host,
    namespace: secret.slice(0, slash),
    secret_name: secret.slice(slash + 1),
    identifier: `${issuer.serialNumber}-${serial}`,
  })
}

function infoOf({ issuer, serial, keyAlgorithm }: CertificateDetails): string {
  return printLabels({
    issuer_organization: issuer.organization,
    issuer_common_name: issuer.commonName,
    serial_number: serial,
    public_key_algorithm: keyAlgorithm,
  })
}
