//! How host functions are defined.

use wick_abi::Status;

use super::failure::{Answer, Failure};

/// Defines host functions that take i32s and return a status: `"name"(argument, …) => function`.
macro_rules! define {
    ($linker:ident, $($name:literal ( $($argument:ident),* ) => $function:path;)+) => {
        $(
            $linker.func_wrap("env", $name, |caller: wasmtime::Caller<'_, $crate::host::state::Host> $(, $argument: i32)*| {
                #[allow(unused_mut)]
                let mut guest = $crate::host::guest::Guest(caller);
                $crate::host::define::status($function(&mut guest $(, $argument)*))
            })?;
        )+
    };
}
pub(crate) use define;

pub(crate) fn status(answer: Answer) -> wasmtime::Result<i32> {
    match answer {
        Ok(()) => Ok(Status::Ok as i32),
        Err(Failure::Status(status)) => Ok(status as i32),
        Err(Failure::Trap(error)) => Err(error),
    }
}
