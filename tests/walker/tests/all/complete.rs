//! The walk is complete: every public function of the generated messages is called by a walker, or is
//! left out for a reason that stands here. What is called is what was really called, over valid
//! buffers; what there is, is read from the generated files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::{env, fs};

use stubwire_tests_walker::choices::Choices;
use stubwire_tests_walker::walk::Walker;
use stubwire_tests_walker::{ENTRIES, LONGEST_WALK};
use syn::{FnArg, ImplItem, Item, ItemImpl, ReceiverKind, Safety, Signature, Type, Visibility};

/// Why a function is no accessor; `None` for one that is to be called.
fn exclusion(ty: &str, signature: &Signature) -> Option<&'static str> {
    if matches!(signature.safety, Safety::Unsafe(_)) {
        return Some("is unsafe: its caller vouches for the bytes");
    }
    if ty.ends_with("Builder") {
        return Some("builds a table");
    }
    if ty.ends_with("Client") || ty.ends_with("Server") {
        return Some("belongs to the service");
    }
    match signature.inputs.first() {
        Some(FnArg::Receiver(receiver)) if is_mutable(&receiver.kind) => {
            Some("writes into a struct")
        }
        Some(FnArg::Receiver(_)) => None,
        _ => Some("makes a table or a struct"),
    }
}

fn is_mutable(kind: &ReceiverKind) -> bool {
    matches!(kind, ReceiverKind::Reference(_, _, Some(_)))
}

fn exclusion_of_function(signature: &Signature) -> Option<&'static str> {
    if matches!(signature.safety, Safety::Unsafe(_)) {
        return Some("is unsafe: its caller vouches for the bytes");
    }
    signature.ident.to_string().starts_with("finish").then_some("finishes a buffer")
}

#[derive(Default)]
struct Found {
    accessors: BTreeSet<String>,
    excluded: BTreeMap<&'static str, usize>,
}

impl Found {
    fn note(&mut self, name: String, exclusion: Option<&'static str>) {
        match exclusion {
            Some(reason) => *self.excluded.entry(reason).or_default() += 1,
            None => assert!(self.accessors.insert(name.clone()), "`{name}` is there twice"),
        }
    }

    fn item_impl(&mut self, module: &str, item: &ItemImpl) {
        // Functions of traits have no visibility; nothing here is called through one.
        let (None, Type::Path(ty)) = (&item.trait_, &*item.self_ty) else { return };
        let ty = ty.path.segments.last().expect("a path has a segment").ident.to_string();
        for function in &item.items {
            let ImplItem::Fn(function) = function else { continue };
            if matches!(function.vis, Visibility::Public(_)) {
                let name = format!("{module}::{ty}::{}", function.sig.ident);
                self.note(name, exclusion(&ty, &function.sig));
            }
        }
    }
}

/// Everything public in the generated files of messages.
fn emitted() -> Found {
    let mut found = Found::default();
    for module in ["tangle", "zoo"] {
        let path = format!("{}/messages/{module}.rs", env!("OUT_DIR"));
        let text = fs::read_to_string(path).expect("the build script wrote it");
        for item in syn::parse_file(&text).expect("it compiled").items {
            match item {
                Item::Impl(item) => found.item_impl(module, &item),
                Item::Fn(item) if matches!(item.vis, Visibility::Public(_)) => {
                    let exclusion = exclusion_of_function(&item.sig);
                    found.note(format!("{module}::{}", item.sig.ident), exclusion);
                }
                _ => {}
            }
        }
    }
    found
}

/// Everything that was called while valid buffers were walked.
fn reached() -> BTreeSet<&'static str> {
    let mut reached = BTreeSet::new();
    for entry in ENTRIES {
        for seed in 0..40 {
            let bytes = entry.valid(&mut Choices::endless(seed));
            let walker = Walker::noting(LONGEST_WALK);
            let walker = entry.check(&bytes, 0, walker).expect("valid");
            reached.extend(walker.reached());
        }
    }
    reached
}

#[test]
fn trust_d01_every_accessor_is_walked() {
    let emitted = emitted();
    let reached: BTreeSet<String> = reached().into_iter().map(str::to_owned).collect();
    let missed: Vec<_> = emitted.accessors.difference(&reached).collect();
    let invented: Vec<_> = reached.difference(&emitted.accessors).collect();
    assert!(missed.is_empty(), "emitted and never called: {missed:#?}");
    assert!(invented.is_empty(), "called and not emitted: {invented:#?}");
    let mut text = format!("{} accessors, all of them called\n", emitted.accessors.len());
    for (reason, count) in &emitted.excluded {
        writeln!(text, "{count} left out: {reason}").expect("a string takes it");
    }
    let golden = "golden/accessors.txt";
    if env::var_os("STUBWIRE_BLESS").is_some() && env::var_os("CI").is_none() {
        fs::write(golden, &text).expect("written");
    }
    let expected = fs::read_to_string(golden).unwrap_or_default();
    assert_eq!(text, expected, "bless with STUBWIRE_BLESS=1");
}
