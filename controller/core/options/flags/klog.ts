import { flag, refused, toggle } from "../flag.ts"
import { oneOf, text } from "../parser.ts"
import { count, signed } from "./numbers.ts"

const toStderr = "logs go to standard error, a JSON object a line: collect them there"

/** The flags of ingress-nginx's logging library, klog. Only the verbosity has a meaning. */
export const logging = {
  v: { ...flag("LEVEL", signed, "0", "log verbosity; from 2 on debug messages too"), short: "v" },
  add_dir_header: refused(toStderr, toggle(false, "directories in log headers")),
  alsologtostderr: refused(toStderr, toggle(false, "log to stderr as well as to files")),
  log_backtrace_at: refused(toStderr, flag("FILE:LINE", text, ":0", "print a stack trace there")),
  log_dir: refused(toStderr, flag("DIR", text, "", "directory of log files")),
  log_file: refused(toStderr, flag("FILE", text, "", "log file")),
  log_file_max_size: refused(toStderr, flag("MEGABYTES", count, "1800", "size of the log file")),
  logtostderr: refused(toStderr, toggle(true, "log to stderr instead of files")),
  one_output: refused(toStderr, toggle(false, "write each line to the file of its severity only")),
  skip_headers: refused(toStderr, toggle(false, "no headers in log lines")),
  skip_log_headers: refused(toStderr, toggle(false, "no headers in log files")),
  stderrthreshold: refused(
    toStderr,
    flag(
      "SEVERITY",
      oneOf("0", "1", "2", "3", "INFO", "WARNING", "ERROR", "FATAL"),
      "ERROR",
      "severity that goes to stderr too",
    ),
  ),
  vmodule: refused(toStderr, flag("PATTERNS", text, "", "verbosity by file")),
}
