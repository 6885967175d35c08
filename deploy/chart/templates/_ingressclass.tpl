{{/* An IngressClass: a list of its name, the root, more annotations. */}}
{{- define "wick.ingressClass" -}}
{{- $root := index . 1 -}}
{{- $class := $root.Values.controller.ingressClassResource -}}
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata:
  {{- include "wick.metadata" (dict "root" $root "cluster" true "name" (index . 0) "component" "controller" "labels" (list $root.Values.controller.labels) "annotations" (merge (dict) (index . 2) (default dict $class.annotations))) | nindent 2 }}
spec:
  controller: {{ $class.controllerValue }}
  {{- with $class.parameters }}
  parameters:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
