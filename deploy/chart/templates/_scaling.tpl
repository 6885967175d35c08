{{/* How many replicas there are at least: a disruption budget is of use from two on. */}}
{{- define "wick.fewestReplicas" -}}
{{- $controller := .Values.controller -}}
{{- if and $controller.autoscaling.enabled (not $controller.keda.enabled) -}}
{{ int $controller.autoscaling.minReplicas }}
{{- else if and $controller.keda.enabled (not $controller.autoscaling.enabled) -}}
{{ int $controller.keda.minReplicas }}
{{- else -}}
{{ int $controller.replicaCount }}
{{- end -}}
{{- end }}

{{/* spec of a HorizontalPodAutoscaler: its values, the Deployment, more metrics. */}}
{{- define "wick.autoscaler" -}}
{{- $scaling := index . 0 -}}
scaleTargetRef:
  apiVersion: apps/v1
  kind: Deployment
  name: {{ index . 1 }}
minReplicas: {{ int $scaling.minReplicas }}
maxReplicas: {{ int $scaling.maxReplicas }}
metrics:
  {{- $targets := dict "memory" $scaling.targetMemoryUtilizationPercentage "cpu" $scaling.targetCPUUtilizationPercentage }}
  {{- range $resource := list "memory" "cpu" }}
  {{- with index $targets $resource }}
  - type: Resource
    resource:
      name: {{ $resource }}
      target:
        type: Utilization
        averageUtilization: {{ int . }}
  {{- end }}
  {{- end }}
  {{- with index . 2 }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $scaling.behavior }}
behavior:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "wick.autoscalerVersion" -}}
autoscaling/{{ ternary "v2" "v2beta2" (semverCompare ">=1.23.0-0" .Capabilities.KubeVersion.Version) }}
{{- end }}

{{/* spec of a PodDisruptionBudget: its values, the component, the root. */}}
{{- define "wick.disruptionBudget" -}}
{{- $own := index . 0 -}}
selector:
  matchLabels:
    {{- include "wick.selector" (list (index . 1) (index . 2)) | nindent 4 }}
{{- if kindIs "invalid" $own.maxUnavailable }}
minAvailable: {{ $own.minAvailable }}
{{- else }}
maxUnavailable: {{ $own.maxUnavailable }}
{{- end }}
{{- with $own.unhealthyPodEvictionPolicy }}
unhealthyPodEvictionPolicy: {{ . }}
{{- end }}
{{- end }}
