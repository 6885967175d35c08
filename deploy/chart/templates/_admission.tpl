{{/* What all webhooks have in common. root; path: of the requests. */}}
{{- define "wick.webhook" -}}
{{- $webhooks := .root.Values.controller.admissionWebhooks -}}
matchPolicy: Equivalent
failurePolicy: {{ default "Fail" $webhooks.failurePolicy }}
sideEffects: None
admissionReviewVersions: [v1]
clientConfig:
  service:
    name: {{ include "wick.webhookService" .root }}
    namespace: {{ include "wick.namespace" .root }}
    port: {{ int $webhooks.service.servicePort }}
    path: {{ .path }}
{{- with $webhooks.timeoutSeconds }}
timeoutSeconds: {{ int . }}
{{- end }}
{{- range $field := list "namespaceSelector" "objectSelector" }}
{{- with index $webhooks $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/* metadata of a hook: as of wick.metadata; when: the events. */}}
{{- define "wick.hookMetadata" -}}
{{- $webhooks := .root.Values.controller.admissionWebhooks -}}
{{- $hook := dict "helm.sh/hook" .when "helm.sh/hook-delete-policy" "before-hook-creation,hook-succeeded" -}}
{{- include "wick.metadata" (merge (dict "component" "admission-webhook" "labels" (list $webhooks.patch.labels) "annotations" (merge (dict) $hook (default dict .annotations))) .) }}
{{- end }}

{{/* A Job that makes the certificate or announces it. root; own: its values; container; when: the events of the hook; args. */}}
{{- define "wick.admissionJob" -}}
{{- $webhooks := .root.Values.controller.admissionWebhooks -}}
{{- $patch := $webhooks.patch -}}
apiVersion: batch/v1
kind: Job
metadata:
  {{- include "wick.hookMetadata" (dict "root" .root "name" (printf "%s-%s" (include "wick.admissionName" .root) .own.name) "when" .when "annotations" $webhooks.annotations) | nindent 2 }}
spec:
  ttlSecondsAfterFinished: 0
  {{- with int .own.activeDeadlineSeconds }}
  activeDeadlineSeconds: {{ . }}
  {{- end }}
  template:
    metadata:
      name: {{ include "wick.admissionName" .root }}-{{ .own.name }}
      labels:
        {{- include "wick.labels" (dict "root" .root "component" "admission-webhook" "labels" (list $patch.labels)) | nindent 8 }}
      {{- with $patch.podAnnotations }}
      annotations:
        {{- include "wick.texts" . | trim | nindent 8 }}
      {{- end }}
    spec:
      {{- include "wick.admissionPod" . | nindent 6 }}
{{- end }}

{{- define "wick.admissionPod" -}}
{{- $webhooks := .root.Values.controller.admissionWebhooks -}}
{{- $patch := $webhooks.patch -}}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- range $field := list "priorityClassName" "runtimeClassName" }}
{{- with index $patch $field }}
{{ $field }}: {{ . | quote }}
{{- end }}
{{- end }}
containers:
  - name: {{ .container }}
    {{- if or $patch.image.image $patch.image.repository }}
    image: {{ include "wick.image" (dict "root" .root "image" $patch.image "registry" "registry.k8s.io" "tag" "latest") | quote }}
    {{- else }}
    image: {{ include "wick.controllerImage" .root | quote }}
    {{- end }}
    imagePullPolicy: {{ $patch.image.pullPolicy }}
    {{- if not (or $patch.image.image $patch.image.repository) }}
    command: [/kube-webhook-certgen]
    {{- end }}
    args:
      {{- toYaml .args | nindent 6 }}
    env:
      - name: POD_NAMESPACE
        valueFrom:
          fieldRef:
            fieldPath: metadata.namespace
      {{- with $webhooks.extraEnvs }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    {{- range $field := list "securityContext" "volumeMounts" "resources" }}
    {{- with index $.own $field }}
    {{ $field }}:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- end }}
restartPolicy: OnFailure
serviceAccountName: {{ include "wick.admissionServiceAccount" .root }}
automountServiceAccountToken: {{ $patch.serviceAccount.automountServiceAccountToken }}
{{- with .own.volumes }}
volumes:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $patch.nodeSelector }}
nodeSelector:
  {{- include "wick.texts" . | trim | nindent 2 }}
{{- end }}
{{- with $patch.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $patch.securityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
