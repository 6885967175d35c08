{{/* The controller's command line, in the order in which ingress-nginx's chart has it. */}}
{{- define "wick.args" -}}
{{- $controller := .Values.controller -}}
{{- $name := include "wick.controller" . -}}
- /nginx-ingress-controller
{{- if eq (toString $controller.enableAnnotationValidations) "false" }}
- --enable-annotation-validation=false
{{- end }}
{{- if .Values.defaultBackend.enabled }}
- --default-backend-service=$(POD_NAMESPACE)/{{ include "wick.defaultBackend" . }}
{{- end }}
{{- with include "wick.publishedService" . }}
- --publish-service={{ . }}
{{- end }}
- --election-id={{ include "wick.electionID" . }}
- --controller-class={{ $controller.ingressClassResource.controllerValue }}
{{- with $controller.ingressClass }}
- --ingress-class={{ . }}
{{- end }}
- --configmap={{ default "$(POD_NAMESPACE)" $controller.configMapNamespace }}/{{ $name }}
{{- if .Values.tcp }}
- --tcp-services-configmap={{ default "$(POD_NAMESPACE)" $controller.tcp.configMapNamespace }}/{{ include "wick.fullname" . }}-tcp
{{- end }}
{{- if .Values.udp }}
- --udp-services-configmap={{ default "$(POD_NAMESPACE)" $controller.udp.configMapNamespace }}/{{ include "wick.fullname" . }}-udp
{{- end }}
{{- if .Values.gatewayAPI.enabled }}
- --gateway-controller-name={{ .Values.gatewayAPI.controllerName }}
{{- with .Values.gatewayAPI.addresses }}
- --gateway-addresses={{ join "," . }}
{{- end }}
- --gateway-port-range={{ .Values.gatewayAPI.portRange }}
{{- else }}
- --gateway-api=false
{{- end }}
{{- if $controller.scope.enabled }}
- --watch-namespace={{ default "$(POD_NAMESPACE)" $controller.scope.namespace }}
{{- else if $controller.scope.namespaceSelector }}
- --watch-namespace-selector={{ $controller.scope.namespaceSelector }}
{{- end }}
{{- if and $controller.reportNodeInternalIp $controller.hostNetwork }}
- --report-node-internal-ip-address=true
{{- end }}
{{- if include "wick.admission" . }}
- --validating-webhook=:{{ int $controller.admissionWebhooks.port }}
- --validating-webhook-certificate={{ $controller.admissionWebhooks.certificate }}
- --validating-webhook-key={{ $controller.admissionWebhooks.key }}
{{- end }}
{{- with $controller.maxmindLicenseKey }}
- --maxmind-license-key={{ . }}
{{- end }}
{{- with $controller.healthCheckHost }}
- --healthz-host={{ . }}
{{- end }}
{{- if ne $controller.healthCheckPath "/healthz" }}
- --health-check-path={{ $controller.healthCheckPath }}
{{- end }}
{{- if $controller.ingressClassByName }}
- --ingress-class-by-name=true
{{- end }}
{{- if $controller.watchIngressWithoutClass }}
- --watch-ingress-without-class=true
{{- end }}
{{- if $controller.metrics.enabled }}
- --enable-metrics=true
{{- end }}
{{- if $controller.enableTopologyAwareRouting }}
- --enable-topology-aware-routing=true
{{- end }}
{{- if $controller.disableLeaderElection }}
- --disable-leader-election=true
{{- end }}
{{- with $controller.electionTTL }}
- --election-ttl={{ . }}
{{- end }}
{{- include "wick.extraArgs" $controller.extraArgs }}
{{- end }}

{{/* Flags from a map; an empty value is a switch that stands alone. */}}
{{- define "wick.extraArgs" -}}
{{- range $flag, $value := . }}
{{- $text := kindIs "invalid" $value | ternary "" (include "wick.text" $value) }}
- {{ ternary (printf "--%s" $flag) (printf "--%s=%s" $flag $text) (eq $text "") | quote }}
{{- end }}
{{- end }}

{{/* The Service whose addresses become the status of Ingresses, or nothing. */}}
{{- define "wick.publishedService" -}}
{{- $publish := .Values.controller.publishService -}}
{{- $service := .Values.controller.service -}}
{{- $suffix := ternary "" "-internal" (include "wick.on" $service.external.enabled | eq "true") -}}
{{- if and $publish.enabled $service.enabled (or $service.external.enabled $service.internal.enabled) -}}
{{ default (printf "$(POD_NAMESPACE)/%s%s" (include "wick.controller" .) $suffix) $publish.pathOverride }}
{{- end -}}
{{- end }}

{{/* Whether the webhook is set up. */}}
{{- define "wick.admission" -}}
{{- if .Values.controller.admissionWebhooks.enabled }}true{{ end -}}
{{- end }}

{{/* Whether Jobs make its certificate. */}}
{{- define "wick.admissionJobs" -}}
{{- $webhooks := .Values.controller.admissionWebhooks -}}
{{- if and (include "wick.admission" .) $webhooks.patch.enabled (not $webhooks.certManager.enabled) }}true{{ end -}}
{{- end }}
