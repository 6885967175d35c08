// Bodies that are no review, and what an answer looks like.
import { expect, test } from "vitest"
import { ingress } from "../../../harness/manifests.ts"
import { review, submitted, webhook } from "./reviews.ts"

const pod = { group: "", version: "v1", kind: "Pod" }

test.each<[string, string, number]>([
  ["nothing", "", 400],
  ["no JSON", "{", 400],
  ["no review", "{}", 400],
  [
    "an older version",
    JSON.stringify({ apiVersion: "admission.k8s.io/v1beta1", kind: "AdmissionReview" }),
    400,
  ],
  [
    "a review without request",
    JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" }),
    400,
  ],
  ["a review of a Pod", review({}, { kind: pod }), 500],
  ["a review of something in capitals", review({}, { kind: { ...pod, kind: "INGRESS" } }), 500],
  ["JSON deeper than a stack", "[".repeat(1_000_000), 400],
])("%s is answered without a body", (_, text, status) => {
  expect(webhook().ask(text)).toEqual({ status })
})

test("an answer names the request and does not repeat it", () => {
  const { status, body = "" } = webhook().ask(review(submitted(ingress("shop/web", "shop.test/ → web:80"))))
  expect(status).toBe(200)
  expect(JSON.parse(body)).toEqual({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: { uid: "of-the-request", allowed: true },
  })
})

test("a refusal has the code and the reason that ingress-nginx gives", () => {
  const { body = "" } = webhook().ask(review(submitted(ingress("shop/web", "x.test/[a] → web:80"))))
  const { status } = JSON.parse(body).response
  expect(status).toMatchObject({ status: "Failure", code: 400, reason: "BadRequest" })
})

test("before everything has been read it is for the failurePolicy to decide", () => {
  const { ask } = webhook({ areComplete: () => false })
  expect(ask(review(submitted(ingress("shop/web", "shop.test/ → web:80"))))).toEqual({ status: 503 })
})

test("so it is after a bug", () => {
  const isOurs = () => {
    throw new Error("a bug")
  }
  const { ask } = webhook({ isOurs })
  expect(ask(review(submitted(ingress("shop/web", "shop.test/ → web:80"))))).toEqual({ status: 503 })
})

test("objects nested deeper than a stack are refused, not fatal", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`
  const text = review(submitted(ingress("shop/web", "shop.test/ → web:80"))).replace('"nginx"', deep)
  expect(webhook().ask(text).status).not.toBe(500)
})
