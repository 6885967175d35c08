//! ngx_http_ingress_module: routes of the shared zone, found and entered
