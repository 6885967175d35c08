import { flag, toggle, unneeded } from "../flag.ts"
import { float, ipAddress, text } from "../parser.ts"
import { count, port } from "./numbers.ts"

/** When nginx is reloaded, and how the processes end. */
export const process = {
  "sync-rate-limit": flag(
    "PER-SECOND",
    float(Number.MIN_VALUE),
    "0.3",
    "reloads per second at most; changes without a reload are never held back",
  ),
  "dynamic-configuration-retries": unneeded(
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
  "internal-logger-address": unneeded(
    "there is no chroot image, and nginx logs to standard output",
    flag("HOST:PORT", text, "127.0.0.1:11514", "syslog address of chroot images"),
  ),
  profiling: toggle(
    false,
    "serve profiles of the controller's CPU time and memory, among them a snapshot that holds private keys",
  ),
  "profiler-address": flag(
    "ADDRESS",
    ipAddress,
    "127.0.0.1",
    "address that the profiler binds; any but a loopback address needs --profiler-token-file",
  ),
  "profiler-port": flag("PORT", port, "10245", "port of the profiler; needs --profiling"),
  version: toggle(false, "print the version and exit"),
}
