//! Binary schemas that no compiler wrote: there is a verdict, never a panic, and what little bytes
//! may cost is bounded. The fuzz target `bfbs_frontend` goes on where this ends.

use flatbuffers::{FlatBufferBuilder, ForwardsUOffset, Vector, WIPOffset};
use flatbuffers_reflection::reflection::{
    BaseType, Enum, EnumArgs, EnumVal, EnumValArgs, Field, FieldArgs, Object, ObjectArgs, RPCCall,
    RPCCallArgs, Schema, SchemaArgs, Service, ServiceArgs, Type, TypeArgs,
};
use stubwire_codegen::{
    frontend::bfbs::{Failed, Loaded, load_bytes},
    ir::code,
    render::{compact, rich},
};
use stubwire_tests_frontends::bfbs::{RECORDED, read_recorded, show_loaded};

type Fbb = FlatBufferBuilder<'static>;
type List<T> = WIPOffset<Vector<'static, ForwardsUOffset<T>>>;

fn check(result: Result<Loaded, Failed>) -> bool {
    match result {
        Ok(loaded) => {
            assert!(!show_loaded(&loaded).is_empty());
            true
        }
        Err(failed) => {
            assert!(failed.diagnostics.has_errors());
            for found in &failed.diagnostics.0 {
                assert_ne!(found.code, code::FBS_PANIC, "{}", found.message);
                assert!(!found.labels.is_empty(), "{}", found.message);
                assert!(found.message.len() < 1_000, "{}", found.message.len());
            }
            assert!(!rich(&failed.diagnostics, &failed.sources, true).is_empty());
            assert!(!compact(&failed.diagnostics, &failed.sources).is_empty());
            false
        }
    }
}

fn codes(bytes: &[u8]) -> Vec<&'static str> {
    let result = load_bytes(&[("hostile.bfbs", bytes)]);
    let codes = match &result {
        Ok(loaded) => loaded.diagnostics.0.iter().map(|found| found.code).collect(),
        Err(failed) => failed.diagnostics.0.iter().map(|found| found.code).collect(),
    };
    check(result);
    codes
}

#[test]
fn trust_e22_every_length_gets_a_verdict() {
    for (name, _, _) in RECORDED {
        let bytes = read_recorded(name);
        for end in 0..bytes.len() {
            check(load_bytes(&[("cut.bfbs", &bytes[..end])]));
        }
    }
}

#[test]
fn trust_e22_every_changed_byte_gets_a_verdict() {
    let (mut accepted, mut refused) = (0, 0);
    for name in ["kv", "circle", "streams_without_builtins"] {
        let bytes = read_recorded(name);
        for at in 0..bytes.len() {
            for bits in [0x01, 0x04, 0x20, 0x80, 0xff] {
                let mut bytes = bytes.clone();
                bytes[at] ^= bits;
                match check(load_bytes(&[("changed.bfbs", &bytes)])) {
                    true => accepted += 1,
                    false => refused += 1,
                }
            }
        }
    }
    // Both are tried: texts may be anything, offsets may not.
    assert!(accepted > 100 && refused > 1_000, "{accepted} accepted, {refused} refused");
}

/// What a test puts into a schema; the rest is empty.
#[derive(Default)]
struct Parts {
    objects: Vec<WIPOffset<Object<'static>>>,
    enums: Vec<WIPOffset<Enum<'static>>>,
    services: Vec<WIPOffset<Service<'static>>>,
}

fn finish(fbb: &mut Fbb, parts: &Parts) -> Vec<u8> {
    let objects = fbb.create_vector(&parts.objects);
    let enums = fbb.create_vector(&parts.enums);
    let services = fbb.create_vector(&parts.services);
    let args = SchemaArgs {
        objects: Some(objects),
        enums: Some(enums),
        services: Some(services),
        ..SchemaArgs::default()
    };
    let root = Schema::create(fbb, &args);
    fbb.finish(root, Some("BFBS"));
    fbb.finished_data().to_vec()
}

fn ty(fbb: &mut Fbb, base_type: BaseType, index: i32) -> WIPOffset<Type<'static>> {
    Type::create(fbb, &TypeArgs { base_type, index, ..TypeArgs::default() })
}

fn field(
    fbb: &mut Fbb,
    name: &str,
    id: u16,
    ty: WIPOffset<Type<'static>>,
) -> WIPOffset<Field<'static>> {
    let name = fbb.create_string(name);
    let offset = 4 + 2 * id;
    let args = FieldArgs { name: Some(name), type_: Some(ty), id, offset, ..FieldArgs::default() };
    Field::create(fbb, &args)
}

fn object(
    fbb: &mut Fbb,
    name: &str,
    fields: List<Field<'static>>,
    size: Option<(i32, i32)>,
) -> WIPOffset<Object<'static>> {
    let name = fbb.create_string(name);
    let (bytesize, minalign) = size.unwrap_or_default();
    let args = ObjectArgs {
        name: Some(name),
        fields: Some(fields),
        is_struct: size.is_some(),
        minalign,
        bytesize,
        ..ObjectArgs::default()
    };
    Object::create(fbb, &args)
}

/// A table `T` with one field of this type.
fn table_of(base_type: BaseType, index: i32) -> Vec<u8> {
    let mut fbb = Fbb::new();
    let ty = ty(&mut fbb, base_type, index);
    let field = field(&mut fbb, "f", 0, ty);
    let fields = fbb.create_vector(&[field]);
    let object = object(&mut fbb, "T", fields, None);
    finish(&mut fbb, &Parts { objects: vec![object], ..Parts::default() })
}

#[test]
fn trust_e22_positions_that_lead_nowhere() {
    assert_eq!(codes(&table_of(BaseType::Obj, 0)), [""; 0], "a table in itself");
    for index in [-1, 1, 2, i32::MAX, i32::MIN] {
        assert_eq!(codes(&table_of(BaseType::Obj, index)), [code::FBS_UNSUPPORTED], "{index}");
    }
    for base in [BaseType::Union, BaseType::UType, BaseType::Int] {
        for index in [0, 1, i32::MAX] {
            assert_eq!(codes(&table_of(base, index)), [code::FBS_UNSUPPORTED], "{base:?} {index}");
        }
    }
    for base in [BaseType::Vector, BaseType::Array, BaseType::Vector64, BaseType::None] {
        assert_eq!(codes(&table_of(base, 0)), [code::FBS_UNSUPPORTED], "{base:?}");
    }
    for base in [-128, 19, 127] {
        assert_eq!(codes(&table_of(BaseType(base), -1)), [code::FBS_UNSUPPORTED], "{base}");
    }
}

#[test]
fn trust_e22_variants_that_lead_nowhere() {
    for (index, number) in [(0, 1), (7, 1), (-5, 1), (0, 256), (0, -1)] {
        let mut fbb = Fbb::new();
        let of_variant = ty(&mut fbb, BaseType::Obj, index);
        let name = fbb.create_string("V");
        let args = EnumValArgs {
            name: Some(name),
            value: number,
            union_type: Some(of_variant),
            ..EnumValArgs::default()
        };
        let value = EnumVal::create(&mut fbb, &args);
        let values = fbb.create_vector(&[value]);
        let underlying = ty(&mut fbb, BaseType::UType, 0);
        let name = fbb.create_string("U");
        let args = EnumArgs {
            name: Some(name),
            values: Some(values),
            is_union: true,
            underlying_type: Some(underlying),
            ..EnumArgs::default()
        };
        let union = Enum::create(&mut fbb, &args);
        let fields = fbb.create_vector::<ForwardsUOffset<Field<'static>>>(&[]);
        let object = object(&mut fbb, "T", fields, None);
        let parts = Parts { objects: vec![object], enums: vec![union], ..Parts::default() };
        let found = codes(&finish(&mut fbb, &parts));
        assert_eq!(found.is_empty(), (index, number) == (0, 1), "{index} {number}: {found:?}");
    }
}

/// Structs `S0` to `Sn`, each holding the next, and the last one the first.
fn ring_of_structs(count: i32) -> Vec<u8> {
    let mut fbb = Fbb::new();
    let objects = (0..count).map(|at| {
        let ty = ty(&mut fbb, BaseType::Obj, (at + 1) % count);
        let field = field(&mut fbb, "next", 0, ty);
        let fields = fbb.create_vector(&[field]);
        object(&mut fbb, &format!("S{at}"), fields, Some((4, 4)))
    });
    let objects = objects.collect();
    finish(&mut fbb, &Parts { objects, ..Parts::default() })
}

#[test]
fn trust_e22_structs_that_hold_each_other() {
    for count in [1, 2, 3, 5_000] {
        assert!(codes(&ring_of_structs(count)).contains(&code::FBS_STRUCT), "{count}");
    }
}

#[test]
fn trust_e22_layouts_that_are_not_true() {
    for (offset, size, align, fits) in [
        (0, 4, 4, true),
        (4, 4, 4, false),
        (0, 5, 4, false),
        (0, -4, 4, false),
        (0, 4, 3, false),
        (0, 4, 0, false),
        (0, 4, -4, false),
        (0, 64, 64, false),
        (0, 16, 16, true),
    ] {
        let mut fbb = Fbb::new();
        let ty = ty(&mut fbb, BaseType::Int, -1);
        let name = fbb.create_string("f");
        let args = FieldArgs { name: Some(name), type_: Some(ty), offset, ..FieldArgs::default() };
        let field = Field::create(&mut fbb, &args);
        let fields = fbb.create_vector(&[field]);
        let object = object(&mut fbb, "S", fields, Some((size, align)));
        let found = codes(&finish(&mut fbb, &Parts { objects: vec![object], ..Parts::default() }));
        assert_eq!(found.is_empty(), fits, "{offset} {size} {align}: {found:?}");
    }
}

#[test]
fn trust_e22_ids_of_fields_that_leave_gaps_or_repeat() {
    for ids in [[0, 0], [1, 2], [0, 2], [0, u16::MAX]] {
        let mut fbb = Fbb::new();
        let fields = ids.iter().enumerate().map(|(at, id)| {
            let ty = ty(&mut fbb, BaseType::Int, -1);
            let name = fbb.create_string(&format!("f{at}"));
            let offset = id.wrapping_mul(2).wrapping_add(4);
            let args = FieldArgs {
                name: Some(name),
                type_: Some(ty),
                id: *id,
                offset,
                ..FieldArgs::default()
            };
            Field::create(&mut fbb, &args)
        });
        let fields: Vec<_> = fields.collect();
        let fields = fbb.create_vector(&fields);
        let object = object(&mut fbb, "T", fields, None);
        let found = codes(&finish(&mut fbb, &Parts { objects: vec![object], ..Parts::default() }));
        assert_eq!(found, [code::FBS_FIELD_ID], "{ids:?}");
    }
}

/// Names end up in generated code and in messages.
#[test]
fn trust_e22_names_that_are_none() {
    let long = "a".repeat(100_000);
    let deep = "a.".repeat(2_000) + "T";
    for name in ["", "T;", "a..T", ".T", "T\n//", "é", "fn evil() {}", &long, &deep] {
        let mut fbb = Fbb::new();
        let fields = fbb.create_vector::<ForwardsUOffset<Field<'static>>>(&[]);
        let object = object(&mut fbb, name, fields, None);
        let found = codes(&finish(&mut fbb, &Parts { objects: vec![object], ..Parts::default() }));
        assert_eq!(found, [code::BFBS_MALFORMED], "{}", &name[..name.len().min(20)]);
    }
}

/// A service `S` of one method over these two tables, of which the first is declared.
fn service(fbb: &mut Fbb, declared: bool, is_struct: bool) -> Parts {
    let ty = ty(fbb, BaseType::Int, -1);
    let name = fbb.create_string("f");
    let offset = if is_struct { 0 } else { 4 };
    let args = FieldArgs { name: Some(name), type_: Some(ty), offset, ..FieldArgs::default() };
    let field = Field::create(fbb, &args);
    let fields = fbb.create_vector(&[field]);
    let object = object(fbb, "T", fields, is_struct.then_some((4, 4)));
    let name = fbb.create_string("M");
    let args = RPCCallArgs {
        name: Some(name),
        request: Some(object),
        response: Some(object),
        ..RPCCallArgs::default()
    };
    let call = RPCCall::create(fbb, &args);
    let calls = fbb.create_vector(&[call]);
    let name = fbb.create_string("S");
    let args = ServiceArgs { name: Some(name), calls: Some(calls), ..ServiceArgs::default() };
    let service = Service::create(fbb, &args);
    let objects = if declared { vec![object] } else { Vec::new() };
    Parts { objects, services: vec![service], ..Parts::default() }
}

#[test]
fn trust_e22_methods_over_what_is_no_declared_table() {
    let mut fbb = Fbb::new();
    let parts = service(&mut fbb, false, false);
    assert!(codes(&finish(&mut fbb, &parts)).starts_with(&[code::FBS_UNRESOLVED; 2]));
    let mut fbb = Fbb::new();
    let parts = service(&mut fbb, true, true);
    assert!(codes(&finish(&mut fbb, &parts)).starts_with(&[code::FBS_RPC_TYPE; 2]));
    let mut fbb = Fbb::new();
    let mut parts = service(&mut fbb, true, false);
    parts.services.push(parts.services[0]);
    assert!(codes(&finish(&mut fbb, &parts)).contains(&code::FBS_DUPLICATE));
    let mut fbb = Fbb::new();
    let mut parts = service(&mut fbb, true, false);
    parts.objects.push(parts.objects[0]);
    assert_eq!(codes(&finish(&mut fbb, &parts)), [code::FBS_DUPLICATE]);
}

/// A thousand tables, each with the same list of a thousand fields: a million, of 30 KB.
#[test]
fn trust_e22_one_list_in_many_places() {
    let mut fbb = Fbb::new();
    let ty = ty(&mut fbb, BaseType::Int, -1);
    let fields: Vec<_> = (0..1_000).map(|id| field(&mut fbb, &format!("f{id}"), id, ty)).collect();
    let fields = fbb.create_vector(&fields);
    let objects: Vec<_> =
        (0..1_000).map(|at| object(&mut fbb, &format!("T{at}"), fields, None)).collect();
    let bytes = finish(&mut fbb, &Parts { objects, ..Parts::default() });
    assert!(bytes.len() < 120_000, "{}", bytes.len());
    assert_eq!(codes(&bytes), [code::BFBS_MALFORMED]);
}

/// A comment of ten thousand lines that are one text of 50 KB: 500 MB.
#[test]
fn trust_e22_one_text_in_many_places() {
    let mut fbb = Fbb::new();
    let line = fbb.create_string(&"x".repeat(50_000));
    let lines = fbb.create_vector(&vec![line; 10_000]);
    let fields = fbb.create_vector::<ForwardsUOffset<Field<'static>>>(&[]);
    let name = fbb.create_string("T");
    let args = ObjectArgs {
        name: Some(name),
        fields: Some(fields),
        documentation: Some(lines),
        ..ObjectArgs::default()
    };
    let object = Object::create(&mut fbb, &args);
    let bytes = finish(&mut fbb, &Parts { objects: vec![object], ..Parts::default() });
    assert_eq!(codes(&bytes), [code::BFBS_MALFORMED]);
}

/// Lists of one thing in lists of one thing: a million tables to visit, of 12 KB. The verifier counts
/// what it reads, and gives up.
#[test]
fn trust_e22_a_bomb_ends_in_the_verifier() {
    let mut fbb = Fbb::new();
    let ty = ty(&mut fbb, BaseType::Int, -1);
    let field = field(&mut fbb, "f", 0, ty);
    let fields = fbb.create_vector(&vec![field; 1_000]);
    let object = object(&mut fbb, "T", fields, None);
    let bytes = finish(&mut fbb, &Parts { objects: vec![object; 1_000], ..Parts::default() });
    assert!(bytes.len() < 12_000, "{}", bytes.len());
    let failed = load_bytes(&[("bomb.bfbs", &bytes)]).expect_err("a bomb");
    let message = &failed.diagnostics.0[0].message;
    assert!(message.contains("does not verify: ") && message.contains("too large"), "{message}");
    check(Err(failed));
}

/// Honest and large: a thousand methods over one table of a thousand fields. The verifier looks at
/// the table two thousand times.
#[test]
fn trust_e22_limits_let_honest_schemas_through() {
    let mut fbb = Fbb::new();
    let fields = (0..1_000).map(|id| {
        let ty = ty(&mut fbb, BaseType::Int, -1);
        field(&mut fbb, &format!("a_field_of_this_table_{id}"), id, ty)
    });
    let fields: Vec<_> = fields.collect();
    let fields = fbb.create_vector(&fields);
    let object = object(&mut fbb, "large.Table", fields, None);
    let calls = (0..1_000).map(|at| {
        let name = fbb.create_string(&format!("Method{at}"));
        let args = RPCCallArgs {
            name: Some(name),
            request: Some(object),
            response: Some(object),
            ..RPCCallArgs::default()
        };
        RPCCall::create(&mut fbb, &args)
    });
    let calls: Vec<_> = calls.collect();
    let calls = fbb.create_vector(&calls);
    let name = fbb.create_string("large.Service");
    let args = ServiceArgs { name: Some(name), calls: Some(calls), ..ServiceArgs::default() };
    let service = Service::create(&mut fbb, &args);
    let parts = Parts { objects: vec![object], services: vec![service], ..Parts::default() };
    let bytes = finish(&mut fbb, &parts);
    let loaded = load_bytes(&[("large.bfbs", &bytes)]).expect("honest");
    assert_eq!(loaded.schema.services[0].methods.len(), 1_000);
}
