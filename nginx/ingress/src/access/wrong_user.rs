//! What the log says of a user who is refused: nginx's words, as far as they fit.

use ngx::ffi::NGX_LOG_ERR;
use wick_native::log;
use wick_native::request::Request;
use wick_passwords::UserList;

/// `id`: of the list.
pub fn complain(r: Request, user: &[u8], users: &UserList, id: &[u8]) {
    let (shown, level) = (user.escape_ascii(), NGX_LOG_ERR as usize);
    if users.hash_of(user).is_some() {
        log::write(r.log(), level, format_args!("user \"{shown}\": password mismatch"));
    } else {
        let list = id.escape_ascii();
        let line = format_args!("user \"{shown}\" was not found in \"{list}\"");
        log::write(r.log(), level, line);
    }
}
