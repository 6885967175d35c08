{{/* The controller's Pod, the same in a Deployment and a DaemonSet. */}}
{{- define "wick.pod" -}}
{{- $controller := .Values.controller -}}
metadata:
  labels:
    {{- include "wick.labels" (dict "root" . "component" "controller" "selected" true "labels" (list $controller.labels $controller.podLabels)) | nindent 4 }}
  {{- with $controller.podAnnotations }}
  annotations:
    {{- include "wick.texts" . | trim | nindent 4 }}
  {{- end }}
spec:
  {{- with $controller.dnsConfig }}
  dnsConfig:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $controller.hostAliases }}
  hostAliases:
    {{- tpl (toYaml .) $ | nindent 4 }}
  {{- end }}
  {{- with $controller.hostname }}
  hostname: {{ toYaml . | nindent 4 }}
  {{- end }}
  dnsPolicy: {{ $controller.dnsPolicy }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $controller.priorityClassName }}
  priorityClassName: {{ . | quote }}
  {{- end }}
  {{- with $controller.runtimeClassName }}
  runtimeClassName: {{ . | quote }}
  {{- end }}
  {{- if or $controller.podSecurityContext $controller.sysctls }}
  securityContext:
    {{- with $controller.podSecurityContext }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- with $controller.sysctls }}
    sysctls:
      {{- range $name, $value := . }}
      - name: {{ $name | quote }}
        value: {{ include "wick.text" $value | quote }}
      {{- end }}
    {{- end }}
  {{- end }}
  {{- if $controller.shareProcessNamespace }}
  shareProcessNamespace: true
  {{- end }}
  {{- with $controller.extraInitContainers }}
  initContainers:
    {{- tpl (toYaml .) $ | nindent 4 }}
  {{- end }}
  containers:
    - {{ include "wick.container" . | nindent 6 | trim }}
    {{- with $controller.extraContainers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- if $controller.hostNetwork }}
  hostNetwork: true
  {{- end }}
  {{- with $controller.nodeSelector }}
  nodeSelector:
    {{- include "wick.texts" . | trim | nindent 4 }}
  {{- end }}
  {{- with $controller.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $controller.affinity }}
  affinity:
    {{- tpl (toYaml .) $ | nindent 4 }}
  {{- end }}
  {{- with $controller.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- tpl (toYaml .) $ | nindent 4 }}
  {{- end }}
  serviceAccountName: {{ include "wick.serviceAccount" . }}
  automountServiceAccountToken: {{ .Values.serviceAccount.automountServiceAccountToken }}
  terminationGracePeriodSeconds: {{ int64 $controller.terminationGracePeriodSeconds }}
  {{- with include "wick.volumes" . | trim }}
  volumes:
    {{- . | nindent 4 }}
  {{- end }}
{{- end }}

{{- define "wick.container" -}}
{{- $controller := .Values.controller -}}
name: {{ $controller.containerName }}
image: {{ include "wick.controllerImage" . | quote }}
imagePullPolicy: {{ $controller.image.pullPolicy }}
{{- with $controller.lifecycle }}
lifecycle:
  {{- toYaml . | nindent 2 }}
{{- end }}
args:
  {{- include "wick.args" . | nindent 2 }}
securityContext:
  {{- include "wick.containerSecurity" . | nindent 2 }}
env:
  - name: POD_NAME
    valueFrom:
      fieldRef:
        fieldPath: metadata.name
  - name: POD_NAMESPACE
    valueFrom:
      fieldRef:
        fieldPath: metadata.namespace
  {{- with $controller.extraEnvs }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- range $probe := list "startupProbe" "livenessProbe" "readinessProbe" }}
{{- with index $controller $probe }}
{{ $probe }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
ports:
  {{- include "wick.containerPorts" . | trim | nindent 2 }}
{{- with include "wick.volumeMounts" . | trim }}
volumeMounts:
  {{- . | nindent 2 }}
{{- end }}
{{- with $controller.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if and $controller.resizePolicy (semverCompare ">=1.33.0-0" .Capabilities.KubeVersion.Version) }}
resizePolicy:
  {{- toYaml $controller.resizePolicy | nindent 2 }}
{{- end }}
{{- end }}

{{/* What the "restricted" Pod Security Standard asks for; the one capability that it allows is the one to bind ports below 1024. */}}
{{- define "wick.containerSecurity" -}}
{{- $image := .Values.controller.image -}}
{{- if .Values.controller.containerSecurityContext -}}
{{ toYaml .Values.controller.containerSecurityContext }}
{{- else -}}
runAsNonRoot: {{ $image.runAsNonRoot }}
runAsUser: {{ int64 $image.runAsUser }}
runAsGroup: {{ int64 $image.runAsGroup }}
allowPrivilegeEscalation: {{ $image.allowPrivilegeEscalation }}
{{- with $image.seccompProfile }}
seccompProfile:
  {{- toYaml . | nindent 2 }}
{{- end }}
capabilities:
  drop:
    - ALL
  add:
    - NET_BIND_SERVICE
readOnlyRootFilesystem: {{ $image.readOnlyRootFilesystem }}
{{- end -}}
{{- end }}

{{- define "wick.containerPorts" -}}
{{- $controller := .Values.controller -}}
{{- $hostPorts := $controller.hostPort.enabled -}}
{{- range $name, $port := $controller.containerPort }}
- name: {{ $name }}
  containerPort: {{ int $port }}
  protocol: TCP
  {{- if $hostPorts }}
  hostPort: {{ int (default $port (index (default dict $controller.hostPort.ports) $name)) }}
  {{- end }}
{{- end }}
{{- if $controller.http3.enabled }}
- name: http3
  containerPort: {{ int $controller.containerPort.https }}
  protocol: UDP
  {{- if $hostPorts }}
  hostPort: {{ int (default $controller.containerPort.https (index (default dict $controller.hostPort.ports) "https")) }}
  {{- end }}
{{- end }}
{{- if $controller.metrics.enabled }}
- name: {{ $controller.metrics.portName }}
  containerPort: {{ int $controller.metrics.port }}
  protocol: TCP
{{- end }}
{{- if include "wick.admission" . }}
- name: webhook
  containerPort: {{ int $controller.admissionWebhooks.port }}
  protocol: TCP
{{- end }}
{{- range $protocol := list "tcp" "udp" }}
{{- range $port, $_ := index $.Values $protocol }}
- name: {{ include "wick.streamPort" (list $ $port $protocol) }}
  containerPort: {{ $port }}
  protocol: {{ upper $protocol }}
  {{- if $hostPorts }}
  hostPort: {{ $port }}
  {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The name of the port of a TCP or UDP service: a list of the root, the number, "tcp" or "udp". */}}
{{- define "wick.streamPort" -}}
{{ with (index . 0).Values.portNamePrefix }}{{ . }}-{{ end }}{{ index . 1 }}-{{ index . 2 }}
{{- end }}

{{/* All that is written lies in /tmp. A values file may bring a volume of its own for it. */}}
{{- define "wick.hasOwnTmp" -}}
{{- range .Values.controller.extraVolumeMounts }}
{{- if eq (.mountPath | trimSuffix "/") "/tmp" }}true{{ end }}
{{- end -}}
{{- end }}

{{- define "wick.volumeMounts" -}}
{{- if not (include "wick.hasOwnTmp" .) }}
- name: wick-tmp
  mountPath: /tmp
{{- end }}
{{- if include "wick.admission" . }}
- name: webhook-cert
  mountPath: /usr/local/certificates/
  readOnly: true
{{- end }}
{{- with .Values.controller.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "wick.volumes" -}}
{{- if not (include "wick.hasOwnTmp" .) }}
- name: wick-tmp
  emptyDir: {}
{{- end }}
{{- if include "wick.admission" . }}
- name: webhook-cert
  secret:
    secretName: {{ include "wick.admissionName" . }}
    {{- if .Values.controller.admissionWebhooks.certManager.enabled }}
    items:
      - key: tls.crt
        path: cert
      - key: tls.key
        path: key
    {{- end }}
{{- end }}
{{- with .Values.controller.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}
