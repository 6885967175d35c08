/** How metrics are written: Prometheus' text (version 0.0.4), or delimited messages `io.prometheus.client.MetricFamily`. */
export type MetricFormat = "text" | "protobuf"
