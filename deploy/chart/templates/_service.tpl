{{/* The Services that bring traffic. root; own: the values of this one; outer: those of the external one, which it falls back to; suffix; labels. */}}
{{- define "wick.trafficService" -}}
{{- $own := .own -}}
{{- $type := default .outer.type $own.type -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "wick.controller" .root }}{{ .suffix }}
  namespace: {{ include "wick.namespace" .root }}
  labels:
    {{- include "wick.labels" (dict "root" .root "component" "controller" "labels" .labels) | nindent 4 }}
  {{- with $own.annotations }}
  annotations:
    {{- include "wick.templates" (list . $.root) | trim | nindent 4 }}
  {{- end }}
spec:
  type: {{ $type }}
  {{- with include "wick.clusterIP" $own }}
  clusterIP: {{ . | quote }}
  {{- end }}
  {{- range $field := list "clusterIPs" "externalIPs" "loadBalancerSourceRanges" }}
  {{- with index $own $field }}
  {{ $field }}:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
  {{- range $field := list "loadBalancerIP" "loadBalancerClass" "externalTrafficPolicy" "sessionAffinity" }}
  {{- with index $own $field }}
  {{ $field }}: {{ . | quote }}
  {{- end }}
  {{- end }}
  {{- if not (kindIs "invalid" $own.allocateLoadBalancerNodePorts) }}
  allocateLoadBalancerNodePorts: {{ $own.allocateLoadBalancerNodePorts }}
  {{- end }}
  {{- with $own.healthCheckNodePort }}
  healthCheckNodePort: {{ int . }}
  {{- end }}
  {{- if and $own.trafficDistribution (semverCompare ">=1.31.0-0" .root.Capabilities.KubeVersion.Version) }}
  trafficDistribution: {{ $own.trafficDistribution }}
  {{- end }}
  {{- with $own.ipFamilyPolicy }}
  ipFamilyPolicy: {{ . }}
  {{- end }}
  {{- with $own.ipFamilies }}
  ipFamilies:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with include "wick.trafficPorts" . | trim }}
  ports:
    {{- . | nindent 4 }}
  {{- end }}
  selector:
    {{- include "wick.selector" (list "controller" .root) | nindent 4 }}
{{- end }}

{{/* nodePorts belong to the type of this very Service. */}}
{{- define "wick.trafficPorts" -}}
{{- $own := .own -}}
{{- $outer := .outer -}}
{{- $hasNodePorts := has (default .outer.type $own.type) (list "NodePort" "LoadBalancer") -}}
{{- $enabled := dict "http" $outer.enableHttp "https" $outer.enableHttps -}}
{{- range $name := list "http" "https" }}
{{- if index $enabled $name }}
- name: {{ $name }}
  port: {{ int (default (index $outer.ports $name) (index (default dict $own.ports) $name)) }}
  protocol: TCP
  targetPort: {{ default (index $outer.targetPorts $name) (index (default dict $own.targetPorts) $name) }}
  {{- if $own.appProtocol }}
  appProtocol: {{ $name }}
  {{- end }}
  {{- with index $own.nodePorts $name }}
  {{- if $hasNodePorts }}
  nodePort: {{ int . }}
  {{- end }}
  {{- end }}
{{- end }}
{{- end }}
{{- $root := .root }}
{{- if and $root.Values.controller.http3.enabled $outer.enableHttps }}
- name: http3
  port: {{ int (default $outer.ports.https (default dict $own.ports).https) }}
  protocol: UDP
  targetPort: http3
  {{- with $own.nodePorts.http3 }}
  {{- if $hasNodePorts }}
  nodePort: {{ int . }}
  {{- end }}
  {{- end }}
{{- end }}
{{- range $protocol := list "tcp" "udp" }}
{{- $nodePorts := default dict (index $own.nodePorts $protocol) }}
{{- range $port, $_ := index $root.Values $protocol }}
{{- $name := include "wick.streamPort" (list $root $port $protocol) }}
- name: {{ $name }}
  port: {{ $port }}
  protocol: {{ upper $protocol }}
  targetPort: {{ $name }}
  {{- with get $nodePorts (toString $port) }}
  {{- if $hasNodePorts }}
  nodePort: {{ int . }}
  {{- end }}
  {{- end }}
{{- end }}
{{- end }}
{{- end }}
