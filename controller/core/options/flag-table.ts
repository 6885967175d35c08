import { additive, flag, ignored, planned, toggle } from "./flag.ts"
import {
  addresses,
  durationMs,
  float,
  floats,
  integer,
  labelSelector,
  list,
  oneOf,
  qualified,
  text,
} from "./parser.ts"

// Every flag, by what it is about. The names, defaults and meanings of all but the first table are those of ingress-nginx 1.15, so that the
// arguments of a Deployment stay as they are. A flag that gets its effect loses `planned` here and nothing else.

const port = integer(1, 65_535)
const count = integer(0, 2 ** 31 - 1)
const signed = integer(-(2 ** 31), 2 ** 31 - 1)

/** wick's own. */
export const own = {
  manifests: flag(
    "DIR",
    text,
    "",
    "read objects from *.yaml, *.yml and *.json under DIR and watch it, instead of an API server",
  ),
  "runtime-dir": flag(
    "DIR",
    text,
    "",
    "where everything is written; when absent /run/wick, or a directory of its own under the system's temporary one if that cannot be written",
  ),
  nginx: flag("FILE", text, "", "the nginx binary; when absent the one beside the installation"),
  module: flag(
    "DIR",
    text,
    "",
    "the directory of ngx_http_wasm_module.so and ngx_http_ingress_module.so; when absent the one beside the installation",
  ),
  balancer: flag("FILE", text, "", "the balancer's .wasm; when absent the one beside the installation"),
  "resolv-conf": flag(
    "FILE",
    text,
    "/etc/resolv.conf",
    "name servers and search domains for the names of ExternalName Services",
  ),
  help: { ...toggle(false, "print this and exit"), short: "h" },
}

const listeners = {
  "http-port": flag("PORT", port, "80", "port for HTTP"),
  "https-port": flag("PORT", port, "443", "port for HTTPS"),
  "status-port": flag("PORT", port, "10246", "port on 127.0.0.1 for the status of nginx"),
  "stream-port": planned(
    "streams",
    flag("PORT", port, "10247", "port on 127.0.0.1 that takes TCP and UDP backends"),
  ),
  "default-server-port": flag("PORT", port, "8181", "port of the server that answers 404 to everything"),
  "healthz-port": flag("PORT", port, "10254", "port of the health and metrics server"),
  "healthz-host": flag(
    "ADDRESS",
    text,
    "",
    "address that the health and metrics server binds; empty for all",
  ),
  "health-check-path": flag("PATH", text, "/healthz", "path of the health answer"),
  "health-check-timeout": planned(
    "image-and-chart",
    flag("SECONDS", signed, "10", "time limit of a health check"),
  ),
}

const scope = {
  "ingress-class": flag(
    "NAME",
    text,
    "nginx",
    "value of the annotation kubernetes.io/ingress.class that makes an Ingress ours",
  ),
  "controller-class": flag(
    "NAME",
    text,
    "k8s.io/ingress-nginx",
    "spec.controller of the IngressClasses that are ours",
  ),
  "ingress-class-by-name": toggle(
    false,
    "the IngressClass named as --ingress-class is ours too, whatever its controller",
  ),
  "watch-ingress-without-class": toggle(false, "Ingresses that name no class are ours too"),
  "watch-namespace": flag("NAMESPACE", text, "", "read only the objects of this namespace; empty for all"),
  "watch-namespace-selector": flag(
    "SELECTOR",
    labelSelector,
    "",
    "only Ingresses of namespaces with these labels are ours; empty for all",
  ),
  "annotations-prefix": flag(
    "PREFIX",
    text,
    "nginx.ingress.kubernetes.io",
    "what stands before the slash in annotations",
  ),
  "disable-catch-all": toggle(false, "leave out Ingresses that have a spec.defaultBackend"),
}

const content = {
  configmap: flag("NAMESPACE/NAME", qualified, "", "the ConfigMap with the global settings"),
  "default-backend-service": flag(
    "NAMESPACE/NAME",
    qualified,
    "",
    "Service for requests that no rule matches; its first port",
  ),
  "default-ssl-certificate": flag(
    "NAMESPACE/NAME",
    qualified,
    "",
    "Secret with the certificate of hosts that have none",
  ),
  "tcp-services-configmap": planned(
    "streams",
    flag("NAMESPACE/NAME", qualified, "", "ConfigMap with the TCP services"),
  ),
  "udp-services-configmap": planned(
    "streams",
    flag("NAMESPACE/NAME", qualified, "", "ConfigMap with the UDP services"),
  ),
  "deep-inspect": planned(
    "admission",
    toggle(true, "refuse Ingresses with suspicious text in hosts, paths and Secret names"),
  ),
  "enable-annotation-validation": ignored(
    "values are always checked",
    toggle(true, "check the values of annotations"),
  ),
  "disable-svc-external-name": toggle(false, "Services of type ExternalName get no endpoints"),
  "enable-topology-aware-routing": toggle(
    false,
    "of Services that ask for it, prefer the endpoints meant for the zone of the controller's node",
  ),
  "enable-ssl-chain-completion": toggle(
    false,
    "fetch the intermediate certificates that chains of Secrets lack from where the certificates say",
  ),
  "enable-ssl-passthrough": toggle(
    false,
    "hand TLS connections on undecrypted where Ingresses ask for it; needs nginx's stream module",
  ),
  "ssl-passthrough-proxy-port": flag(
    "PORT",
    port,
    "442",
    "accepted; other connections need no second port, they are served where they come in",
  ),
}

const apiServer = {
  "apiserver-host": flag(
    "URL",
    text,
    "",
    "address of the API server; without --kubeconfig it is asked without credentials",
  ),
  "certificate-authority": flag("FILE", text, "", "CA of the API server, with --apiserver-host"),
  kubeconfig: flag(
    "FILE",
    text,
    "",
    "kubeconfig file; without it and --apiserver-host the Pod's service account is used",
  ),
  "sync-period": flag(
    "DURATION",
    durationMs,
    "0s",
    "list all objects again about this often; 0 for only when a watch cannot go on",
  ),
  "disable-leader-election": toggle(
    false,
    "take no part in leader election: no status is written, and every replica writes Events",
  ),
  "election-id": flag(
    "NAME",
    text,
    "ingress-controller-leader",
    "name of the Lease, in the namespace of this Pod, whose holder writes what one replica has to write",
  ),
  "election-ttl": flag(
    "DURATION",
    durationMs,
    "30s",
    "time after which another replica takes over from one that is gone; 30s if it is not above 0",
  ),
  "update-status": toggle(true, "write addresses into the status of Ingresses"),
  "update-status-on-shutdown": toggle(true, "clear that status when the last replica stops"),
  "status-update-interval": flag("SECONDS", signed, "60", "time between status checks, at least 5"),
  "publish-service": flag(
    "NAMESPACE/NAME",
    qualified,
    "",
    "Service whose addresses are written into the status",
  ),
  "publish-status-address": flag(
    "ADDRESSES",
    addresses,
    "",
    "IP addresses and names written into the status, between commas",
  ),
  "report-node-internal-ip-address": toggle(false, "write internal addresses of nodes into the status"),
  "disable-sync-events": toggle(false, "write no Events but those of reloads"),
}

const admission = {
  "validating-webhook": planned(
    "admission",
    flag("HOST:PORT", text, "", "address of the admission webhook; empty for none"),
  ),
  "validating-webhook-certificate": planned(
    "admission",
    flag("FILE", text, "", "certificate of the webhook"),
  ),
  "validating-webhook-key": planned("admission", flag("FILE", text, "", "key of the webhook")),
  "disable-full-test": planned(
    "admission",
    toggle(false, "check a submitted Ingress alone instead of with all others"),
  ),
}

const process = {
  "sync-rate-limit": flag(
    "PER-SECOND",
    float(Number.MIN_VALUE),
    "0.3",
    "reloads per second at most; changes without a reload are never held back",
  ),
  "dynamic-configuration-retries": ignored(
    "posts that fail are tried again until they succeed",
    flag("COUNT", count, "15", "how often a failed post is tried again"),
  ),
  "shutdown-grace-period": flag(
    "SECONDS",
    count,
    "0",
    "time between SIGTERM, when health fails, and stopping nginx",
  ),
  "post-shutdown-grace-period": flag(
    "SECONDS",
    count,
    "10",
    "time between the end of nginx and that of the controller",
  ),
  "internal-logger-address": planned(
    "image-and-chart",
    flag("HOST:PORT", text, "127.0.0.1:11514", "syslog address of chroot images"),
  ),
  profiling: planned("observability", toggle(true, "serve profiles")),
  "profiler-address": planned(
    "observability",
    flag("ADDRESS", text, "127.0.0.1", "address that the profiler binds"),
  ),
  "profiler-port": planned("observability", flag("PORT", port, "10245", "port of the profiler")),
  version: toggle(false, "print the version and exit"),
}

const timeBuckets = "0.005,0.01,0.025,0.05,0.1,0.25,0.5,1,2.5,5,10"

const metrics = {
  "enable-metrics": toggle(
    false,
    "collect the metrics of nginx and of the controller; without it only those of the process are served",
  ),
  "metrics-per-host": planned("observability", toggle(true, "request metrics carry the host")),
  "metrics-per-undefined-host": planned(
    "observability",
    toggle(false, "request metrics for hosts that no Ingress defines"),
  ),
  "report-status-classes": planned("observability", toggle(false, "status classes (2xx) instead of codes")),
  "exclude-socket-metrics": planned(
    "observability",
    additive(flag("NAMES", list, "", "request metrics that are left out, between commas")),
  ),
  "monitor-max-batch-size": planned(
    "observability",
    flag("COUNT", count, "10000", "request samples kept per worker and second"),
  ),
  "time-buckets": planned(
    "observability",
    flag("NUMBERS", floats, timeBuckets, "buckets of durations, seconds"),
  ),
  "length-buckets": planned(
    "observability",
    flag("NUMBERS", floats, "10,20,30,40,50,60,70,80,90,100", "buckets of sizes, bytes"),
  ),
  "size-buckets": planned(
    "observability",
    flag("NUMBERS", floats, "10,100,1000,10000,100000,1e+06,1e+07", "buckets of bytes_sent, bytes"),
  ),
  "bucket-factor": planned(
    "observability",
    flag("NUMBER", float(), "0", "growth of native histogram buckets"),
  ),
  "max-buckets": planned("observability", flag("COUNT", count, "100", "most native histogram buckets")),
}

const geoip = {
  "maxmind-edition-ids": planned(
    "image-and-chart",
    flag("NAMES", list, "GeoLite2-City,GeoLite2-ASN", "GeoIP databases, between commas"),
  ),
  "maxmind-license-key": planned("image-and-chart", flag("KEY", text, "", "key to download the databases")),
  "maxmind-mirror": planned("image-and-chart", flag("URL", text, "", "mirror of the databases")),
  "maxmind-retries-count": planned("image-and-chart", flag("COUNT", signed, "1", "download attempts")),
  "maxmind-retries-timeout": planned(
    "image-and-chart",
    flag("DURATION", durationMs, "0s", "delay before the second attempt"),
  ),
}

const toStderr = "logs go to standard error"

/** The flags of ingress-nginx's logging library, klog. Only the verbosity has a meaning. */
export const logging = {
  v: { ...flag("LEVEL", signed, "0", "log verbosity; from 2 on debug messages too"), short: "v" },
  add_dir_header: ignored(toStderr, toggle(false, "directories in log headers")),
  alsologtostderr: ignored(toStderr, toggle(false, "log to stderr as well as to files")),
  log_backtrace_at: ignored(toStderr, flag("FILE:LINE", text, ":0", "print a stack trace there")),
  log_dir: ignored(toStderr, flag("DIR", text, "", "directory of log files")),
  log_file: ignored(toStderr, flag("FILE", text, "", "log file")),
  log_file_max_size: ignored(toStderr, flag("MEGABYTES", count, "1800", "size of the log file")),
  logtostderr: ignored(toStderr, toggle(true, "log to stderr instead of files")),
  one_output: ignored(toStderr, toggle(false, "write each line to the file of its severity only")),
  skip_headers: ignored(toStderr, toggle(false, "no headers in log lines")),
  skip_log_headers: ignored(toStderr, toggle(false, "no headers in log files")),
  stderrthreshold: ignored(
    toStderr,
    flag(
      "SEVERITY",
      oneOf("0", "1", "2", "3", "INFO", "WARNING", "ERROR", "FATAL"),
      "ERROR",
      "severity that goes to stderr too",
    ),
  ),
  vmodule: ignored(toStderr, flag("PATTERNS", text, "", "verbosity by file")),
}

/** All flags in the order --help shows them. */
export const flagTable = {
  ...own,
  ...listeners,
  ...scope,
  ...content,
  ...process,
  ...metrics,
  ...admission,
  ...apiServer,
  ...geoip,
  ...logging,
}

type Table = typeof flagTable

/** `http-port` → `httpPort`, `log_dir` → `logDir` */
type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Camel<Head>}${Capitalize<Camel<Tail>>}`
  : Name extends `${infer Head}_${infer Tail}`
    ? `${Head}${Capitalize<Camel<Tail>>}`
    : Name

/** The value of every flag, named as the flag in camel case; what it means is in the table. Durations are milliseconds. */
export type Options = { readonly [Name in keyof Table & string as Camel<Name>]: Table[Name]["initial"] }
