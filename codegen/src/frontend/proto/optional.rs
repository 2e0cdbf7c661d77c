//! The oneofs that `optional` makes up in proto3.
//!
//! protox calls the one of `a` `_a` whatever else has that name; protoc looks for a free name.

use std::collections::HashSet;

use prost_types::{DescriptorProto, FileDescriptorProto};

/// Names them as protoc does.
pub(super) fn rename_made_up_oneofs(proto: &mut FileDescriptorProto) {
    proto.message_type.iter_mut().for_each(rename_in);
}

/// `Parser::GenerateSyntheticOneofs` in protoc: an underscore unless there is one, then as many
/// `X` as it takes.
fn rename_in(message: &mut DescriptorProto) {
    message.nested_type.iter_mut().for_each(rename_in);
    let made_up: Vec<(usize, String)> = message
        .field
        .iter()
        .filter(|field| field.proto3_optional())
        .filter_map(|field| {
            Some((usize::try_from(field.oneof_index?).ok()?, field.name().to_owned()))
        })
        .collect();
    if made_up.is_empty() {
        return;
    }
    let mut taken: HashSet<String> =
        message.field.iter().map(|field| field.name().to_owned()).collect();
    let indices: HashSet<usize> = made_up.iter().map(|(index, _)| *index).collect();
    let declared = message.oneof_decl.iter().enumerate().filter(|(at, _)| !indices.contains(at));
    taken.extend(declared.map(|(_, oneof)| oneof.name().to_owned()));
    for (index, field) in made_up {
        let mut name = if field.starts_with('_') { field } else { format!("_{field}") };
        while taken.contains(&name) {
            name.insert(0, 'X');
        }
        if let Some(oneof) = message.oneof_decl.get_mut(index) {
            oneof.name = Some(name.clone());
        }
        taken.insert(name);
    }
}
