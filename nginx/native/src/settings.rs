//! One module's settings of a location, made while requests run as nginx makes them when it reads its configuration: the module creates them, its
//! directives are given their words, and they are merged with those around. So nobody but the module knows what they look like.

use std::ffi::{CStr, CString, c_void};
use std::mem::zeroed;
use std::ptr::NonNull;

use ngx::ffi::{
    NGX_HTTP_LOC_CONF, NGX_HTTP_MODULE, ngx_array_t, ngx_command_t, ngx_conf_t, ngx_cycle_t,
    ngx_http_module_t, ngx_list_part_t, ngx_module_t, ngx_shm_zone_t, ngx_str_t,
};

use crate::conf::Conf;
use crate::measure::module_named;
use crate::text::bytes;

/// A module of HTTP and the configuration that it works with.
#[derive(Clone, Copy)]
pub struct Configurable {
    module: NonNull<ngx_module_t>,
    cycle: NonNull<ngx_cycle_t>,
}

/// A directive's words; the first is its name.
pub type Words = Box<[CString]>;

impl Configurable {
    /// # Safety
    /// The parser is inside `http`, and a module of this name is one of HTTP.
    pub unsafe fn find(conf: Conf, name: &CStr) -> Option<Configurable> {
        // SAFETY: the caller's promise.
        let module = unsafe { module_named(conf, name) }?;
        Some(Configurable { module, cycle: NonNull::new(conf.cycle())? })
    }

    /// The module's place in a location's array of settings.
    pub fn slot(self) -> usize {
        // SAFETY: a module of the configuration.
        unsafe { self.module.as_ref() }.ctx_index
    }

    /// Whether the configuration declares a zone of this name for the module.
    pub fn has_zone(self, name: &[u8]) -> bool {
        let is_meant = |zone: &ngx_shm_zone_t| {
            // SAFETY: names of zones live as long as the configuration.
            zone.tag == self.module.as_ptr().cast() && unsafe { bytes(zone.shm.name) } == name
        };
        // SAFETY: the configuration's zones: a list that does not change while requests run.
        unsafe {
            let first = &raw const self.cycle.as_ref().shared_memory.part;
            let parts =
                std::iter::successors(first.as_ref(), |part: &&ngx_list_part_t| part.next.as_ref());
            parts.flat_map(|part| zones(part)).any(is_meant)
        }
    }

    /// The settings of a location in which these directives stand, within what `outer` are the settings of. They live as long as the
    /// configuration, and take memory of it each time. `None`: the module refuses a directive, which is in the log, or memory is out.
    ///
    /// # Safety
    /// `outer` are settings of the module, of a location of the same configuration. The directives take what they refer to from the configuration
    /// without changing that: zones that they name are there.
    pub unsafe fn settings<'w>(
        self,
        directives: impl IntoIterator<Item = &'w Words>,
        outer: NonNull<c_void>,
    ) -> Option<NonNull<c_void>> {
        // SAFETY: a module of HTTP; what nginx's parser has of a location, as far as such a directive sees it. All that is zero is valid.
        unsafe {
            let hooks = &*self.module.as_ref().ctx.cast::<ngx_http_module_t>();
            let mut cf = ngx_conf_t {
                cycle: self.cycle.as_ptr(),
                pool: self.cycle.as_ref().pool,
                temp_pool: self.cycle.as_ref().pool,
                log: self.cycle.as_ref().log,
                module_type: NGX_HTTP_MODULE as usize,
                cmd_type: NGX_HTTP_LOC_CONF as usize,
                ..zeroed()
            };
            let made = NonNull::new(hooks.create_loc_conf?(&mut cf))?;
            for words in directives {
                self.apply(&mut cf, words, made)?;
            }
            let merged = hooks.merge_loc_conf?(&mut cf, outer.as_ptr(), made.as_ptr());
            merged.is_null().then_some(made)
        }
    }

    /// # Safety
    /// As of `settings`, which `made` are new ones of.
    unsafe fn apply(self, cf: &mut ngx_conf_t, words: &Words, made: NonNull<c_void>) -> Option<()> {
        let mut args: Box<[ngx_str_t]> = words.iter().map(|word| string(word)).collect();
        // SAFETY: readers of words only look at them; their array lives until they are done.
        unsafe {
            let mut array = ngx_array_t {
                elts: args.as_mut_ptr().cast(),
                nelts: args.len(),
                size: size_of::<ngx_str_t>(),
                nalloc: args.len(),
                pool: cf.pool,
            };
            cf.args = &mut array;
            let directive = self.directive(words.first()?.to_bytes())?;
            let answer = directive.as_ref().set?(cf, directive.as_ptr(), made.as_ptr());
            cf.args = std::ptr::null_mut();
            answer.is_null().then_some(())
        }
    }

    /// # Safety
    /// The module is loaded.
    unsafe fn directive(self, name: &[u8]) -> Option<NonNull<ngx_command_t>> {
        // SAFETY: a module's directives are an array that ends with one that has no name.
        unsafe {
            let first = self.module.as_ref().commands;
            let all = (0..).map_while(|nth| NonNull::new(first.add(nth)));
            all.take_while(|it| it.as_ref().name.len > 0).find(|it| bytes(it.as_ref().name) == name)
        }
    }
}

/// # Safety
/// A part of a list of zones.
unsafe fn zones(part: &ngx_list_part_t) -> &[ngx_shm_zone_t] {
    if part.nelts == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(part.elts.cast(), part.nelts) }
}

/// With the null behind it that nginx's readers look for.
fn string(word: &CStr) -> ngx_str_t {
    ngx_str_t { len: word.count_bytes(), data: word.as_ptr().cast_mut().cast() }
}
