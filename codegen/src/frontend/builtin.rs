//! What flatc knows of itself, shared by the front ends of its two forms of a schema.

/// The attributes that flatc knows without a declaration.
pub(super) const BUILT_IN: &[&str] = &[
    "bit_flags",
    "cpp_ptr_type",
    "cpp_ptr_type_get",
    "cpp_str_flex_ctor",
    "cpp_str_type",
    "cpp_type",
    "csharp_partial",
    "deprecated",
    "flexbuffer",
    "force_align",
    "hash",
    "id",
    "idempotent",
    "key",
    "native_custom_alloc",
    "native_default",
    "native_inline",
    "native_type",
    "native_type_pack_name",
    "nested_flatbuffer",
    "offset64",
    "original_order",
    "private",
    "required",
    "shared",
    "streaming",
    "vector64",
];

/// Those that have no value: they are there or not.
#[cfg(feature = "bfbs")]
pub(super) const FLAGS: &[&str] = &[
    "bit_flags",
    "csharp_partial",
    "deprecated",
    "flexbuffer",
    "idempotent",
    "key",
    "native_inline",
    "offset64",
    "original_order",
    "private",
    "required",
    "shared",
    "vector64",
];
