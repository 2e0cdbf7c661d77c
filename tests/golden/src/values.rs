//! The values of the goldens.

use crate::{bench, benchmark_fb, every, zoo};
use flatbuffers::{FlatBufferBuilder, WIPOffset};
use std::collections::HashMap;

/// A request of the captures' service.
pub fn echo_request() -> bench::EchoRequest {
    bench::EchoRequest { message: Some("hello".into()), ..Default::default() }
}

/// A request of the recorded frames' service.
pub fn flat_request(
    builder: &mut FlatBufferBuilder<'static>,
) -> WIPOffset<benchmark_fb::Request<'static>> {
    let message = builder.create_string("hello");
    let args = benchmark_fb::RequestArgs { request_id: 7, message: Some(message) };
    benchmark_fb::Request::create(builder, &args)
}

/// A Protobuf message with every kind of field.
pub fn everything() -> every::Everything {
    let inner = |name: &str| every::everything::Inner { name: Some(name.into()), back: None };
    every::Everything {
        a_double: Some(-0.5),
        a_float: Some(1.5),
        an_int32: Some(-1),
        an_int64: Some(i64::MIN),
        a_uint32: Some(u32::MAX),
        a_uint64: Some(300),
        a_sint32: Some(-2),
        a_sint64: Some(i64::MAX),
        a_fixed32: Some(1),
        a_fixed64: Some(2),
        a_sfixed32: Some(-3),
        a_sfixed64: Some(-4),
        a_bool: Some(true),
        a_string: Some("twenty-two bytes, Ω…".into()),
        some_bytes: Some((0..=255).chain(0..=255).collect()),
        a_color: Some(every::Color::Blue.into()),
        an_inner: Some(Box::new(every::everything::Inner {
            name: None,
            back: Some(Box::new(every::Everything { an_int32: Some(5), ..Default::default() })),
        })),
        unpacked: vec![1, -1],
        packed: (-10..10).collect(),
        floats: vec![0.25],
        colors: vec![0, -1, 99],
        texts: vec!["one".into(), String::new()],
        inners: vec![inner("a"), inner("b")],
        // One entry each: the order of more is not fixed.
        counts: HashMap::from([("key".into(), 3)]),
        by_number: HashMap::from([(-1, inner("minus"))]),
        grouped: Some(every::everything::Grouped { in_group: Some(6) }),
        choice: Some(every::everything::Choice::ByText("chosen".into())),
    }
}

/// A FlatBuffers message with every kind of field; `Ali` is what the union holds.
pub fn animal(builder: &mut FlatBufferBuilder<'static>) -> WIPOffset<zoo::Animal<'static>> {
    use zoo::{Animal, AnimalArgs, Color, Flags, M1, M1Args, M2, M2Args, U, V3, W};
    let name = builder.create_string("Ωmega \"quoted\"");
    let required = builder.create_string("required");
    let v = V3::new(
        1.5,
        -2.0,
        Color::Green,
        Flags::F2 | Flags::Big,
        &[1, 2, 3],
        &[Color::Red, Color::Blue],
        true,
    );
    let w = W::new(&v, &[v, V3::default()], -7, 9);
    let m = M1::create(builder, &M1Args { x: 4 });
    let rm = M1::create(builder, &M1Args { x: 5 });
    let one = builder.create_string("one");
    let two = builder.create_string("two");
    let m2 = M2::create(builder, &M2Args { name: Some(one) });
    let m2b = M2::create(builder, &M2Args { name: Some(two) });
    let vi = builder.create_vector(&[1_i32, -2, 3, 4, 5, 6]);
    let large: Vec<u8> = (0..1_000_u32).map(|number| number as u8).collect();
    let vb = stubwire::flat::bytes(builder, &large);
    let vs = builder.create_vector(&[one, two, one]);
    let vm = builder.create_vector(&[m, rm]);
    let vk = builder.create_vector(&[m2, m2b]);
    let vv = builder.create_vector(&[v, v]);
    let vw = builder.create_vector(&[w]);
    let vc = builder.create_vector(&[Color::Blue, Color::Red]);
    let vf = builder.create_vector(&[Flags::F1, Flags::F1 | Flags::F2]);
    let vbool = builder.create_vector(&[true, false]);
    let n = stubwire::flat::bytes(builder, &nested());
    Animal::create(
        builder,
        &AnimalArgs {
            fooBar: 33,
            type_: -1,
            b: false,
            by: -8,
            ub: 200,
            s: -300,
            us: 60_000,
            ui: 4_000_000_000,
            l: i64::MIN,
            ul: u64::MAX,
            fl: 0.25,
            d: 2.5,
            o: Some(0),
            oe: Some(Color::Red),
            c: Color::Green,
            fg: Flags::Big,
            name: Some(name),
            rname: Some(required),
            v: Some(&v),
            rv: Some(&v),
            w: Some(&w),
            m: Some(m),
            rm: Some(rm),
            u_type: U::M2,
            u: Some(m2.as_union_value()),
            ru_type: U::Ali,
            ru: Some(m.as_union_value()),
            vi: Some(vi),
            vb: Some(vb),
            vs: Some(vs),
            vm: Some(vm),
            vk: Some(vk),
            vv: Some(vv),
            vw: Some(vw),
            vc: Some(vc),
            vf: Some(vf),
            rvi: Some(vi),
            vbool: Some(vbool),
            n: Some(n),
            ..Default::default()
        },
    )
}

/// A buffer in a buffer.
fn nested() -> Vec<u8> {
    let mut inner = FlatBufferBuilder::new();
    let root = zoo::M1::create(&mut inner, &zoo::M1Args { x: 77 });
    inner.finish(root, None);
    inner.finished_data().to_vec()
}
