//! libmodsecurity's C API, loaded when it is wanted.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Opaque things of the library.
#[repr(C)]
pub struct RawEngine(c_void);
#[repr(C)]
pub struct RawRules(c_void);
#[repr(C)]
pub struct RawTransaction(c_void);

/// What the rules want done with a request (`ModSecurityIntervention`).
#[repr(C)]
pub struct RawIntervention {
    pub status: c_int,
    pub pause: c_int,
    pub url: *mut c_char,
    pub log: *mut c_char,
    pub disruptive: c_int,
}

pub type LogCallback = unsafe extern "C" fn(*mut c_void, *const c_void);

type OnTransaction = unsafe extern "C" fn(*mut RawTransaction) -> c_int;
type AppendBody = unsafe extern "C" fn(*mut RawTransaction, *const u8, usize) -> c_int;
type AddHeader =
    unsafe extern "C" fn(*mut RawTransaction, *const u8, usize, *const u8, usize) -> c_int;
type Connection =
    unsafe extern "C" fn(*mut RawTransaction, *const c_char, c_int, *const c_char, c_int) -> c_int;
type Uri =
    unsafe extern "C" fn(*mut RawTransaction, *const c_char, *const c_char, *const c_char) -> c_int;
type AddRules = unsafe extern "C" fn(*mut RawRules, *const c_char, *mut *const c_char) -> c_int;

/// Its functions: those of 3.0.9 and later.
pub struct Library {
    pub init: unsafe extern "C" fn() -> *mut RawEngine,
    pub set_connector_info: unsafe extern "C" fn(*mut RawEngine, *const c_char),
    pub set_log_cb: unsafe extern "C" fn(*mut RawEngine, LogCallback),
    pub create_rules_set: unsafe extern "C" fn() -> *mut RawRules,
    pub rules_add: AddRules,
    pub rules_add_file: AddRules,
    pub rules_merge:
        unsafe extern "C" fn(*mut RawRules, *mut RawRules, *mut *const c_char) -> c_int,
    pub rules_cleanup: unsafe extern "C" fn(*mut RawRules) -> c_int,
    pub new_transaction_with_id: unsafe extern "C" fn(
        *mut RawEngine,
        *mut RawRules,
        *const c_char,
        *mut c_void,
    ) -> *mut RawTransaction,
    pub process_connection: Connection,
    pub process_uri: Uri,
    pub add_n_request_header: AddHeader,
    pub process_request_headers: OnTransaction,
    pub append_request_body: AppendBody,
    pub process_request_body: OnTransaction,
    pub add_n_response_header: AddHeader,
    pub process_response_headers:
        unsafe extern "C" fn(*mut RawTransaction, c_int, *const c_char) -> c_int,
    pub append_response_body: AppendBody,
    pub response_body_length: unsafe extern "C" fn(*mut RawTransaction) -> usize,
    pub process_response_body: OnTransaction,
    pub update_status_code: unsafe extern "C" fn(*mut RawTransaction, c_int) -> c_int,
    pub intervention: unsafe extern "C" fn(*mut RawTransaction, *mut RawIntervention) -> c_int,
    pub process_logging: OnTransaction,
    pub transaction_cleanup: unsafe extern "C" fn(*mut RawTransaction),
}

impl Library {
    /// It stays loaded: its threads' memory and its own statics outlive who uses them.
    ///
    /// # Errors: why there is none, in the words of the dynamic linker.
    pub fn load(path: &Path) -> Result<Library, String> {
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|error| error.to_string())?;
        // SAFETY: a text that ends in NUL. What the library does when it is loaded is its own affair.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if handle.is_null() {
            return Err(last_error());
        }
        // SAFETY: the types are those of the library's headers, which 3.0.9 to 3.0.16 have in common.
        unsafe {
            Ok(Library {
                init: symbol(handle, c"msc_init")?,
                set_connector_info: symbol(handle, c"msc_set_connector_info")?,
                set_log_cb: symbol(handle, c"msc_set_log_cb")?,
                create_rules_set: symbol(handle, c"msc_create_rules_set")?,
                rules_add: symbol(handle, c"msc_rules_add")?,
                rules_add_file: symbol(handle, c"msc_rules_add_file")?,
                rules_merge: symbol(handle, c"msc_rules_merge")?,
                rules_cleanup: symbol(handle, c"msc_rules_cleanup")?,
                new_transaction_with_id: symbol(handle, c"msc_new_transaction_with_id")?,
                process_connection: symbol(handle, c"msc_process_connection")?,
                process_uri: symbol(handle, c"msc_process_uri")?,
                add_n_request_header: symbol(handle, c"msc_add_n_request_header")?,
                process_request_headers: symbol(handle, c"msc_process_request_headers")?,
                append_request_body: symbol(handle, c"msc_append_request_body")?,
                process_request_body: symbol(handle, c"msc_process_request_body")?,
                add_n_response_header: symbol(handle, c"msc_add_n_response_header")?,
                process_response_headers: symbol(handle, c"msc_process_response_headers")?,
                append_response_body: symbol(handle, c"msc_append_response_body")?,
                response_body_length: symbol(handle, c"msc_get_response_body_length")?,
                process_response_body: symbol(handle, c"msc_process_response_body")?,
                update_status_code: symbol(handle, c"msc_update_status_code")?,
                intervention: symbol(handle, c"msc_intervention")?,
                process_logging: symbol(handle, c"msc_process_logging")?,
                transaction_cleanup: symbol(handle, c"msc_transaction_cleanup")?,
            })
        }
    }
}

/// # Safety
/// `F` is the type of the function of this name.
unsafe fn symbol<F: Copy>(handle: *mut c_void, name: &CStr) -> Result<F, String> {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    // SAFETY: a handle of dlopen.
    let address = unsafe { libc::dlsym(handle, name.as_ptr()) };
    if address.is_null() {
        return Err(last_error());
    }
    // SAFETY: the caller's promise; pointers to functions and to data have one size here.
    Ok(unsafe { std::mem::transmute_copy(&address) })
}

fn last_error() -> String {
    // SAFETY: null, or a text that is good until the next call.
    let text = unsafe { libc::dlerror().as_ref().map(|text| CStr::from_ptr(text)) };
    text.map_or_else(|| "it cannot be loaded".to_owned(), |text| text.to_string_lossy().into())
}
