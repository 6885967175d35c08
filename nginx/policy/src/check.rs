//! What may be a policy at all, looked up before anything is compiled: nothing here takes longer than reading the module.

use wasmparser::{
    ExternalKind, FuncType, MemoryType, Parser, Payload, TableType, TypeRef, Validator,
    WasmFeatures,
};
use wasmtime::ExternType;
use wick_guest::exports::{ALLOCATORS, MARKERS};

use crate::exports::{SELECT, signature};
use crate::instance::Code;

/// Of a module, in bytes.
pub const MAX_WASM_BYTES: usize = 4 << 20;
/// What is compiled of it.
pub const MAX_CODE_BYTES: usize = 16 << 20;

const MAX_FUNCTIONS: u32 = 10_000;
const MAX_TYPES: u32 = 10_000;
const MAX_GLOBALS: u32 = 1_000;
const MAX_IMPORTS: u32 = 200;
const MAX_EXPORTS: u32 = 1_000;
const MAX_SEGMENTS: u32 = 10_000;
const MAX_TABLES: u32 = 4;
const MAX_TABLE_ELEMENTS: u64 = 10_000;
const PAGE_BYTES: u64 = 65536;

/// Looks through a module.
/// # Errors
/// Why it cannot be a policy: one sentence without a full stop.
pub fn check(code: &Code, wasm: &[u8], memory_bytes: usize) -> Result<(), String> {
    if wasm.len() > MAX_WASM_BYTES {
        return Err(format!(
            "It has {} bytes, and a policy has at most {MAX_WASM_BYTES}",
            wasm.len()
        ));
    }
    if !wasm.starts_with(b"\0asm\x01\0\0\0") {
        return Err("It is no Wasm module".into());
    }
    check_sizes(code, wasm, memory_bytes)?;
    let validated = Validator::new_with_features(features()).validate_all(wasm);
    let types = validated.map_err(|error| format!("It is no valid Wasm: {}", error.message()))?;
    let mut exports = Vec::new();
    for payload in Parser::new(0).parse_all(wasm) {
        if let Ok(Payload::ExportSection(section)) = payload {
            exports.extend(section.into_iter().flatten());
        }
    }
    let has =
        |name: &str, kind| exports.iter().any(|export| export.name == name && export.kind == kind);
    let has_function = |name: &str| has(name, ExternalKind::Func);
    if !MARKERS.into_iter().any(has_function) {
        return Err(format!("It exports none of {}", MARKERS.join(", ")));
    }
    if !has_function(SELECT) {
        return Err(format!("It does not export {SELECT}, which chooses endpoints"));
    }
    if !has("memory", ExternalKind::Memory) {
        return Err("It does not export its memory as memory".into());
    }
    if !ALLOCATORS.into_iter().any(has_function) {
        return Err(format!("It exports none of {}", ALLOCATORS.join(", ")));
    }
    let types = types.as_ref();
    for export in exports.iter().filter(|export| export.kind == ExternalKind::Func) {
        let Some(wanted) = signature(export.name) else { continue };
        let found = types.core_function_at(export.index);
        if !matches(wanted, types[found].unwrap_func()) {
            return Err(format!(
                "Its export {} has another type than the ABI gives it",
                export.name
            ));
        }
    }
    Ok(())
}

/// All parameters and the result, if any, are i32.
fn matches((parameters, results): (usize, usize), found: &FuncType) -> bool {
    let mut values = found.params().iter().chain(found.results());
    found.params().len() == parameters
        && found.results().len() == results
        && values.all(|value| *value == wasmparser::ValType::I32)
}

/// What the engine is told, see [`crate::engine`].
fn features() -> WasmFeatures {
    WasmFeatures::MUTABLE_GLOBAL
        | WasmFeatures::SATURATING_FLOAT_TO_INT
        | WasmFeatures::SIGN_EXTENSION
        | WasmFeatures::REFERENCE_TYPES
        | WasmFeatures::MULTI_VALUE
        | WasmFeatures::BULK_MEMORY
        | WasmFeatures::SIMD
        | WasmFeatures::TAIL_CALL
        | WasmFeatures::FLOATS
        | WasmFeatures::EXTENDED_CONST
        | WasmFeatures::GC_TYPES
}

fn check_sizes(code: &Code, wasm: &[u8], memory_bytes: usize) -> Result<(), String> {
    let most = |what: &str, count: u32, max: u32| match count > max {
        true => Err(format!("It has {count} {what}, and a policy has at most {max}")),
        false => Ok(()),
    };
    for payload in Parser::new(0).parse_all(wasm) {
        let invalid = |error: wasmparser::BinaryReaderError| {
            format!("It is no valid Wasm: {}", error.message())
        };
        match payload.map_err(invalid)? {
            Payload::TypeSection(section) => most("types", section.count(), MAX_TYPES)?,
            Payload::FunctionSection(section) => most("functions", section.count(), MAX_FUNCTIONS)?,
            Payload::GlobalSection(section) => most("globals", section.count(), MAX_GLOBALS)?,
            Payload::ExportSection(section) => most("exports", section.count(), MAX_EXPORTS)?,
            Payload::ElementSection(section) => {
                most("element segments", section.count(), MAX_SEGMENTS)?
            }
            Payload::DataSection(section) => most("data segments", section.count(), MAX_SEGMENTS)?,
            Payload::TableSection(section) => {
                most("tables", section.count(), MAX_TABLES)?;
                section.into_iter().flatten().try_for_each(|table| check_table(&table.ty))?;
            }
            Payload::MemorySection(section) => {
                section
                    .into_iter()
                    .flatten()
                    .try_for_each(|memory| check_memory(&memory, memory_bytes))?;
            }
            Payload::ImportSection(section) => {
                most("imports", section.count(), MAX_IMPORTS)?;
                for import in section.into_imports() {
                    let import = import.map_err(invalid)?;
                    check_import(code, import.module, import.name, &import.ty)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_table(table: &TableType) -> Result<(), String> {
    match table.initial > MAX_TABLE_ELEMENTS {
        true => Err(format!(
            "It has a table of {} elements, and a policy's have at most {MAX_TABLE_ELEMENTS}",
            table.initial
        )),
        false => Ok(()),
    }
}

fn check_memory(memory: &MemoryType, memory_bytes: usize) -> Result<(), String> {
    let begins_with = memory.initial.saturating_mul(PAGE_BYTES);
    if memory.memory64 || memory.shared {
        return Err("Its memory is shared or of 64 bits, which no policy's is".into());
    }
    match begins_with > memory_bytes as u64 {
        true => Err(format!(
            "It begins with {begins_with} bytes of memory, and a policy has at most {memory_bytes}"
        )),
        false => Ok(()),
    }
}

fn check_import(code: &Code, module: &str, name: &str, kind: &TypeRef) -> Result<(), String> {
    match (kind, code.import(module, name)) {
        (TypeRef::Func(_), Some(ExternType::Func(_))) => Ok(()),
        _ => Err(format!("It imports {module}.{name}, which no policy has")),
    }
}
