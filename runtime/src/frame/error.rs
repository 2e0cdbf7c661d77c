//! What can be wrong with a frame: one variant for each rule of the protocol.
//!
//! Every variant means that the bytes cannot be trusted any further, so the connection they came from is closed.
//! What a well-formed frame asks for and does not get (an unknown method, say) is no business of this type.

use core::fmt;

use super::wire::Malformed;

/// The rule that a frame breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Fewer bytes than a frame header has were handed in as a header.
    HeaderTruncated {
        /// How many bytes there were.
        len: usize,
    },
    /// A frame starts with a magic number of another protocol, or with none.
    WrongMagic {
        /// The four bytes where the magic number belongs.
        found: [u8; 4],
    },
    /// The body is longer than the receiver accepts.
    FrameTooLarge {
        /// The size the header declares, in bytes.
        size: u32,
        /// The largest body the receiver accepts, in bytes.
        limit: usize,
    },
    /// The metadata claims more bytes than the body has, which it is a part of.
    MetaLargerThanBody {
        /// The metadata size the header declares, in bytes.
        meta_size: u32,
        /// The body size the header declares, in bytes.
        body_size: u32,
    },
    /// The metadata is shorter than the fields that every request, or every response, has.
    FixedMetaTruncated {
        /// The metadata size the header declares, in bytes.
        meta_size: usize,
        /// The size of the fixed fields, in bytes.
        needed: usize,
    },
    /// A metadata field ends beyond the end of the metadata, or of the field it is nested in.
    MetaTruncated,
    /// A variable-length integer has more than ten bytes.
    VarintTooLong,
    /// A field tag is larger than 32 bits.
    TagTooLarge,
    /// A field has the number 0, which protobuf reserves.
    FieldNumberZero,
    /// A field has wire type 6 or 7, which protobuf does not define.
    WireTypeUnknown {
        /// The wire type found.
        wire_type: u8,
    },
    /// A group ends that was not begun, or under another number.
    GroupEndUnmatched,
    /// Groups and messages are nested deeper than protobuf implementations agree to follow.
    NestingTooDeep {
        /// The number of levels that would have been accepted.
        limit: usize,
    },
    /// A text field of the metadata is not UTF-8.
    InvalidUtf8 {
        /// The field, with the message it belongs to.
        field: &'static str,
    },
    /// A request does not name its service; the schema of the metadata requires the field.
    ServiceNameMissing,
    /// A request does not name its method; the schema of the metadata requires the field.
    MethodNameMissing,
    /// The metadata carries more user fields than a receiver makes room for.
    TooManyUserFields {
        /// The number of entries that would have been accepted.
        limit: usize,
    },
    /// A frame to be sent is longer than the size field of its header can say.
    TooLargeToEncode {
        /// Metadata and payload together, in bytes.
        size: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::HeaderTruncated { len } => {
                write!(f, "a frame header has 12 bytes, only {len} are there")
            }
            Self::WrongMagic { found } => {
                write!(
                    f,
                    "frame does not start with a known magic number: `{}`",
                    found.escape_ascii()
                )
            }
            Self::FrameTooLarge { size, limit } => write!(f, "frame too large: {size} > {limit}"),
            Self::MetaLargerThanBody { meta_size, body_size } => {
                write!(f, "meta_size {meta_size} is larger than body_size {body_size}")
            }
            Self::FixedMetaTruncated { meta_size, needed } => {
                write!(f, "metadata of {meta_size} bytes, which needs {needed} at least")
            }
            Self::MetaTruncated => f.write_str("metadata ends inside a field"),
            Self::VarintTooLong => f.write_str("metadata has an integer of more than 10 bytes"),
            Self::TagTooLarge => f.write_str("metadata has a field tag of more than 32 bits"),
            Self::FieldNumberZero => f.write_str("metadata has a field with the number 0"),
            Self::WireTypeUnknown { wire_type } => {
                write!(f, "metadata has a field of the unknown wire type {wire_type}")
            }
            Self::GroupEndUnmatched => f.write_str("metadata ends a group that it did not begin"),
            Self::NestingTooDeep { limit } => {
                write!(f, "metadata is nested more than {limit} levels deep")
            }
            Self::InvalidUtf8 { field } => write!(f, "`{field}` is not valid UTF-8"),
            Self::ServiceNameMissing => f.write_str("`RpcRequestMeta.service_name` is missing"),
            Self::MethodNameMissing => f.write_str("`RpcRequestMeta.method_name` is missing"),
            Self::TooManyUserFields { limit } => write!(f, "more than {limit} user fields"),
            Self::TooLargeToEncode { size } => {
                write!(f, "frame too large to send: {size} > {}", u32::MAX)
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<Malformed> for Error {
    #[cold]
    #[inline(never)]
    fn from(malformed: Malformed) -> Self {
        match malformed {
            Malformed::Truncated => Self::MetaTruncated,
            Malformed::VarintTooLong => Self::VarintTooLong,
            Malformed::TagTooLarge => Self::TagTooLarge,
            Malformed::FieldNumberZero => Self::FieldNumberZero,
            Malformed::WireTypeUnknown(wire_type) => Self::WireTypeUnknown { wire_type },
            Malformed::GroupEndUnmatched => Self::GroupEndUnmatched,
            Malformed::TooDeep => Self::NestingTooDeep { limit: super::wire::MAX_DEPTH },
        }
    }
}
