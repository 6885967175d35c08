import { additive, flag, toggle, unneeded } from "../flag.ts"
import { buckets, growthFactor, list } from "../parser.ts"
import { count } from "./numbers.ts"

const timeBuckets = "0.005,0.01,0.025,0.05,0.1,0.25,0.5,1,2.5,5,10"

/** What is measured of requests. */
export const metrics = {
  "enable-metrics": toggle(
    false,
    "collect the metrics of nginx and of the controller; without it only those of the process are served",
  ),
  "metrics-per-host": toggle(true, "request metrics carry the host"),
  "metrics-per-undefined-host": toggle(
    false,
    "count requests for hosts that no Ingress defines, all as host _",
  ),
  "report-status-classes": toggle(false, "status classes (2xx) instead of codes"),
  "exclude-socket-metrics": additive(
    flag("NAMES", list, "", "request metrics that are left out, separated by commas"),
  ),
  "monitor-max-batch-size": unneeded(
    "every request is counted, in shared memory",
    flag("COUNT", count, "10000", "request samples kept per worker and second"),
  ),
  "time-buckets": flag("NUMBERS", buckets, timeBuckets, "buckets of durations, seconds"),
  "length-buckets": flag("NUMBERS", buckets, "10,20,30,40,50,60,70,80,90,100", "buckets of sizes, bytes"),
  "size-buckets": flag(
    "NUMBERS",
    buckets,
    "10,100,1000,10000,100000,1e+06,1e+07",
    "buckets of bytes_sent, bytes",
  ),
  "bucket-factor": flag(
    "NUMBER",
    growthFactor,
    "0",
    "native histograms, too, each bucket of which is so many times as wide as the one before, such as 1.1; 0: none",
  ),
  "max-buckets": flag("COUNT", count, "100", "buckets of a native histogram at most; 0: no limit"),
}
