//! Numbers of a record in force: copies of a server's configurations with other timeouts, tries and rates in them.
//!
//! nginx reads these numbers from a structure that its proxy module keeps to itself. Where they lie in it, the module's own table of directives
//! says; that it is so is looked up in a fresh one, in which all of them are unset. A session is given a copy of its server's array of
//! configurations, whose slot of the proxy module points to a patched copy of that structure.

use std::ffi::{CStr, c_void};
use std::ptr::{NonNull, copy_nonoverlapping};

use ngx::ffi::{
    NGX_STREAM_MODULE, ngx_command_t, ngx_module_t, ngx_ssl_t, ngx_str_t,
    ngx_stream_complex_value_t, ngx_stream_module_t,
};
use wick_native::conf::Conf;
use wick_native::measure::{made_alone, module_named, modules};
use wick_native::text::bytes;
use wick_streams::Numbers;

/// A server's configurations: an array with one slot per module of `stream`.
pub type SrvConfs = NonNull<*mut c_void>;

/// The directives whose numbers records may have, in the order of [`Words`].
const DIRECTIVES: [&[u8]; 10] = [
    b"proxy_timeout",
    b"proxy_connect_timeout",
    b"proxy_next_upstream",
    b"proxy_next_upstream_timeout",
    b"proxy_next_upstream_tries",
    b"proxy_responses",
    b"proxy_requests",
    b"proxy_upload_rate",
    b"proxy_download_rate",
    b"proxy_protocol",
];

/// Those of TLS towards the endpoint: whether there is any, whether its sessions are kept, whether a name is sent, whether nginx verifies, which name
/// is sent, and the versions.
const TLS_DIRECTIVES: [&[u8]; 6] = [
    b"proxy_ssl",
    b"proxy_ssl_session_reuse",
    b"proxy_ssl_server_name",
    b"proxy_ssl_verify",
    b"proxy_ssl_name",
    b"proxy_ssl_protocols",
];

/// How many of them have words of which [`UNSET`] says that they are not set: nginx leaves a pointer and a set of bits at 0.
const TLS_SWITCHES: usize = 4;

/// A value for each directive, as a word of nginx's; `None`: the server's own.
type Words = [Option<usize>; DIRECTIVES.len()];

/// What nginx has in a word that no directive has set yet, be it a number, a switch or a pointer.
const UNSET: usize = usize::MAX;

/// The proxy module's structure of this nginx.
#[derive(Clone, Copy)]
pub struct Structure {
    /// Slots of an array of configurations.
    slots: usize,
    /// The module's.
    slot: usize,
    bytes: usize,
    /// Where the word of each directive begins, in bytes.
    offsets: [usize; DIRECTIVES.len()],
    /// `None`: this nginx has no TLS there.
    tls_offsets: Option<[usize; TLS_DIRECTIVES.len()]>,
}

impl Structure {
    /// `None`: it is not as it is known here.
    ///
    /// # Safety
    /// The parser is inside `stream`.
    pub unsafe fn measure(conf: Conf) -> Option<Structure> {
        // SAFETY: the caller's promise; a module of this name is one of `stream`.
        unsafe {
            let module = module_named(conf, c"ngx_stream_proxy_module")?.as_ref();
            let create = (*module.ctx.cast::<ngx_stream_module_t>()).create_srv_conf?;
            let offsets = offsets(module, DIRECTIVES)?;
            let tls_offsets = self::offsets(module, TLS_DIRECTIVES);
            let slots = slots(conf);
            made_alone(conf, create, |made, bytes| {
                let are_unset = |all: &[usize]| all.iter().all(|at| is_unset(made, bytes, *at));
                let tls_offsets = tls_offsets.filter(|all| are_unset(&all[..TLS_SWITCHES]));
                let slot = module.ctx_index;
                are_unset(&offsets).then_some(Structure {
                    slots,
                    slot,
                    bytes,
                    offsets,
                    tls_offsets,
                })
            })
        }
    }

    fn words(self) -> usize {
        self.bytes.div_ceil(size_of::<u64>())
    }

    /// Where the structure has the context of TLS towards endpoints: the one word in which a server with `proxy_ssl` and `proxy_ssl_protocols` differs
    /// from another, beside those of the directives that are known here. Without the latter newer versions of nginx give all servers the same context.
    /// `None`: they differ in more, or in less.
    ///
    /// # Safety
    /// Configurations of two servers of the nginx that was measured, merged.
    pub unsafe fn tls_context(&self, with: SrvConfs, without: SrvConfs) -> Option<TlsContext> {
        let tls_offsets = self.tls_offsets?;
        // SAFETY: the caller's promise.
        let [with, without] = unsafe { [self.proxy_words(with), self.proxy_words(without)] };
        let differing = |nth: &usize| with[*nth] != without[*nth];
        let mut others = (0..with.len())
            .filter(differing)
            .map(|nth| nth * size_of::<usize>())
            .filter(|offset| !tls_offsets.contains(offset) && !self.offsets.contains(offset));
        let offset = others.next().filter(|_| others.next().is_none())?;
        let word = with[offset / size_of::<usize>()];
        let ssl = NonNull::new(std::ptr::with_exposed_provenance_mut(word))?;
        Some(TlsContext { offset, ssl })
    }

    /// # Safety
    /// As for [`Structure::tls_context`].
    unsafe fn proxy_words<'a>(&self, confs: SrvConfs) -> &'a [usize] {
        // SAFETY: the caller's promise.
        unsafe {
            let conf = *confs.as_ptr().add(self.slot);
            std::slice::from_raw_parts(conf.cast(), self.bytes / size_of::<usize>())
        }
    }
}

/// The context of a server with `proxy_ssl`.
#[derive(Clone, Copy)]
pub struct TlsContext {
    /// Of the proxy module's structure, in bytes.
    offset: usize,
    pub ssl: NonNull<ngx_ssl_t>,
}

/// # Safety
/// The parser is inside `stream`, and has numbered its modules.
unsafe fn slots(conf: Conf) -> usize {
    // SAFETY: the caller's promise.
    let modules = unsafe { modules(conf) };
    let slots = modules.filter_map(|module| {
        // SAFETY: a module of nginx's.
        let module = unsafe { module.as_ref() };
        (module.type_ == NGX_STREAM_MODULE as usize).then_some(module.ctx_index + 1)
    });
    slots.max().unwrap_or(0)
}

/// `None`: a directive is not there, or two write to the same place: then they are others than those that are known.
///
/// # Safety
/// A module with directives.
unsafe fn offsets<const N: usize>(
    module: &ngx_module_t,
    directives: [&[u8]; N],
) -> Option<[usize; N]> {
    let mut offsets = [0; N];
    for (nth, name) in directives.iter().enumerate() {
        // SAFETY: the caller's promise.
        let offset = unsafe { commands(module) }.find(|command| {
            // SAFETY: names are strings of nginx's.
            unsafe { bytes(command.name) == *name }
        });
        let offset = offset?.offset;
        if offsets[..nth].contains(&offset) {
            return None;
        }
        offsets[nth] = offset;
    }
    Some(offsets)
}

/// # Safety
/// A module with directives.
unsafe fn commands(module: &ngx_module_t) -> impl Iterator<Item = &ngx_command_t> {
    // SAFETY: the caller's promise: a table that ends with one without a name.
    (0..).map(|nth| unsafe { &*module.commands.add(nth) }).take_while(|it| it.name.len > 0)
}

/// # Safety
/// `made` points to `bytes` readable bytes, aligned to words.
unsafe fn is_unset(made: NonNull<c_void>, bytes: usize, at: usize) -> bool {
    let fits = at.is_multiple_of(size_of::<usize>()) && at + size_of::<usize>() <= bytes;
    // SAFETY: the caller's promise, and within the structure.
    fits && unsafe { made.byte_add(at).cast::<usize>().read() } == UNSET
}

/// One block of memory: the array, the rates, and the structure; and what else that refers to.
pub struct Settings {
    memory: Box<[u64]>,
    /// Where the copy of the structure begins, in words.
    copy: usize,
    /// The name that endpoints are sent.
    _name: Option<Box<Text>>,
}

/// A text without variables, as nginx has one that may have some.
struct Text {
    value: ngx_stream_complex_value_t,
    _bytes: Box<[u8]>,
}

impl Text {
    fn new(bytes: &[u8]) -> Box<Text> {
        let bytes: Box<[u8]> = bytes.into();
        // SAFETY: plain C data, which without lists of lengths is a constant.
        let mut value: ngx_stream_complex_value_t = unsafe { std::mem::zeroed() };
        value.value = ngx_str_t { len: bytes.len(), data: bytes.as_ptr().cast_mut() };
        Box::new(Text { value, _bytes: bytes })
    }
}

/// What the rates are in nginx, which may have variables in them; all zero they are constants of 0.
type Rates = [ngx_stream_complex_value_t; 2];

const RATE_WORDS: usize = size_of::<Rates>().div_ceil(size_of::<u64>());
// The array of pointers takes whole words, like all behind it.
const _: () = assert!(size_of::<*mut c_void>() == size_of::<u64>());

impl Settings {
    /// # Safety
    /// `base` is the array of a server's configurations under the nginx that was measured, and lives as long.
    pub unsafe fn new(
        base: SrvConfs,
        structure: &Structure,
        numbers: &Numbers,
        sends_proxy_header: bool,
    ) -> Settings {
        let len = structure.slots + RATE_WORDS + structure.words();
        let mut memory = vec![0u64; len].into_boxed_slice();
        let array = memory.as_mut_ptr().cast::<*mut c_void>();
        // SAFETY: the block has room for the parts one behind the other; the structure's words are within it.
        unsafe {
            copy_nonoverlapping(base.as_ptr(), array, structure.slots);
            let rates = array.add(structure.slots).cast::<Rates>();
            let copy = array.add(structure.slots + RATE_WORDS).cast::<c_void>();
            let slot = array.add(structure.slot);
            copy_nonoverlapping((*slot).cast::<u8>(), copy.cast::<u8>(), structure.bytes);
            *slot = copy;
            let words = words(numbers, sends_proxy_header, rates);
            for (word, at) in words.into_iter().zip(structure.offsets) {
                if let Some(word) = word {
                    copy.byte_add(at).cast::<usize>().write(word);
                }
            }
        }
        Settings { memory, copy: structure.slots + RATE_WORDS, _name: None }
    }

    /// Has the endpoint spoken to in TLS, and nobody's sessions resumed; whether its certificate holds is asked of the context's callbacks.
    ///
    /// # Safety
    /// `structure` is the one that these were made with; the context lives as long as what is made here.
    pub unsafe fn speak_tls(
        &mut self,
        structure: &Structure,
        context: TlsContext,
        server_name: Option<&[u8]>,
    ) -> Option<()> {
        let [enabled, reuse, sends_name, verifies, name, _] = structure.tls_offsets?;
        let text = server_name.map(Text::new);
        let value = text.as_ref().map_or(0, |text| (&raw const text.value).expose_provenance());
        let words = [
            (enabled, 1),
            (reuse, 0),
            (sends_name, usize::from(text.is_some())),
            (verifies, 0),
            (name, value),
            (context.offset, context.ssl.as_ptr().expose_provenance()),
        ];
        let copy = self.memory[self.copy..].as_mut_ptr().cast::<c_void>();
        for (offset, word) in words {
            // SAFETY: within the structure, as was measured.
            unsafe { copy.byte_add(offset).cast::<usize>().write(word) };
        }
        self._name = text;
        Some(())
    }

    /// Gives sessions the configuration of another server for one module.
    ///
    /// # Safety
    /// `slot` is that module's, and `conf` lives as long as what is made here.
    pub unsafe fn put(&mut self, slot: usize, conf: NonNull<c_void>) {
        // SAFETY: the caller's promise: the array has a slot for each module.
        unsafe { self.memory.as_mut_ptr().cast::<*mut c_void>().add(slot).write(conf.as_ptr()) };
    }

    pub fn srv_confs(&self) -> SrvConfs {
        NonNull::from(&self.memory[0]).cast()
    }
}

/// # Safety
/// `rates` are all zero, and live as long as what is made of the words.
unsafe fn words(numbers: &Numbers, sends_proxy_header: bool, rates: *mut Rates) -> Words {
    let size = |number: Option<u32>| number.map(|number| number as usize);
    let rate = |nth: usize, bytes: Option<u64>| {
        bytes.map(|bytes| {
            // SAFETY: the caller's promise.
            unsafe {
                (*rates)[nth].u.size = bytes as usize;
                (&raw mut (*rates)[nth]).addr()
            }
        })
    };
    [
        size(numbers.proxy_timeout_ms),
        size(numbers.proxy_connect_timeout_ms),
        numbers.next_upstream.map(usize::from),
        size(numbers.next_upstream_timeout_ms),
        size(numbers.next_upstream_tries),
        size(numbers.responses),
        size(numbers.requests),
        rate(0, numbers.upload_bytes),
        rate(1, numbers.download_bytes),
        sends_proxy_header.then_some(1),
    ]
}

/// What is said once when numbers cannot be put in force.
pub const UNKNOWN: &CStr = c"this nginx's ngx_stream_proxy_module is unknown";
