{{/* Labels, annotations, metadata. Maps are merged before they are printed, so that no key stands twice. */}}

{{/* A scalar as text: whole numbers without an exponent. */}}
{{- define "wick.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) -}}
{{ printf "%.0f" . }}
{{- else -}}
{{ toString . }}
{{- end -}}
{{- end }}

{{/* A map whose values have to be texts: of labels, annotations, ConfigMaps. */}}
{{- define "wick.texts" -}}
{{- range $key, $value := . }}
{{ $key | quote }}: {{ include "wick.text" $value | quote }}
{{- end }}
{{- end }}

{{/* The same with templates in the values: a list of the map and the root. */}}
{{- define "wick.templates" -}}
{{- $root := index . 1 -}}
{{- range $key, $value := index . 0 }}
{{ $key | quote }}: {{ tpl (include "wick.text" $value) $root | quote }}
{{- end }}
{{- end }}

{{- define "wick.nameLabels" -}}
app.kubernetes.io/name: {{ include "wick.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "wick.commonLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" | quote }}
{{ include "wick.nameLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: {{ include "wick.name" . | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
{{- with .Values.commonLabels }}
{{- include "wick.texts" . }}
{{- end }}
{{- end }}

{{/* What selects the Pods of a component: a list of it and the root. */}}
{{- define "wick.selector" -}}
{{ include "wick.nameLabels" (index . 1) }}
app.kubernetes.io/component: {{ index . 0 }}
{{- end }}

{{/* All labels. root; component: absent for what belongs to none; labels: a list of maps, the later ones win; selected: it is a Pod, what selects it stays. */}}
{{- define "wick.labels" -}}
{{- $labels := include "wick.commonLabels" .root | fromYaml -}}
{{- if .component }}{{ $_ := set $labels "app.kubernetes.io/component" .component }}{{ end -}}
{{- range .labels }}
{{- range $key, $value := . }}{{ $_ := set $labels $key (include "wick.text" $value) }}{{ end -}}
{{- end -}}
{{- if .selected }}{{ $labels = merge (include "wick.selector" (list .component .root) | fromYaml) $labels }}{{ end -}}
{{ toYaml $labels }}
{{- end }}

{{/* metadata of an object: as of wick.labels; name; namespace: another one than the release's; cluster: it belongs to none; annotations. */}}
{{- define "wick.metadata" -}}
name: {{ .name }}
{{- if not .cluster }}
namespace: {{ default (include "wick.namespace" .root) .namespace }}
{{- end }}
labels:
  {{- include "wick.labels" . | nindent 2 }}
{{- with .annotations }}
annotations:
  {{- include "wick.texts" . | trim | nindent 2 }}
{{- end }}
{{- end }}

{{/* An image: image, a map of registry, image, repository, tag, digest; root; registry, name, tag: its own defaults. */}}
{{- define "wick.image" -}}
{{- $image := .image -}}
{{- $registry := coalesce $image.registry .root.Values.global.image.registry .registry -}}
{{- $repository := default (printf "%s/%s" $registry (default .name $image.image)) $image.repository -}}
{{ $repository }}:{{ default .tag $image.tag | include "wick.text" }}{{ with $image.digest }}@{{ . }}{{ end }}
{{- end }}

{{/* The controller's, which the Jobs of the webhook have as well. */}}
{{- define "wick.controllerImage" -}}
{{ include "wick.image" (dict "root" . "image" .Values.controller.image "registry" "registry.wick.dev" "name" "wick/controller" "tag" .Chart.AppVersion) }}
{{- end }}
