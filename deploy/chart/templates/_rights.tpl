{{/* What the controller asks of the API server under these values, and nothing else (controller/input/cluster/watched.ts). */}}

{{/* A flag of extraArgs as text, or what is given in its place: a list of the root, the flag, that. A switch that stands alone is true. */}}
{{- define "wick.flag" -}}
{{- $extra := default dict (index . 0).Values.controller.extraArgs -}}
{{- $flag := index . 1 -}}
{{- if hasKey $extra $flag -}}
{{ $value := get $extra $flag }}{{ kindIs "invalid" $value | ternary "true" (default "true" (include "wick.text" $value)) }}
{{- else -}}
{{ index . 2 }}
{{- end -}}
{{- end }}

{{/* As YAML: any: see values.yaml; election, status, nodes, pods, selector: whether; watched: a namespace, or "" for all; named: objects that flags name. */}}
{{- define "wick.reads" -}}
{{- $controller := .Values.controller -}}
{{- $own := include "wick.namespace" . -}}
{{- $published := include "wick.flag" (list . "publish-service" (include "wick.publishedService" .)) -}}
{{- $election := ne (include "wick.flag" (list . "disable-leader-election" (toString $controller.disableLeaderElection))) "true" -}}
{{- $status := and $election (ne (include "wick.flag" (list . "update-status" "true")) "false") -}}
{{- $topology := eq (include "wick.flag" (list . "enable-topology-aware-routing" (toString $controller.enableTopologyAwareRouting))) "true" -}}
{{- $ofNodes := and $status (not $published) (not (include "wick.flag" (list . "publish-status-address" ""))) -}}
{{- $empties := and $status (ne (include "wick.flag" (list . "update-status-on-shutdown" "true")) "false") -}}
{{- $backend := ternary (printf "%s/%s" $own (include "wick.defaultBackend" .)) "" (include "wick.on" .Values.defaultBackend.enabled | eq "true") -}}
{{- $gateways := ne (include "wick.flag" (list . "gateway-api" (toString .Values.gatewayAPI.enabled))) "false" -}}
{{- $ports := and $gateways (not (include "wick.flag" (list . "gateway-addresses" (join "," .Values.gatewayAPI.addresses)))) -}}
{{- $any := eq (toString .Values.rbac.anyFlags) "true" }}
any: {{ $any }}
election: {{ or $any $election }}
electionID: {{ include "wick.flag" (list . "election-id" (include "wick.electionID" .)) | quote }}
status: {{ or $any $status }}
nodes: {{ or $any $ofNodes $topology }}
gateways: {{ or $any $gateways }}
gatewayPorts: {{ or $any $ports }}
pods: {{ or $any $ofNodes $topology $empties $ports }}
selector: {{ or $any (and (not $controller.scope.enabled) (ne "" (include "wick.flag" (list . "watch-namespace-selector" (default "" $controller.scope.namespaceSelector))))) }}
watched: {{ ternary (default $own $controller.scope.namespace) "" (include "wick.on" $controller.scope.enabled | eq "true") | quote }}
named:
  services:
    - {{ $published | replace "$(POD_NAMESPACE)" $own | quote }}
  backends:
    - {{ include "wick.flag" (list . "default-backend-service" $backend) | replace "$(POD_NAMESPACE)" $own | quote }}
  configmaps:
    - {{ include "wick.flag" (list . "configmap" (printf "%s/%s" (default $own $controller.configMapNamespace) (include "wick.controller" .))) | replace "$(POD_NAMESPACE)" $own | quote }}
    {{- range $protocol := list "tcp" "udp" }}
    {{- $name := ternary (printf "%s/%s-%s" (default $own (index $controller $protocol).configMapNamespace) (include "wick.fullname" $) $protocol) "" (not (empty (index $.Values $protocol))) }}
    - {{ include "wick.flag" (list $ (printf "%s-services-configmap" $protocol) $name) | replace "$(POD_NAMESPACE)" $own | quote }}
    {{- end }}
  secrets:
    - {{ include "wick.flag" (list . "default-ssl-certificate" "") | replace "$(POD_NAMESPACE)" $own | quote }}
{{- end }}

{{/* Names of what flags name in a namespace, one per line: a list of "namespace/name" texts and the namespace. */}}
{{- define "wick.namedIn" -}}
{{- $prefix := printf "%s/" (index . 1) -}}
{{- range index . 0 }}
{{- if hasPrefix $prefix . }}
- {{ trimPrefix $prefix . | quote }}
{{- end }}
{{- end -}}
{{- end }}

{{/* Rules for what is served, wherever that is. */}}
{{- define "wick.servedRules" -}}
- apiGroups: [networking.k8s.io]
  resources: [ingresses]
  verbs: [list, watch]
- apiGroups: [""]
  resources: [services]
  verbs: [list, watch]
- apiGroups: [discovery.k8s.io]
  resources: [endpointslices]
  verbs: [list, watch]
# Only those that an Ingress or a flag names are read. RBAC has no rule for that: a list by name needs the right to list.
- apiGroups: [""]
  resources: [secrets, configmaps]
  verbs: [list, watch]
{{- if .status }}
# The status is written upon what was read right before: not with --update-status=false or --disable-leader-election.
- apiGroups: [networking.k8s.io]
  resources: [ingresses]
  verbs: [get]
- apiGroups: [networking.k8s.io]
  resources: [ingresses/status]
  verbs: [update]
{{- end }}
{{- if .gateways }}
# The Gateway API: not with --gateway-api=false.
- apiGroups: [gateway.networking.k8s.io]
  resources: [gateways, listenersets, httproutes, grpcroutes, tlsroutes, tcproutes, udproutes, backendtlspolicies, referencegrants]
  verbs: [list, watch]
{{- if .status }}
- apiGroups: [gateway.networking.k8s.io]
  resources: [gateways, listenersets, httproutes, grpcroutes, tlsroutes, tcproutes, udproutes, backendtlspolicies]
  verbs: [get]
- apiGroups: [gateway.networking.k8s.io]
  resources: [gateways/status, listenersets/status, httproutes/status, grpcroutes/status, tlsroutes/status, tcproutes/status, udproutes/status, backendtlspolicies/status]
  verbs: [update]
{{- end }}
# The Services of Gateways, and what they lead to: no selector leads to Pods of another namespace.
- apiGroups: [""]
  resources: [services]
  verbs: [get, create, update, delete]
- apiGroups: [discovery.k8s.io]
  resources: [endpointslices]
  verbs: [get, create, update, delete]
{{- end }}
# What users are told about their Ingresses.
- apiGroups: [""]
  resources: [events]
  verbs: [create, patch]
{{- end }}

{{/* Rules of the ClusterRole. */}}
{{- define "wick.clusterRules" -}}
{{- $reads := include "wick.reads" . | fromYaml -}}
{{- if not $reads.watched }}
{{ include "wick.servedRules" $reads }}
{{- end }}
# spec.ingressClassName: without it, only the annotation kubernetes.io/ingress.class says whose an Ingress is.
- apiGroups: [networking.k8s.io]
  resources: [ingressclasses]
  verbs: [list, watch]
{{- if $reads.gateways }}
# Whose a Gateway is.
- apiGroups: [gateway.networking.k8s.io]
  resources: [gatewayclasses]
  verbs: [list, watch]
{{- if $reads.status }}
- apiGroups: [gateway.networking.k8s.io]
  resources: [gatewayclasses]
  verbs: [get]
- apiGroups: [gateway.networking.k8s.io]
  resources: [gatewayclasses/status]
  verbs: [update]
{{- end }}
{{- end }}
{{- if or $reads.selector (and $reads.gateways (not $reads.watched)) }}
# Labels of namespaces: only with --watch-namespace-selector, or the Gateway API, whose listeners let routes in by them.
- apiGroups: [""]
  resources: [namespaces]
  verbs: [list, watch]
{{- end }}
{{- if or $reads.any $reads.watched }}
# The start looks whether it exists: only with --watch-namespace.
- apiGroups: [""]
  resources: [namespaces]
  {{- if not $reads.any }}
  resourceNames: [{{ $reads.watched }}]
  {{- end }}
  verbs: [get]
{{- end }}
{{- if and $reads.any (not $reads.gateways) }}
# The start looks whether Services that flags name exist: only with --publish-service or --default-backend-service.
- apiGroups: [""]
  resources: [services]
  verbs: [get]
{{- end }}
{{- if $reads.nodes }}
# Addresses of nodes in the status of Ingresses: not with --publish-service or --publish-status-address. Zones: with --enable-topology-aware-routing.
- apiGroups: [""]
  resources: [nodes]
  verbs: [list, watch]
{{- end }}
{{- end }}

{{/* Rules of the Role in a namespace: a list of it and the root. */}}
{{- define "wick.rules" -}}
{{- $namespace := index . 0 -}}
{{- $root := index . 1 -}}
{{- $reads := include "wick.reads" $root | fromYaml -}}
{{- $own := eq $namespace (include "wick.namespace" $root) -}}
{{- $isServed := or (not $reads.watched) (eq $namespace $reads.watched) -}}
{{- $backends := include "wick.namedIn" (list $reads.named.backends $namespace) -}}
{{- $services := include "wick.namedIn" (list (concat $reads.named.services $reads.named.backends) $namespace) -}}
{{- if and $reads.watched $isServed }}
{{ include "wick.servedRules" $reads }}
{{- end }}
{{- if $own }}
# The own Pod: Events about reloads are about it.
- apiGroups: [""]
  resources: [pods]
  verbs: [get]
{{- if $reads.pods }}
# Its replicas: whose nodes are in the status of Ingresses, and whether it is the last one to stop.
- apiGroups: [""]
  resources: [pods]
  verbs: [list, watch]
{{- end }}
{{- if $reads.election }}
# The Lease --election-id: not with --disable-leader-election. What is made has no name yet that a rule could compare.
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [create]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  resourceNames: [{{ $reads.electionID | quote }}]
  verbs: [get, update, watch]
{{- end }}
{{- if $reads.gatewayPorts }}
# The record of which of its ports belongs to which Gateway: not with --gateway-addresses.
- apiGroups: [""]
  resources: [configmaps]
  verbs: [create]
- apiGroups: [""]
  resources: [configmaps]
  resourceNames: [{{ printf "%s-gateway-ports" $reads.electionID | quote }}]
  verbs: {{ ternary "[get, update]" "[get, list, watch, update]" $isServed }}
{{- end }}
{{- if not $isServed }}
- apiGroups: [""]
  resources: [events]
  verbs: [create, patch]
{{- end }}
{{- end }}
{{- with ternary "" $services (and $isServed $reads.gateways) }}
# What flags name: --publish-service, --default-backend-service.
- apiGroups: [""]
  resources: [services]
  resourceNames:
    {{- . | trim | nindent 4 }}
  verbs: {{ ternary "[get]" "[get, list, watch]" $isServed }}
{{- end }}
{{- if not $isServed }}
{{- if $backends }}
- apiGroups: [discovery.k8s.io]
  resources: [endpointslices]
  verbs: [list, watch]
{{- end }}
{{- range $resource := list "configmaps" "secrets" }}
{{- with include "wick.namedIn" (list (index $reads.named $resource) $namespace) }}
# What flags name: {{ ternary "--configmap, --tcp-services-configmap, --udp-services-configmap" "--default-ssl-certificate" (eq $resource "configmaps") }}.
- apiGroups: [""]
  resources: [{{ $resource }}]
  resourceNames:
    {{- . | trim | nindent 4 }}
  verbs: [list, watch]
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The namespaces in which a Role is needed, between blanks: its own first. */}}
{{- define "wick.roleNamespaces" -}}
{{- $reads := include "wick.reads" . | fromYaml -}}
{{- $found := list (include "wick.namespace" .) -}}
{{- if $reads.watched }}{{ $found = append $found $reads.watched }}{{ end -}}
{{- range $kind, $names := $reads.named }}
{{- if or $reads.watched (has $kind (list "services" "backends")) }}
{{- range compact $names }}{{ $found = append $found (splitList "/" . | first) }}{{ end }}
{{- end }}
{{- end -}}
{{ uniq $found | join " " }}
{{- end }}
