//! How host functions are defined.

/// Defines host functions of a `Linker<$State>` that take i32s and return a status: `"name"(argument, …) => function`.
#[macro_export]
macro_rules! define {
    ($linker:ident: $State:ty, $($name:literal ( $($argument:ident),* ) => $function:path;)+) => {
        $(
            $linker.func_wrap("env", $name, |caller: wasmtime::Caller<'_, $State> $(, $argument: i32)*| {
                $crate::answer::status($function(&mut $crate::guest::Guest(caller) $(, $argument)*))
            })?;
        )+
    };
}
pub use define;
