//! PCRE2's functions that nginx's own wrapper does not reach: limits per match, machine code for patterns that come while
//! nginx serves. Stock nginx is linked with the library, so that the symbols are there (pcre2api(3), pcre2jit(3)).

use std::ffi::c_void;
use std::marker::{PhantomData, PhantomPinned};

pub const CASELESS: u32 = 0x0000_0008;
pub const ANCHORED: u32 = 0x8000_0000;
pub const ENDANCHORED: u32 = 0x2000_0000;
pub const JIT_COMPLETE: u32 = 1;
pub const INFO_ALLOPTIONS: u32 = 0;
pub const INFO_NAMECOUNT: u32 = 17;
pub const INFO_NAMEENTRYSIZE: u32 = 18;
pub const INFO_NAMETABLE: u32 = 19;
pub const ERROR_NOMATCH: i32 = -1;

macro_rules! opaque {
    ($($name:ident)*) => {$(
        #[repr(C)]
        pub struct $name {
            _data: [u8; 0],
            _marker: PhantomData<(*mut u8, PhantomPinned)>,
        }
    )*};
}

opaque!(Code MatchContext MatchData JitStack);

#[cfg_attr(test, link(name = "pcre2-8"))]
unsafe extern "C" {
    #[link_name = "pcre2_compile_8"]
    pub fn compile(
        pattern: *const u8,
        len: usize,
        options: u32,
        error: *mut i32,
        error_offset: *mut usize,
        context: *mut c_void,
    ) -> *mut Code;
    #[link_name = "pcre2_code_free_8"]
    pub fn code_free(code: *mut Code);
    #[link_name = "pcre2_pattern_info_8"]
    pub fn pattern_info(code: *const Code, what: u32, to: *mut c_void) -> i32;
    #[link_name = "pcre2_get_error_message_8"]
    pub fn get_error_message(error: i32, to: *mut u8, room: usize) -> i32;

    #[link_name = "pcre2_jit_compile_8"]
    pub fn jit_compile(code: *mut Code, options: u32) -> i32;
    #[link_name = "pcre2_jit_stack_create_8"]
    pub fn jit_stack_create(start: usize, max: usize, context: *mut c_void) -> *mut JitStack;
    #[link_name = "pcre2_jit_stack_free_8"]
    pub fn jit_stack_free(stack: *mut JitStack);
    #[link_name = "pcre2_jit_stack_assign_8"]
    pub fn jit_stack_assign(
        context: *mut MatchContext,
        callback: *const c_void,
        stack: *mut JitStack,
    );

    #[link_name = "pcre2_match_context_create_8"]
    pub fn match_context_create(context: *mut c_void) -> *mut MatchContext;
    #[link_name = "pcre2_match_context_free_8"]
    pub fn match_context_free(context: *mut MatchContext);
    #[link_name = "pcre2_set_match_limit_8"]
    pub fn set_match_limit(context: *mut MatchContext, limit: u32) -> i32;
    #[link_name = "pcre2_set_heap_limit_8"]
    pub fn set_heap_limit(context: *mut MatchContext, kilobytes: u32) -> i32;

    #[link_name = "pcre2_match_data_create_8"]
    pub fn match_data_create(pairs: u32, context: *mut c_void) -> *mut MatchData;
    #[link_name = "pcre2_match_data_free_8"]
    pub fn match_data_free(data: *mut MatchData);
    #[link_name = "pcre2_get_ovector_pointer_8"]
    pub fn get_ovector_pointer(data: *mut MatchData) -> *const usize;

    #[link_name = "pcre2_match_8"]
    pub fn exec(
        code: *const Code,
        subject: *const u8,
        len: usize,
        start: usize,
        options: u32,
        data: *mut MatchData,
        context: *mut MatchContext,
    ) -> i32;
    #[link_name = "pcre2_jit_match_8"]
    pub fn jit_exec(
        code: *const Code,
        subject: *const u8,
        len: usize,
        start: usize,
        options: u32,
        data: *mut MatchData,
        context: *mut MatchContext,
    ) -> i32;
}
