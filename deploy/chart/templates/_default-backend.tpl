{{- define "wick.defaultBackendPod" -}}
{{- $backend := .Values.defaultBackend -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- range $field := list "priorityClassName" "runtimeClassName" }}
{{- with index $backend $field }}
{{ $field }}: {{ . | quote }}
{{- end }}
{{- end }}
{{- with $backend.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
containers:
  - name: {{ include "wick.name" . }}-default-backend
    image: {{ include "wick.image" (dict "root" . "image" $backend.image "registry" "registry.k8s.io" "name" "defaultbackend-amd64" "tag" "1.5") | quote }}
    imagePullPolicy: {{ $backend.image.pullPolicy }}
    {{- with $backend.extraArgs }}
    args:
      {{- include "wick.extraArgs" . | trim | nindent 6 }}
    {{- end }}
    securityContext:
      {{- include "wick.defaultBackendSecurity" $backend | nindent 6 }}
    {{- with $backend.extraEnvs }}
    env:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- range $probe := list "livenessProbe" "readinessProbe" }}
    {{ $probe }}:
      httpGet:
        path: /healthz
        port: {{ int $backend.port }}
        scheme: HTTP
      {{- toYaml (index $backend $probe) | nindent 6 }}
    {{- end }}
    ports:
      - name: http
        containerPort: {{ int $backend.port }}
        protocol: TCP
    {{- with $backend.extraVolumeMounts }}
    volumeMounts:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with $backend.resources }}
    resources:
      {{- toYaml . | nindent 6 }}
    {{- end }}
{{- with $backend.nodeSelector }}
nodeSelector:
  {{- include "wick.texts" . | trim | nindent 2 }}
{{- end }}
{{- with $backend.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- range $field := list "affinity" "topologySpreadConstraints" }}
{{- with index $backend $field }}
{{ $field }}:
  {{- tpl (toYaml .) $ | nindent 2 }}
{{- end }}
{{- end }}
serviceAccountName: {{ include "wick.defaultBackendServiceAccount" . }}
automountServiceAccountToken: {{ $backend.serviceAccount.automountServiceAccountToken }}
terminationGracePeriodSeconds: 60
{{- with $backend.extraVolumes }}
volumes:
  {{- tpl (toYaml .) $ | nindent 2 }}
{{- end }}
{{- end }}

{{- define "wick.defaultBackendSecurity" -}}
{{- if .containerSecurityContext -}}
{{ toYaml .containerSecurityContext }}
{{- else -}}
runAsNonRoot: {{ .image.runAsNonRoot }}
runAsUser: {{ int64 .image.runAsUser }}
runAsGroup: {{ int64 .image.runAsGroup }}
allowPrivilegeEscalation: {{ .image.allowPrivilegeEscalation }}
{{- with .image.seccompProfile }}
seccompProfile:
  {{- toYaml . | nindent 2 }}
{{- end }}
capabilities:
  drop:
    - ALL
readOnlyRootFilesystem: {{ .image.readOnlyRootFilesystem }}
{{- end -}}
{{- end }}
