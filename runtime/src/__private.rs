//! The complete list of names that generated code may use besides documented items.
//!
//! Nothing here is for people to call. What stands here stays for as long as output of a
//! generator with the same api number is to compile.

pub use crate::payload::{FieldShape, MessageShape, Wire};
pub use crate::registry::{Layout, Methods};
pub use std::sync::Arc;

#[cfg(feature = "protobuf")]
pub use prost;

#[cfg(feature = "protobuf")]
pub use protobuf::protobuf_call;

#[cfg(feature = "protobuf")]
mod protobuf {
    use crate::buf::encode_in_one_piece;
    use crate::channel::{Body, Channel, Pending, decode_protobuf};
    use crate::conn::SHARE_FROM;
    use crate::registry::MethodDescriptor;
    use bytes::Bytes;

    fn encode(request: &impl prost::Message) -> Bytes {
        let len = request.encoded_len();
        let fill = |buffer: &mut Vec<u8>| request.encode_raw(buffer);
        if len >= SHARE_FROM {
            return encode_in_one_piece(len, fill);
        }
        let mut buffer = Vec::with_capacity(len);
        fill(&mut buffer);
        buffer.into()
    }

    /// Makes a call with a Protobuf message.
    pub fn protobuf_call<'channel, Request, Reply>(
        channel: &'channel Channel,
        method: &'static MethodDescriptor,
        request: Request,
    ) -> Pending<'channel, Reply>
    where
        Request: prost::Message,
        Reply: prost::Message + Default,
    {
        Pending::new(channel, method, Body::Encoded(encode(&request)), decode_protobuf)
    }
}

#[cfg(feature = "flatbuffers")]
pub use flatbuffers;

#[cfg(feature = "flatbuffers")]
pub use flat::flat_call;

#[cfg(feature = "flatbuffers")]
pub use crate::payload::flat::{verify_unknown_variant, visit_nested};

#[cfg(feature = "flatbuffers")]
mod flat {
    use crate::buf::Built;
    use crate::channel::{Body, Channel, Pending, verify_flat};
    use crate::flat::{Table, Verified};
    use crate::registry::MethodDescriptor;
    use flatbuffers::{FlatBufferBuilder, WIPOffset};

    /// Makes a call with a FlatBuffers message, built into a builder of at least `capacity` bytes.
    pub fn flat_call<'channel, Request, Reply: Table>(
        channel: &'channel Channel,
        method: &'static MethodDescriptor,
        capacity: usize,
        build: impl FnOnce(&mut FlatBufferBuilder<'static>) -> WIPOffset<Request>,
    ) -> Pending<'channel, Verified<Reply>> {
        let built = Built::build(method.request_key(), capacity, build);
        Pending::new(channel, method, Body::Built(built), verify_flat)
    }
}

/// Stops the build with one sentence when generated code and this runtime do not fit.
///
/// `api` counts the incompatible changes of this module. Generated code names the one it was made
/// for and the features it needs.
#[macro_export]
#[doc(hidden)]
macro_rules! __stubwire_generated {
    (api 1 $(, needs $feature:ident)* $(,)?) => {
        $($crate::__stubwire_needs! { $feature })*
    };
    ($($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "this file was generated for another version of stubwire than the ",
            "one it is compiled with: regenerate it with stubwire-codegen 0.1, or depend on the ",
            "stubwire that its first line names"
        ));
    };
}

/// One arm per feature that generated code can need.
#[macro_export]
#[doc(hidden)]
macro_rules! __stubwire_needs {
    (protobuf) => {
        $crate::__stubwire_needs_protobuf! {}
    };
    (flatbuffers) => {
        $crate::__stubwire_needs_flatbuffers! {}
    };
    ($other:ident) => {
        $crate::__stubwire_lacks! { $other }
    };
}

#[cfg(feature = "protobuf")]
#[macro_export]
#[doc(hidden)]
macro_rules! __stubwire_needs_protobuf {
    () => {};
}

#[cfg(not(feature = "protobuf"))]
#[macro_export]
#[doc(hidden)]
macro_rules! __stubwire_needs_protobuf {
    () => {
        $crate::__stubwire_lacks! { protobuf }
    };
}

#[cfg(feature = "flatbuffers")]
#[macro_export]
#[doc(hidden)]
macro_rules! __stubwire_needs_flatbuffers {
    () => {};
}

#[cfg(not(feature = "flatbuffers"))]
#[macro_export]
#[doc(hidden)]
macro_rules! __stubwire_needs_flatbuffers {
    () => {
        $crate::__stubwire_lacks! { flatbuffers }
    };
}

#[macro_export]
#[doc(hidden)]
macro_rules! __stubwire_lacks {
    ($feature:ident) => {
        ::core::compile_error!(::core::concat!(
            "this generated code needs the feature `",
            ::core::stringify!($feature),
            "` of stubwire, which is switched off: write `stubwire = { version = \"0.1\", ",
            "features = [\"",
            ::core::stringify!($feature),
            "\"] }`"
        ));
    };
}

pub use __stubwire_generated as generated;
