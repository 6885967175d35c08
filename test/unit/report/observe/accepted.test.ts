import { describe, expect, test } from "vitest"
import { formatFor } from "../../../../controller/report/observe/accepted.ts"

const protobuf = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"

describe("text is the answer", () => {
  test.each([
    ["to who names nothing", undefined],
    ["to an empty list", ""],
    ["to a browser", "text/html,application/xhtml+xml,*/*;q=0.8"],
    ["to who takes anything", "*/*"],
    [
      "to Prometheus as it is by default",
      "application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
    ],
    ["to who likes it better", `${protobuf};q=0.4,text/plain;version=0.0.4;q=0.5`],
    ["to who names it first", `text/plain,${protobuf}`],
    ["to who does not want protobuf", `${protobuf};q=0`],
    ["to who wants a quality that is none", `${protobuf};q=2`],
    [
      "to another encoding",
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=text",
    ],
    ["to other messages", "application/vnd.google.protobuf;proto=other.Message;encoding=delimited"],
    ["to any application", "application/*"],
  ])("%s", (_, accept) => {
    expect(formatFor(accept)).toBe("text")
  })
})

describe("OpenMetrics is the answer", () => {
  const openMetrics = "application/openmetrics-text"
  test.each([
    ["to who names nothing else", openMetrics],
    ["in this version", `${openMetrics}; version=1.0.0; charset=utf-8`],
    ["to Prometheus that is told to ask for nothing else", `${openMetrics};version=1.0.0;q=0.5,*/*;q=0.4`],
    ["to who likes protobuf less", `${protobuf};q=0.4,${openMetrics}`],
    ["to who does not want text", `${openMetrics},text/plain;q=0`],
  ])("%s", (_, accept) => {
    expect(formatFor(accept)).toBe("openmetrics")
  })

  test.each([
    ["to who names text, too", `${openMetrics},text/plain;q=0.1`],
    ["to who wants an older version", `${openMetrics};version=0.0.1`],
    ["to who does not want it", `${openMetrics};q=0`],
    ["to who takes anything as well", `${openMetrics};q=0.1,*/*`],
  ])("not %s", (_, accept) => {
    expect(formatFor(accept)).toBe("text")
  })
})

describe("protobuf is the answer", () => {
  test.each([
    ["to who names nothing else", protobuf],
    [
      "to Prometheus with native histograms",
      `${protobuf},application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5,*/*;q=0.1`,
    ],
    ["to who likes it better", `text/plain;q=0.5, ${protobuf};q=0.6`],
    ["to who names it first", `${protobuf},text/plain`],
    [
      "in any case and with quotes",
      'Application/VND.google.protobuf; Encoding="delimited" ; proto=io.prometheus.client.MetricFamily; Q=1.000',
    ],
  ])("%s", (_, accept) => {
    expect(formatFor(accept)).toBe("protobuf")
  })
})
