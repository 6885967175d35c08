{{/* What of the values has no effect, or not the one that might be expected: one line each. */}}
{{- define "wick.notices" -}}
{{- $controller := .Values.controller -}}
{{- $image := $controller.image -}}
{{- $webhooks := $controller.admissionWebhooks -}}
{{- if or (contains "ingress-nginx/" (default "" $image.repository)) (contains "ingress-nginx/" (default "" $image.image)) (regexMatch "^v?1\\.[0-9]+\\.[0-9]+" (toString $image.tag)) }}
- controller.image: {{ include "wick.controllerImage" . }} looks like an image of ingress-nginx. Take image, repository, tag and digest out of your values.
{{- end }}
{{- if and $image.digest (not $image.tag) }}
- controller.image.digest: the image of this digest is run, whatever version the chart is of.
{{- end }}
{{- if or $image.chroot $image.digestChroot }}
- controller.image.chroot, digestChroot: without effect, there is no chroot image.
{{- end }}
{{- if eq (toString $controller.enableAnnotationValidations) "false" }}
- controller.enableAnnotationValidations: without effect, values of annotations are always checked.
{{- end }}
{{- if not $controller.enableMimalloc }}
- controller.enableMimalloc: without effect, nothing is preloaded.
{{- end }}
{{- if or $controller.customTemplate.configMapName $controller.customTemplate.configMapKey }}
- controller.customTemplate: WITHOUT EFFECT. What your template changes about nginx.conf is not in force; look for ConfigMap keys and annotations instead.
{{- end }}
{{- if $controller.extraModules }}
- controller.extraModules: without effect, modules of ingress-nginx's images do not fit this nginx.
{{- end }}
{{- if and $controller.maxmindLicenseKey (ne (toString (index $controller.config "use-geoip2")) "true") }}
- controller.maxmindLicenseKey: databases are downloaded, and nobody looks into them: set controller.config.use-geoip2 to "true".
{{- end }}
{{- $asksForRules := false }}
{{- range $key := list "enable-modsecurity" "enable-owasp-modsecurity-crs" "modsecurity-snippet" "modsecurity-audit-log" "modsecurity-crs-version" }}
{{- if not (has (toString (index $controller.config $key | default "false")) (list "false" "off")) }}{{ $asksForRules = true }}{{ end }}
{{- end }}
{{- if and $asksForRules (not (contains "full" (include "wick.controllerImage" .))) (not $image.digest) }}
- controller.config: ModSecurity needs the image's variant `full`, as of controller.image.tag {{ .Chart.AppVersion }}-full. Where the library is not there, Ingresses with enable-modsecurity answer 503.
{{- end }}
{{- if and $controller.autoscaling.enabled $controller.keda.enabled }}
- controller.autoscaling, controller.keda: both are enabled, so neither is made.
{{- end }}
{{- if and (eq $controller.kind "DaemonSet") (or $controller.autoscaling.enabled $controller.keda.enabled) }}
- controller.autoscaling, controller.keda: without effect, a DaemonSet is not scaled.
{{- end }}
{{- if and $controller.service.internal.enabled (not $controller.service.internal.annotations) }}
- controller.service.internal: without annotations there is no internal Service.
{{- end }}
{{- if and $controller.reportNodeInternalIp (not $controller.hostNetwork) }}
- controller.reportNodeInternalIp: without effect, it needs hostNetwork.
{{- end }}
{{- if and $controller.scope.enabled $controller.scope.namespaceSelector }}
- controller.scope.namespaceSelector: without effect together with scope.enabled.
{{- end }}
{{- if and (not $controller.metrics.enabled) (or $controller.metrics.serviceMonitor.enabled $controller.metrics.prometheusRule.enabled) }}
- controller.metrics.serviceMonitor, prometheusRule: without effect, they need metrics.enabled.
{{- end }}
{{- if and $controller.resizePolicy (semverCompare "<1.33.0-0" .Capabilities.KubeVersion.Version) }}
- controller.resizePolicy: without effect before Kubernetes 1.33.
{{- end }}
{{- if and (or $webhooks.patch.image.registry $webhooks.patch.image.tag $webhooks.patch.image.digest) (not (or $webhooks.patch.image.image $webhooks.patch.image.repository)) }}
- controller.admissionWebhooks.patch.image: without effect without image or repository, the Jobs run the controller's image.
{{- end }}
{{- include "wick.removed" . }}
{{- end }}

{{/* Values that older charts of ingress-nginx had. */}}
{{- define "wick.removed" -}}
{{- range $path, $why := dict
  "controller.opentelemetry" "what wick has of OpenTelemetry needs no init container"
  "podSecurityPolicy" "Kubernetes has no PodSecurityPolicy any more"
  "controller.existingPsp" "Kubernetes has no PodSecurityPolicy any more"
  "controller.admissionWebhooks.existingPsp" "Kubernetes has no PodSecurityPolicy any more"
  "defaultBackend.existingPsp" "Kubernetes has no PodSecurityPolicy any more"
  "controller.admissionWebhooks.networkPolicyEnabled" "it is admissionWebhooks.patch.networkPolicy.enabled now"
  "controller.admissionWebhooks.patch.fsGroup" "the Jobs have a securityContext each"
  "controller.admissionWebhooks.patch.runAsUser" "the Jobs have a securityContext each"
  "controller.autoscaling.apiVersion" "the API server says which there is"
  "defaultBackend.autoscaling.apiVersion" "the API server says which there is" }}
{{- $found := $.Values -}}
{{- $carried := true -}}
{{- range splitList "." $path }}
{{- if and $carried (kindIs "map" $found) (hasKey $found .) }}{{ $found = index $found . }}{{ else }}{{ $carried = false }}{{ end -}}
{{- end -}}
{{- if and $carried (kindIs "map" $found) }}{{ $carried = ne (toString $found.enabled) "false" }}{{ end -}}
{{- if $carried }}
- {{ $path }}: without effect, {{ $why }}.
{{- end }}
{{- end }}
{{- end }}
