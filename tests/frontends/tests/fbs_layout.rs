//! Sizes, offsets, slots and defaults: against numbers worked out by hand, and against the C++ that flatc
//! writes, if it is there.

use std::{collections::BTreeMap, fs, process::Command};

use stubwire_codegen::{
    frontend::fbs::{Loaded, load, load_texts},
    ir::flat::{Struct, Value},
};
use stubwire_tests_frontends::{
    fbs::{STRICTER, cases, flatc, listed, schemas},
    show_failed,
};

fn loaded(text: &str) -> Loaded {
    load_texts(&[("main.fbs", text.as_bytes())]).unwrap_or_else(|it| panic!("{}", show_failed(&it)))
}

fn layout(it: &Struct) -> (u32, u32, Vec<(u32, u32)>) {
    let fields = it.fields.iter().map(|field| (field.offset, field.padding));
    (it.size, it.alignment, fields.collect())
}

#[test]
fn structs_are_laid_out_as_c_does() {
    for (text, size, alignment, fields) in [
        ("struct S { a: byte; }", 1, 1, vec![(0, 0)]),
        ("struct S { a: byte; b: int; }", 8, 4, vec![(0, 3), (4, 0)]),
        ("struct S { a: int; b: byte; }", 8, 4, vec![(0, 0), (4, 3)]),
        ("struct S { a: short; b: double; c: bool; }", 24, 8, vec![(0, 6), (8, 0), (16, 7)]),
        ("struct S { a: [byte:3]; b: [short:2]; }", 8, 2, vec![(0, 1), (4, 0)]),
        ("struct S (force_align: 16) { a: int; }", 16, 16, vec![(0, 12)]),
    ] {
        let loaded = loaded(text);
        assert_eq!(layout(&loaded.schema.flat.structs[0]), (size, alignment, fields), "{text}");
    }
}

/// Whatever the fields: no overlap, every field aligned, all bytes accounted for.
#[test]
fn the_bytes_of_a_struct_are_its_fields_and_their_padding() {
    for name in ["struct_layout.fbs", "every_construct/main.fbs"] {
        let path = schemas("valid").join(name);
        let loaded = load(&[path], &[]).unwrap_or_else(|it| panic!("{}", show_failed(&it)));
        for it in &loaded.schema.flat.structs {
            let mut end = 0;
            for field in &it.fields {
                assert_eq!(field.offset, end, "{}", field.schema_name);
                end = field.offset + field.size + field.padding;
            }
            assert_eq!(end, it.size, "{}", it.declaration.full_name);
            assert_eq!(it.size % it.alignment, 0, "{}", it.declaration.full_name);
        }
    }
}

#[test]
fn slots_follow_ids() {
    let loaded =
        loaded("table X {} union U { X } table T { a: int; u: U; b: int (deprecated); c: X; }");
    let slots: Vec<_> = loaded.schema.flat.tables[1]
        .fields
        .iter()
        .map(|field| (field.schema_name.as_str(), field.id, field.vtable_offset))
        .collect();
    assert_eq!(slots, [("a", 0, 4), ("u_type", 1, 6), ("u", 2, 8), ("b", 3, 10), ("c", 4, 12)]);
}

/// Struct name to size and alignment, table name to slots in use and to the defaults of scalars.
/// Names may come in several namespaces: all of them, sorted.
type Facts = BTreeMap<String, Vec<Vec<String>>>;

fn ours(loaded: &Loaded) -> Facts {
    let mut facts = Facts::new();
    let flat = &loaded.schema.flat;
    let input = |file: stubwire_codegen::ir::FileId| loaded.schema.file(file).is_input;
    for it in flat.structs.iter().filter(|it| input(it.declaration.file)) {
        let name = it.declaration.schema_name.clone();
        facts.entry(name).or_default().push(vec![it.size.to_string(), it.alignment.to_string()]);
    }
    for it in flat.tables.iter().filter(|it| input(it.declaration.file)) {
        let used = it.fields.iter().filter(|field| !field.deprecated);
        let mut all: Vec<_> = used.clone().map(|field| field.vtable_offset.to_string()).collect();
        all.extend(used.filter_map(|field| match field.default.as_ref()? {
            Value::Bool(value) => Some(u8::from(*value).to_string()),
            Value::Int(value) => Some(value.to_string()),
            Value::Float(value) => Some(float(*value)),
            Value::String(_) | Value::EmptyVector => None,
        }));
        facts.entry(it.declaration.schema_name.clone()).or_default().push(all);
    }
    facts.values_mut().for_each(|all| all.sort());
    facts
}

/// A float as both sides are compared: flatc writes twelve digits.
fn float(value: f64) -> String {
    if value.is_finite() { format!("{value:.9e}") } else { "not finite".to_owned() }
}

/// `0x1.8p3`, which flatc copies into its output.
fn hexadecimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.strip_prefix("0x")?.split_once('p')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = i64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let exponent = exponent.parse::<i32>().ok()? - 4 * fraction.len() as i32;
    Some(digits as f64 * f64::from(exponent).exp2())
}

/// The default in `GetField<int8_t>(VT_A, -1)`.
fn default(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("GetField<")?;
    let (ty, rest) = rest.split_once('>')?;
    let value = rest.split_once(", ")?.1.split_once([')', ';'])?.0;
    if matches!(ty, "float" | "double") {
        let number = value.trim_end_matches('f');
        let short = ty == "float";
        let parsed = if short { number.parse::<f32>().map(f64::from) } else { number.parse() };
        let known = parsed.ok().or_else(|| hexadecimal(number));
        return Some(float(known.unwrap_or(f64::NAN)));
    }
    if value.starts_with("(-9223372036854775807LL") {
        return Some(i64::MIN.to_string());
    }
    Some(value.trim_end_matches(['U', 'L']).to_owned())
}

/// Reads `FLATBUFFERS_MANUALLY_ALIGNED_STRUCT(8) S`, `FLATBUFFERS_STRUCT_END(S, 16);`,
/// `struct T FLATBUFFERS_FINAL_CLASS : private` and `VT_A = 4`.
fn theirs(text: &str) -> Facts {
    let mut facts = Facts::new();
    let mut alignment = String::new();
    let mut table: Option<(String, Vec<String>)> = None;
    let number = |text: &str| text.trim().trim_end_matches(',').to_owned();
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("FLATBUFFERS_MANUALLY_ALIGNED_STRUCT(") {
            alignment = rest.split_once(')').map_or(String::new(), |(it, _)| number(it));
        } else if let Some(rest) = line.strip_prefix("FLATBUFFERS_STRUCT_END(") {
            let (name, size) = rest.trim_end_matches(");").split_once(',').expect("name and size");
            let entry = facts.entry(name.trim_end_matches('_').to_owned()).or_default();
            entry.push(vec![number(size), alignment.clone()]);
        } else if let Some(name) = line
            .strip_prefix("struct ")
            .and_then(|rest| rest.split_once(" FLATBUFFERS_FINAL_CLASS : private"))
        {
            table = Some((name.0.trim_end_matches('_').to_owned(), Vec::new()));
        } else if let (Some((_, slots)), Some(rest)) = (&mut table, line.strip_prefix("VT_")) {
            slots.extend(rest.split_once(" = ").map(|(_, it)| number(it)));
        } else if let (Some((_, all)), Some(value)) = (&mut table, default(line)) {
            all.push(value);
        } else if line.starts_with("bool Verify")
            && let Some((name, slots)) = table.take()
        {
            facts.entry(name).or_default().push(slots);
        }
    }
    facts.values_mut().for_each(|all| all.sort());
    facts
}

/// Cases that flatc writes no C++ for, with the reason.
const NO_CPP: &[(&str, &str)] =
    &[("padding_of_more_than_15_bytes", "an assertion of its generator fails")];

#[test]
fn flatc_gives_the_same_sizes_slots_and_defaults() {
    let Some(flatc) = flatc() else { return };
    let mut compared = 0;
    for (name, path) in cases("valid").into_iter().chain(cases("cases/accepted")) {
        if listed(STRICTER, &name) || listed(NO_CPP, &name) {
            continue;
        }
        let out = tempfile::tempdir().expect("a temporary folder");
        let output = Command::new(&flatc)
            .args(["--cpp", "--filename-suffix", "_out", "-o"])
            .arg(out.path())
            .arg(&path)
            .output()
            .expect("flatc runs");
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let stem = path.file_stem().and_then(|it| it.to_str()).expect("a name");
        let text = fs::read_to_string(out.path().join(format!("{stem}_out.h"))).expect("output");
        let loaded = load(&[path], &[]).unwrap_or_else(|it| panic!("{}", show_failed(&it)));
        let mut ours = ours(&loaded);
        // Escaped alike, so that names of one underscore and of none meet.
        let keys: Vec<String> = ours.keys().cloned().collect();
        for key in keys.iter().filter(|key| key.ends_with('_')) {
            let facts = ours.remove(key).unwrap_or_default();
            ours.entry(key.trim_end_matches('_').to_owned()).or_default().extend(facts);
        }
        assert_eq!(ours, theirs(&text), "{name}");
        compared += ours.len();
    }
    assert!(compared > 200, "only {compared} types were compared");
}
