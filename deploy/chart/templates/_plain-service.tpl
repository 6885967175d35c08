{{/* A Service with one port. own: its values; root; name; component; labels; port: name, port, targetPort, appProtocol. */}}
{{- define "wick.plainService" -}}
{{- $own := .own -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "wick.metadata" (dict "root" .root "name" .name "component" .component "labels" .labels "annotations" $own.annotations) | nindent 2 }}
spec:
  type: {{ $own.type }}
  {{- with include "wick.clusterIP" $own }}
  clusterIP: {{ . | quote }}
  {{- end }}
  {{- range $field := list "loadBalancerIP" "externalTrafficPolicy" }}
  {{- with index $own $field }}
  {{ $field }}: {{ . | quote }}
  {{- end }}
  {{- end }}
  {{- range $field := list "clusterIPs" "externalIPs" "loadBalancerSourceRanges" }}
  {{- with index $own $field }}
  {{ $field }}:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
  ports:
    - name: {{ .port.name }}
      port: {{ int $own.servicePort }}
      protocol: TCP
      targetPort: {{ .port.target }}
      {{- with .port.appProtocol }}
      appProtocol: {{ . }}
      {{- end }}
      {{- if and $own.nodePort (has $own.type (list "NodePort" "LoadBalancer")) }}
      nodePort: {{ int $own.nodePort }}
      {{- end }}
  selector:
    {{- include "wick.selector" (list (default .component .selects) .root) | nindent 4 }}
{{- end }}

{{/* Kubernetes wants the first one of clusterIPs here, too. */}}
{{- define "wick.clusterIP" -}}
{{- with .clusterIP }}{{ . }}{{ else }}{{ with .clusterIPs }}{{ first . }}{{ end }}{{ end -}}
{{- end }}
