import { asText, never } from "../reasons.ts"
import { block, many, optional, type Row, repeatable, typed } from "../rows.ts"
import { flag, milliseconds, name, number, offset, oneOf, text } from "../values.ts"

// What concerns the whole process: the core, the event modules, logs of errors.

export const main: readonly Row[] = [
  never.process("worker_connections", "events", [number()]),
  never.process("use", "events", [name]),
  never.process("multi_accept", "events", [flag]),
  typed("accept_mutex", "events", [flag]),
  typed("accept_mutex_delay", "events", [milliseconds]),
  never.process("debug_connection", "events", [text], repeatable),
  never.process("daemon", "main", [flag]),
  never.process("master_process", "main", [flag]),
  never.process("timer_resolution", "main", [milliseconds]),
  never.process("pid", "main", [text]),
  never.process("lock_file", "main", [text]),
  never.process("worker_processes", "main", [text]),
  never.process("debug_points", "main", [oneOf("stop", "abort")]),
  never.process("user", "main", [name, optional(name)]),
  typed("worker_priority", "main", [text]),
  never.process("worker_cpu_affinity", "main", [many(text)]),
  never.process("worker_rlimit_nofile", "main", [number()]),
  never.process("worker_rlimit_core", "main", [offset]),
  never.process("worker_shutdown_timeout", "main", [milliseconds]),
  never.process("working_directory", "main", [text]),
  asText.environment("env", "main", [text], repeatable),
  never.process("load_module", "main", [text], repeatable),
  typed("epoll_events", "events", [number()]),
  typed("worker_aio_requests", "events", [number()]),
  never.blocks("http", "main", [], block),
  never.logfile("error_log", "main", [text, many(text, 0)], repeatable),
  never.blocks("events", "main", [], block),
  never.process("ssl_engine", "main", [text]),
  typed("pcre_jit", "main", [flag]),
  never.include(
    "include",
    "main events http upstream server server-if location if limit-except stream stream-server stream-upstream",
    [text],
    repeatable,
  ),
  typed("thread_pool", "main", [name, text, optional(text)], repeatable),
  never.blocks("stream", "main", [], block),
]
