//! What generated code says of its layouts, as far as dumps show it: every kind of type has its name.

use crate::files::{dump, pinned};
use stubwire::MethodDescriptor;
use stubwire::golden::{Message, Side};
use stubwire_tests_golden::{every, zoo};

/// No byte is left without a name.
fn assert_named(method: &'static MethodDescriptor, name: &str) {
    for region in Message::new(method, Side::Request, pinned(name)).regions() {
        let named = !region.field.contains('#') && region.meaning != "unreferenced";
        assert!(named, "{region:?}");
    }
}

#[test]
fn every_kind_of_protobuf_field_is_named_and_read() {
    let dump = dump("everything");
    for words in [
        "message.a_double                  -0.5",
        "message.a_float                   1.5",
        "message.an_int32                  -1",
        "message.a_uint32                  4294967295",
        "message.a_sint32                  -2",
        "message.a_sint64                  9223372036854775807",
        "message.a_sfixed64                -4",
        "message.a_color                   -1 BLUE",
        "message.an_inner.back.an_int32    5",
        "message.unpacked[1]               -1",
        "message.packed[0]                 -10",
        "message.colors[0]",
        "message.inners[1].name            \"b\"",
        "message.counts[0].key             \"key\"",
        "message.by_number[0].value.name   \"minus\"",
        "message.grouped.in_group          6",
    ] {
        assert!(dump.contains(words), "no line with `{words}`");
    }
    assert_named(&every::EVERY_THING, "everything");
}

#[test]
fn every_kind_of_flatbuffers_field_is_named_and_read() {
    let dump = dump("animal");
    for words in [
        "message.fooBar                    33",
        "message.by                        -8",
        "message.l                         -9223372036854775808",
        "message.oe                        -1 Red",
        "message.fg                        512 Big",
        "message.v.f                       514 F2|Big",
        "message.v.a[2]                    3",
        "message.v.e[1]                    5 Blue",
        "message.w.vs[0].x                 1.5",
        "message.u_type                    2 M2",
        "message.ru_type                   3 Ali",
        "message.vs[0]",
        "message.vv[1].c",
        "message.vc                        5 Blue, -1 Red",
        "message.vbool                     true, false",
        "message.n                         root table zoo.M1",
        "message.n.x                       77",
        "message[vtable].ob                absent",
        "… 928 bytes, crc32c",
    ] {
        assert!(dump.contains(words), "no line with `{words}`");
    }
    assert_named(&zoo::ZOO_SHOW, "animal");
}
