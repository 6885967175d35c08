{{/* Names. They come out as ingress-nginx's do, so that a release of it can be upgraded to this chart: nothing is renamed, no selector changes. */}}

{{- define "wick.short" -}}
{{ . | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "wick.name" -}}
{{ include "wick.short" (default .Chart.Name .Values.nameOverride) }}
{{- end }}

{{- define "wick.fullname" -}}
{{- $name := include "wick.name" . -}}
{{- if .Values.fullnameOverride -}}
{{ include "wick.short" .Values.fullnameOverride }}
{{- else if contains $name .Release.Name -}}
{{ include "wick.short" .Release.Name }}
{{- else -}}
{{ include "wick.short" (printf "%s-%s" .Release.Name $name) }}
{{- end -}}
{{- end }}

{{- define "wick.namespace" -}}
{{ include "wick.short" (default .Release.Namespace .Values.namespaceOverride) }}
{{- end }}

{{- define "wick.controller" -}}
{{ include "wick.short" (printf "%s-%s" (include "wick.fullname" .) .Values.controller.name) }}
{{- end }}

{{- define "wick.defaultBackend" -}}
{{ include "wick.short" (printf "%s-%s" (include "wick.fullname" .) .Values.defaultBackend.name) }}
{{- end }}

{{- define "wick.admissionName" -}}
{{ include "wick.short" (printf "%s-%s" (include "wick.fullname" .) .Values.controller.admissionWebhooks.name) }}
{{- end }}

{{- define "wick.webhookService" -}}
{{ include "wick.controller" . }}-admission
{{- end }}

{{- define "wick.electionID" -}}
{{ default (printf "%s-leader" (include "wick.fullname" .)) .Values.controller.electionID }}
{{- end }}

{{- define "wick.serviceAccount" -}}
{{- $account := .Values.serviceAccount -}}
{{ default (ternary (include "wick.fullname" .) "default" (include "wick.on" $account.create | eq "true")) $account.name }}
{{- end }}

{{- define "wick.defaultBackendServiceAccount" -}}
{{- $account := .Values.defaultBackend.serviceAccount -}}
{{ default (ternary (printf "%s-backend" (include "wick.fullname" .)) "default-backend" (include "wick.on" $account.create | eq "true")) $account.name }}
{{- end }}

{{- define "wick.admissionServiceAccount" -}}
{{- $account := .Values.controller.admissionWebhooks.patch.serviceAccount -}}
{{ default (ternary (include "wick.admissionName" .) "default" (include "wick.on" $account.create | eq "true")) $account.name }}
{{- end }}

{{/* What a switch says, as true or false: values given by --set-string are texts. */}}
{{- define "wick.on" -}}
{{ ternary "true" "false" (eq (toString .) "true") }}
{{- end }}

{{/* The names that values files use in templates of their own (affinity, spread constraints, annotations). */}}
{{- define "ingress-nginx.name" -}}{{ include "wick.name" . }}{{- end }}
{{- define "ingress-nginx.fullname" -}}{{ include "wick.fullname" . }}{{- end }}
{{- define "ingress-nginx.namespace" -}}{{ include "wick.namespace" . }}{{- end }}
{{- define "ingress-nginx.labels" -}}{{ include "wick.commonLabels" . }}{{- end }}
{{- define "ingress-nginx.selectorLabels" -}}{{ include "wick.nameLabels" . }}{{- end }}
{{- define "ingress-nginx.controller.fullname" -}}{{ include "wick.controller" . }}{{- end }}
{{- define "ingress-nginx.defaultBackend.fullname" -}}{{ include "wick.defaultBackend" . }}{{- end }}
{{- define "ingress-nginx.admissionWebhooks.fullname" -}}{{ include "wick.admissionName" . }}{{- end }}
{{- define "ingress-nginx.serviceAccountName" -}}{{ include "wick.serviceAccount" . }}{{- end }}
