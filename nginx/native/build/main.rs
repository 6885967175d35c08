//! Prints where the structures of this very nginx have their members, for `src/bits.rs`. bindgen misplaces bit fields that do not begin at a
//! multiple of their unit (in nginx 1.30 those of a request). So the headers are compiled here, and the compiler's debug information is asked.

mod printed;
mod structures;

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// What bindgen was given, too, and what the stream module has for TLS, which it keeps out of its header unless it was configured with it.
const HEADERS: &str = "
    #include <ngx_config.h>
    #include <ngx_core.h>
    #include <ngx_http.h>
    #include <ngx_stream.h>
    #include <ngx_stream_ssl_module.h>
";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=CC");
    println!("cargo::rerun-if-changed={}/ngx_auto_config.h", env::var("DEP_NGINX_BUILD_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut structures = structures::of(&fs::read(compile(&out)?)?)?;
    let of_stream = printed::stream_tls(&mut structures)?;
    fs::write(out.join("layout.rs"), printed::layout(&structures)? + &of_stream)?;
    fs::write(out.join("clippy.toml"), printed::refused(&structures)?)?;
    Ok(())
}

/// The headers with debug information. Linked, so that no relocation is left to be done in it.
fn compile(out: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let (source, library) = (out.join("headers.c"), out.join("headers.so"));
    fs::write(&source, HEADERS)?;
    // nginx-sys passes on what it found in nginx's makefile. All that the layout depends on besides is in nginx's own configuration header.
    let includes = env::var_os("DEP_NGINX_INCLUDE").ok_or("nginx-sys names no headers")?;
    let compiler = cc::Build::new().opt_level(0).warnings(false).try_get_compiler()?;
    let status = compiler
        .to_command()
        .args(env::split_paths(&includes).map(|path| format!("-I{}", path.display())))
        .args([
            "-g",
            "-gdwarf-5",
            "-gz=none",
            "-fno-eliminate-unused-debug-types",
            "-fPIC",
            "-shared",
            "-nostdlib",
            "-o",
        ])
        .args([&library, &source])
        .status()?;
    if status.success() { Ok(library) } else { Err("The headers of nginx do not compile".into()) }
}
