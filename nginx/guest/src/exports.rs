//! What guests export: names that every host looks for, and callbacks, looked up once per instance.

use wasmtime::TypedFunc;

/// Names of the function by which the host asks for memory, the preferred one first.
pub const ALLOCATORS: [&str; 2] = ["proxy_on_memory_allocate", "malloc"];
/// Which version of Proxy-Wasm a guest is for; never called.
pub const MARKERS: [&str; 2] = ["proxy_abi_version_0_2_1", "proxy_abi_version_0_2_0"];

/// A callback that a guest may have.
pub type Callback<P, R = ()> = Option<TypedFunc<P, R>>;

/// Numbers of i32 parameters and results of the exports that every host calls.
#[must_use]
pub fn signature(name: &str) -> Option<(usize, usize)> {
    ALLOCATORS.contains(&name).then_some((1, 1))
}

/// Declares what a host calls: a struct with a callback for each row, `of` to look them up, and `signature`, the numbers of i32
/// parameters and results of an export of this name that the host calls.
#[macro_export]
macro_rules! exports {
    ($(#[$about:meta])* $visible:vis struct $Exports:ident {
        $($(#[$note:meta])* $field:ident: $name:literal ($($parameter:ty),*) $(-> $result:ty)?;)+
    }) => {
        $(#[$about])*
        $visible struct $Exports {
            $($(#[$note])* pub $field: $crate::exports::Callback<($($parameter),*) $(, $result)?>,)+
        }

        impl $Exports {
            /// The types were checked before; what has another one is taken for absent.
            $visible fn of<E>(instance: &wasmtime::Instance, store: &mut wasmtime::Store<E>) -> $Exports {
                $Exports { $($field: instance.get_typed_func(&mut *store, $name).ok(),)+ }
            }

            $visible fn signature(name: &str) -> Option<(usize, usize)> {
                const fn count<const N: usize>(_: [&str; N]) -> usize {
                    N
                }
                match name {
                    $($name => Some((count([$(stringify!($parameter)),*]), count([$(stringify!($result))?]))),)+
                    _ => $crate::exports::signature(name),
                }
            }
        }
    };
}
