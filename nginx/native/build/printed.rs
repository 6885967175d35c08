//! The structures as Rust: a constant for each bit field, and a comparison with what bindgen made of everything else.

use std::fmt::{Error, Write};

use crate::structures::{Member, Place, Structure, Structures};

/// As bindgen calls what C calls by a word of Rust.
fn rust(name: &str) -> String {
    let words = ["async", "in", "match", "proc", "str", "type", "use"];
    if words.contains(&name) { format!("{name}_") } else { name.to_owned() }
}

pub fn layout(structures: &Structures) -> Result<String, Error> {
    let mut text = String::new();
    for (name, structure) in structures {
        compare(&mut text, name, structure)?;
        bits(&mut text, name, structure)?;
    }
    Ok(text)
}

/// Where the configuration of TLS in `stream` has its context. Nothing of it is bindgen's, so it is taken out of the others.
pub fn stream_tls(structures: &mut Structures) -> Result<String, Box<dyn std::error::Error>> {
    let own: Vec<String> =
        structures.keys().filter(|name| name.starts_with("ngx_stream_ssl_")).cloned().collect();
    let places = own.iter().filter_map(|name| {
        let members = structures.remove(name)?.members;
        members.into_iter().find(|member| member.name == "ssl").map(|member| member.place)
    });
    // Its name is another one since nginx 1.25.5.
    match places.collect::<Vec<_>>()[..] {
        [Place::Bytes(offset)] => Ok(format!("pub const TLS_IN_STREAM_CONF: usize = {offset};\n")),
        _ => {
            Err("nginx's stream module has another configuration of TLS than it is known here"
                .into())
        }
    }
}

/// A build for an nginx of which bindgen has another idea than its compiler ends here.
fn compare(text: &mut String, name: &str, structure: &Structure) -> Result<(), Error> {
    writeln!(text, "const _: () = {{ use ngx::ffi::{name} as S;")?;
    let same = format!("\"bindgen and the compiler of nginx place {name}");
    writeln!(text, "assert!(size_of::<S>() == {}, {same} differently\");", structure.bytes)?;
    for Member { name, place } in &structure.members {
        if let Place::Bytes(offset) = place {
            let offset_of = format!("core::mem::offset_of!(S, {})", rust(name));
            writeln!(text, "assert!({offset_of} == {offset}, {same}.{name} differently\");")?;
        }
    }
    writeln!(text, "}};")
}

/// Clippy's configuration: nobody calls what bindgen has for bit fields.
pub fn refused(structures: &Structures) -> Result<String, Error> {
    let mut text = String::from("disallowed-methods = [\n");
    for (name, structure) in structures {
        for member in &structure.members {
            if let Place::Bits(..) = member.place {
                for method in [rust(&member.name), format!("set_{}", member.name)] {
                    writeln!(text, "\"nginx_sys::bindings::{name}::{method}\",")?;
                }
            }
        }
    }
    // These use them.
    for function in ["ngx_add_timer", "ngx_del_timer", "ngx_post_event", "ngx_delete_posted_event"]
    {
        writeln!(text, "\"nginx_sys::event::{function}\",")?;
    }
    writeln!(text, "]")?;
    Ok(text)
}

fn bits(text: &mut String, name: &str, structure: &Structure) -> Result<(), Error> {
    let fields: Vec<_> = structure
        .members
        .iter()
        .filter_map(|member| match member.place {
            Place::Bits(offset, width) => Some((member.name.to_uppercase(), offset, width)),
            Place::Bytes(_) => None,
        })
        .collect();
    if fields.is_empty() {
        return Ok(());
    }
    writeln!(text, "pub mod {name} {{ use super::Bits; use ngx::ffi::{name} as S;")?;
    for (name, offset, width) in fields {
        writeln!(text, "pub const {name}: Bits<S> = Bits::at({offset}, {width});")?;
    }
    writeln!(text, "}}")
}
