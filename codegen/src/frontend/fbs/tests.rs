//! What only the inside shows: the number of steps that a load takes.

use std::fmt::Write;

use super::{from_texts, worker};

/// Steps of loading a text.
fn work(text: &str) -> u64 {
    let loaded = worker::run(super::WORKER, |session| {
        from_texts(session, &[("main.fbs", text.as_bytes())]).map(|(_, work)| work)
    });
    loaded.unwrap_or_else(|failed| panic!("{failed}"))
}

/// Ten times as much takes ten times as many steps, but for what a file costs anyway.
fn assert_linear(name: &str, text: impl Fn(usize) -> String) {
    let (small, large) = (work(&text(1_000)), work(&text(10_000)));
    assert!(small > 1_000, "{name}: {small} steps count nothing");
    assert!(large <= small * 11, "{name}: {small} steps for 1,000, {large} for 10,000");
}

#[test]
fn trust_e01_steps_grow_with_the_schema() {
    let many = |n: usize, line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<String>();
    assert_linear("tables", |n| many(n, &|at| format!("table T{at} {{ a:int; b:string; }}\n")));
    assert_linear("chain of tables", |n| {
        let chain = many(n, &|at| format!("table T{at} {{ next:T{}; }}\n", at + 1));
        format!("{chain}table T{n} {{}}\n")
    });
    assert_linear("chain of structs", |n| {
        let chain = many(n, &|at| format!("struct S{} {{ inner:S{at}; }}\n", at + 1));
        format!("struct S0 {{ a:byte; }}\n{chain}")
    });
    assert_linear("values", |n| {
        let values = many(n, &|at| format!("V{at},\n"));
        let fields = many(n, &|at| format!("f{at}:E = V{at};\n"));
        format!("enum E:int {{ {values} }}\ntable T {{ {fields} }}\n")
    });
    assert_linear("explicit ids", |n| {
        let fields = many(n, &|at| format!("f{at}:int (id: {});\n", n - 1 - at));
        format!("table T {{ {fields} }}\n")
    });
    assert_linear("methods", |n| {
        let methods = many(n, &|at| format!("M{at}(T):T (id: {at});\n"));
        format!("table T {{}}\nrpc_service S {{ {methods} }}\n")
    });
    assert_linear("namespaces", |n| {
        many(n, &|at| format!("namespace N{at};\ntable T {{ t:T; }}\n"))
    });
    assert_linear("documentation", |n| {
        format!("{}table T {{}}\n", many(n, &|at| format!("/// line {at}\n")))
    });
}

/// A broken file of any size has findings of a bounded number, and says what it left out.
#[test]
fn findings_are_bounded() {
    for line in ["a:Nope;\n", "a int;\n", "@ ", "a:int (x);\n"] {
        let text = format!("table T {{ {} }}\n", line.repeat(10_000));
        let failed = super::load_texts(&[("main.fbs", text.as_bytes())]).expect_err(line);
        let found = &failed.diagnostics.0;
        assert!(found.len() <= super::limit::FINDINGS_PER_FILE + 1, "{line}: {}", found.len());
        let last = found.last().map_or("", |found| found.message.as_str());
        assert!(last.contains("more findings"), "{line}: {last}");
    }
}

/// Structs that double their size do not overflow anything.
#[test]
fn structs_that_double_are_refused_in_time() {
    let mut text = String::from("struct S0 { a:[ubyte:65535]; }\n");
    for at in 0..64 {
        let _ = writeln!(text, "struct S{} {{ a:[S{at}:65535]; b:S{at}; }}", at + 1);
    }
    let loaded = super::load_texts(&[("main.fbs", text.as_bytes())]);
    let failed = loaded.expect_err("no buffer holds that");
    assert_eq!(failed.diagnostics.0[0].code, crate::ir::code::FBS_LIMIT);
}
