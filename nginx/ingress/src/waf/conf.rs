//! What the configuration says, and where requests keep what is theirs.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::module::ModuleIndex;
use wick_native::variable::{declare_note, index};

pub static MODULE: ModuleIndex = ModuleIndex::unset();

#[derive(Default)]
pub struct MainConf {
    /// `None`: without the directive. Routes with a firewall are not served then.
    pub places: Option<Places>,
    /// Index of the variable in whose place requests keep what outlives internal redirects.
    pub noted_at: usize,
}

#[derive(Clone)]
pub struct Places {
    /// Where rule sets lie, `DIGEST.json`.
    pub directory: PathBuf,
    pub library: PathBuf,
}

/// As packages have it, found where the dynamic linker looks.
const LIBRARY: &str = "libmodsecurity.so.3";
/// The variable, which has no value that anybody could read.
const NAME: &[u8] = b"ingress_waf";

pub fn declare(conf: Conf) -> Option<()> {
    declare_note(conf, NAME, 0, 0)?;
    let noted_at = index(conf, NAME)?;
    // SAFETY: the parser is inside `http`, and nothing else refers to the configuration.
    unsafe { (*conf.http_main::<MainConf>(MODULE.get())).noted_at = noted_at };
    Some(())
}

pub fn ingress_modsecurity(conf: Conf, main: &mut MainConf) -> Answer {
    if main.places.is_some() {
        return refuse(c"is duplicate");
    }
    let path = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
    let mut words = conf.words().skip(1);
    let Some(directory) = words.next().and_then(|word| conf.full_path(word)) else {
        return CONF_ERROR;
    };
    let library = match words.next() {
        None => PathBuf::from(LIBRARY),
        Some(word) => match word.strip_prefix(b"library=").filter(|path| path.starts_with(b"/")) {
            Some(library) => path(library),
            None => return refuse(c"takes a directory and library=/PATH"),
        },
    };
    main.places = Some(Places { directory: path(&directory), library });
    CONF_OK
}
