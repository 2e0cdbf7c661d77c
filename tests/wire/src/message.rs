//! prost messages with their shapes, written as the generator writes them.

use core::mem::size_of;

use stubwire::payload::{FieldShape, MessageShape, Wire};

/// A message that refers to itself, singly and repeatedly.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Node {
    /// Next in a chain.
    #[prost(message, optional, boxed, tag = "1")]
    pub next: Option<Box<Node>>,
    /// Children.
    #[prost(message, repeated, tag = "2")]
    pub children: Vec<Node>,
    /// A text.
    #[prost(string, tag = "3")]
    pub label: String,
}

/// Shape of [`Node`].
pub static NODE: MessageShape = MessageShape::new(
    "test.Node",
    &[
        FieldShape::message(1, "next", &NODE).boxed(size_of::<Node>()),
        FieldShape::message(2, "children", &NODE).repeated(size_of::<Node>()),
    ],
);

/// A message whose elements are large in memory and empty on the wire.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Bomb {
    /// Elements of 240 bytes.
    #[prost(message, repeated, tag = "1")]
    pub elements: Vec<Wide>,
}

/// Ten strings: 240 bytes when empty.
#[derive(Clone, PartialEq, prost::Message)]
#[allow(missing_docs)]
pub struct Wide {
    #[prost(string, tag = "1")]
    pub a: String,
    #[prost(string, tag = "2")]
    pub b: String,
    #[prost(string, tag = "3")]
    pub c: String,
    #[prost(string, tag = "4")]
    pub d: String,
    #[prost(string, tag = "5")]
    pub e: String,
    #[prost(string, tag = "6")]
    pub f: String,
    #[prost(string, tag = "7")]
    pub g: String,
    #[prost(string, tag = "8")]
    pub h: String,
    #[prost(string, tag = "9")]
    pub i: String,
    #[prost(string, tag = "10")]
    pub j: String,
}

/// Shape of [`Bomb`].
pub static BOMB: MessageShape = MessageShape::new(
    "test.Bomb",
    &[FieldShape::message(1, "elements", &WIDE).repeated(size_of::<Wide>())],
);

/// Shape of [`Wide`].
pub static WIDE: MessageShape = MessageShape::new("test.Wide", &[]);

/// Many small things.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Track {
    /// Points.
    #[prost(message, repeated, tag = "1")]
    pub points: Vec<Point>,
    /// Packed numbers.
    #[prost(int64, repeated, tag = "2")]
    pub times: Vec<i64>,
    /// Packed numbers of eight bytes.
    #[prost(double, repeated, tag = "3")]
    pub weights: Vec<f64>,
    /// Texts.
    #[prost(string, repeated, tag = "4")]
    pub names: Vec<String>,
    /// A map: its entries are messages to the wire.
    #[prost(map = "string, int32", tag = "5")]
    pub marks: std::collections::HashMap<String, i32>,
    /// Packed numbers of four bytes.
    #[prost(fixed32, repeated, tag = "6")]
    pub codes: Vec<u32>,
}

/// Two numbers.
#[derive(Clone, Copy, PartialEq, prost::Message)]
#[allow(missing_docs)]
pub struct Point {
    #[prost(int32, tag = "1")]
    pub x: i32,
    #[prost(int32, tag = "2")]
    pub y: i32,
}

/// Shape of [`Track`].
pub static TRACK: MessageShape = MessageShape::new(
    "test.Track",
    &[
        FieldShape::message(1, "points", &POINT).repeated(size_of::<Point>()),
        FieldShape::scalar(2, "times", Wire::Varint).repeated(size_of::<i64>()),
        FieldShape::scalar(3, "weights", Wire::Fixed64).repeated(size_of::<f64>()),
        FieldShape::scalar(4, "names", Wire::Bytes).repeated(size_of::<String>()),
        FieldShape::message(5, "marks", &MARKS_ENTRY).repeated(size_of::<(String, i32)>()),
        FieldShape::scalar(6, "codes", Wire::Fixed32).repeated(size_of::<u32>()),
    ],
);

/// Shape of [`Point`].
pub static POINT: MessageShape = MessageShape::new("test.Point", &[]);

/// Shape of an entry of [`Track::marks`].
pub static MARKS_ENTRY: MessageShape = MessageShape::new("test.Track.MarksEntry", &[]);

/// A proto2 message with a required field inside another message, and one inside a group.
#[derive(Clone, PartialEq, prost::Message)]
pub struct EchoRequest {
    /// A message with a required field.
    #[prost(message, optional, tag = "1")]
    pub inner: Option<Inner>,
    /// A text.
    #[prost(string, optional, tag = "2")]
    pub text: Option<String>,
    /// A group with a required field.
    #[prost(group, repeated, tag = "3")]
    pub member: Vec<Member>,
}

/// Holds a required number.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Inner {
    /// The number.
    #[prost(int32, required, tag = "7")]
    pub id: i32,
    /// A text.
    #[prost(string, optional, tag = "8")]
    pub name: Option<String>,
}

/// Holds a required text.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Member {
    /// The text.
    #[prost(string, required, tag = "1")]
    pub role: String,
}

/// Shape of [`EchoRequest`].
pub static ECHO_REQUEST: MessageShape = MessageShape::new(
    "bench.EchoRequest",
    &[
        FieldShape::message(1, "inner", &INNER),
        FieldShape::group(3, "member", &MEMBER).repeated(size_of::<Member>()),
    ],
);

/// Shape of [`Inner`].
pub static INNER: MessageShape =
    MessageShape::new("bench.Inner", &[FieldShape::scalar(7, "id", Wire::Varint).required()]);

/// Shape of [`Member`].
pub static MEMBER: MessageShape = MessageShape::new(
    "bench.EchoRequest.Member",
    &[FieldShape::scalar(1, "role", Wire::Bytes).required()],
);
