//! Scripts and requests by hand; what a real nginx does with the same text is in test/nginx/ingress/script.

mod bounds;
mod decode;
mod fake;
mod run;
