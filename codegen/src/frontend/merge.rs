//! Joins schemas that were loaded apart into one: ids are moved, and what both declare in the same
//! way becomes one declaration.
//!
//! Several `.bfbs` files hold what they include each for themselves, so the same table comes more
//! than once. Messages of Protobuf are never added here: they have a front end, and a schema, alone.

use std::collections::HashMap;

use crate::ir::{
    Diagnostic, Diagnostics, FileId, PayloadType, Schema, ServiceId, TableId, code, dump_service,
    dump_type,
    flat::{Element, EnumId, StructElement, StructId, StructType, Type, TypeId, Types, UnionId},
};

/// Where the ids of the added schema went.
#[derive(Default)]
struct Moved {
    tables: Vec<TableId>,
    structs: Vec<StructId>,
    enums: Vec<EnumId>,
    unions: Vec<UnionId>,
}

/// Adds the FlatBuffers part of `added` to `total`. Its sources are those of `total` already.
pub(crate) fn append(total: &mut Schema, mut added: Schema, diagnostics: &mut Diagnostics) {
    let files = total.files.len() as u32;
    let known = names(total);
    let (moved, is_new) = assign(total, &added, &known, diagnostics);
    for file in &mut added.files {
        file.imports.iter_mut().for_each(|import| import.file.0 += files);
        let flat = &mut file.flat;
        flat.root_type = flat.root_type.map(|id| moved.table(id));
        flat.tables = kept(&flat.tables, |id| is_new(TypeId::Table(id)), |id| moved.table(id));
        flat.structs =
            kept(&flat.structs, |id| is_new(TypeId::Struct(id)), |id| moved.structure(id));
        flat.enums = kept(&flat.enums, |id| is_new(TypeId::Enum(id)), |id| moved.enumeration(id));
        flat.unions = kept(&flat.unions, |id| is_new(TypeId::Union(id)), |id| moved.union(id));
    }
    let services = assign_services(total, &added, diagnostics);
    for file in &mut added.files {
        file.services.retain(|id| services[id.0 as usize].1);
        file.services.iter_mut().for_each(|id| *id = services[id.0 as usize].0);
    }
    take_types(total, &mut added.flat, &moved, &is_new, files);
    for (mut service, (_, new)) in added.services.into_iter().zip(services) {
        if new {
            service.file.0 += files;
            for method in &mut service.methods {
                method.input = moved.payload(method.input);
                method.output = moved.payload(method.output);
            }
            total.services.push(service);
        }
    }
    total.files.extend(added.files);
}

/// Every FlatBuffers type by its full name.
fn names(schema: &Schema) -> HashMap<String, TypeId> {
    let ids = all(&schema.flat).into_iter();
    ids.map(|id| (schema.flat.declaration(id).full_name.0.clone(), id)).collect()
}

fn all(types: &Types) -> Vec<TypeId> {
    let enums = (0..types.enums.len() as u32).map(|id| TypeId::Enum(EnumId(id)));
    let structs = (0..types.structs.len() as u32).map(|id| TypeId::Struct(StructId(id)));
    let unions = (0..types.unions.len() as u32).map(|id| TypeId::Union(UnionId(id)));
    let tables = (0..types.tables.len() as u32).map(|id| TypeId::Table(TableId(id)));
    enums.chain(structs).chain(unions).chain(tables).collect()
}

/// Gives every added type its id, and says which of them are new.
fn assign(
    total: &mut Schema,
    added: &Schema,
    known: &HashMap<String, TypeId>,
    diagnostics: &mut Diagnostics,
) -> (Moved, impl Fn(TypeId) -> bool + use<>) {
    let types = &total.flat;
    let mut next = [types.tables.len(), types.structs.len(), types.enums.len(), types.unions.len()];
    let first = next.map(|count| count as u32);
    let mut moved = Moved::default();
    for id in all(&added.flat) {
        let declaration = added.flat.declaration(id);
        let same = known.get(&declaration.full_name.0).copied();
        let same = same.filter(|known| {
            let alike = std::mem::discriminant(known) == std::mem::discriminant(&id)
                && dump_type(total, *known) == dump_type(added, id);
            if !alike {
                let first = total.flat.declaration(*known).name_span;
                let name = &declaration.full_name.0;
                let message = format!("two inputs declare `{name}`, and not in the same way");
                let found = Diagnostic::error(code::FBS_DUPLICATE, message);
                diagnostics.push(
                    found.label(declaration.name_span, "and again here").label(first, "first here").help(
                        "leave one of the inputs out; binary schemas are to be made from the same \
                         files with the same options",
                    ),
                );
            }
            alike
        });
        if let Some(same) = same {
            let file = total.flat.declaration(same).file;
            mark_input(total, file, added, declaration.file);
        }
        let mut fresh = |kind: usize| {
            next[kind] += 1;
            next[kind] as u32 - 1
        };
        match (id, same) {
            (TypeId::Table(_), Some(TypeId::Table(id))) => moved.tables.push(id),
            (TypeId::Struct(_), Some(TypeId::Struct(id))) => moved.structs.push(id),
            (TypeId::Enum(_), Some(TypeId::Enum(id))) => moved.enums.push(id),
            (TypeId::Union(_), Some(TypeId::Union(id))) => moved.unions.push(id),
            (TypeId::Table(_), _) => moved.tables.push(TableId(fresh(0))),
            (TypeId::Struct(_), _) => moved.structs.push(StructId(fresh(1))),
            (TypeId::Enum(_), _) => moved.enums.push(EnumId(fresh(2))),
            (TypeId::Union(_), _) => moved.unions.push(UnionId(fresh(3))),
        }
    }
    let news = [
        moved.tables.iter().map(|id| id.0 >= first[0]).collect::<Vec<_>>(),
        moved.structs.iter().map(|id| id.0 >= first[1]).collect(),
        moved.enums.iter().map(|id| id.0 >= first[2]).collect(),
        moved.unions.iter().map(|id| id.0 >= first[3]).collect(),
    ];
    let is_new = move |id: TypeId| match id {
        TypeId::Table(id) => news[0][id.0 as usize],
        TypeId::Struct(id) => news[1][id.0 as usize],
        TypeId::Enum(id) => news[2][id.0 as usize],
        TypeId::Union(id) => news[3][id.0 as usize],
    };
    (moved, is_new)
}

/// The same for services: their ids, and whether they are new.
fn assign_services(
    total: &mut Schema,
    added: &Schema,
    diagnostics: &mut Diagnostics,
) -> Vec<(ServiceId, bool)> {
    let known: HashMap<String, ServiceId> = total
        .services
        .iter()
        .enumerate()
        .filter(|(_, service)| service.codec == crate::ir::PayloadCodec::FlatBuffers)
        .map(|(id, service)| (service.full_name.0.clone(), ServiceId(id as u32)))
        .collect();
    let mut next = total.services.len() as u32;
    let mut ids = Vec::with_capacity(added.services.len());
    for (at, service) in added.services.iter().enumerate() {
        if let Some(same) = known.get(&service.full_name.0) {
            if dump_service(total, *same) != dump_service(added, ServiceId(at as u32)) {
                let name = &service.full_name;
                let message =
                    format!("two inputs declare service `{name}`, and not in the same way");
                let first = total.service(*same).name_span;
                let found = Diagnostic::error(code::FBS_DUPLICATE, message);
                let found = found.label(service.name_span, "and again here");
                diagnostics.push(found.label(first, "first here"));
            }
            let file = total.service(*same).file;
            mark_input(total, file, added, service.file);
            ids.push((*same, false));
        } else {
            ids.push((ServiceId(next), true));
            next += 1;
        }
    }
    ids
}

/// A file that only was included is an input when another schema has it as one.
fn mark_input(total: &mut Schema, known: FileId, added: &Schema, again: FileId) {
    let is_input = added.files.get(again.0 as usize).is_some_and(|file| file.is_input);
    if let Some(file) = total.files.get_mut(known.0 as usize) {
        file.is_input |= is_input;
    }
}

fn kept<Id: Copy>(ids: &[Id], is_new: impl Fn(Id) -> bool, moved: impl Fn(Id) -> Id) -> Vec<Id> {
    ids.iter().copied().filter(|id| is_new(*id)).map(moved).collect()
}

/// Moves the new types over, with the ids that they hold.
fn take_types(
    total: &mut Schema,
    added: &mut Types,
    moved: &Moved,
    is_new: &impl Fn(TypeId) -> bool,
    files: u32,
) {
    for (at, mut it) in added.enums.drain(..).enumerate() {
        if is_new(TypeId::Enum(EnumId(at as u32))) {
            it.declaration.file.0 += files;
            total.flat.enums.push(it);
        }
    }
    for (at, mut it) in added.structs.drain(..).enumerate() {
        if is_new(TypeId::Struct(StructId(at as u32))) {
            it.declaration.file.0 += files;
            it.fields.iter_mut().for_each(|field| field.ty = moved.struct_type(field.ty));
            total.flat.structs.push(it);
        }
    }
    for (at, mut it) in added.unions.drain(..).enumerate() {
        if is_new(TypeId::Union(UnionId(at as u32))) {
            it.declaration.file.0 += files;
            it.variants.iter_mut().for_each(|variant| variant.table = moved.table(variant.table));
            total.flat.unions.push(it);
        }
    }
    for (at, mut it) in added.tables.drain(..).enumerate() {
        if is_new(TypeId::Table(TableId(at as u32))) {
            it.declaration.file.0 += files;
            for field in &mut it.fields {
                field.ty = moved.ty(field.ty);
                field.nested_flatbuffer = field.nested_flatbuffer.map(|id| moved.table(id));
            }
            total.flat.tables.push(it);
        }
    }
}

impl Moved {
    fn table(&self, id: TableId) -> TableId {
        self.tables[id.0 as usize]
    }

    fn structure(&self, id: StructId) -> StructId {
        self.structs[id.0 as usize]
    }

    fn enumeration(&self, id: EnumId) -> EnumId {
        self.enums[id.0 as usize]
    }

    fn union(&self, id: UnionId) -> UnionId {
        self.unions[id.0 as usize]
    }

    fn payload(&self, payload: PayloadType) -> PayloadType {
        match payload {
            PayloadType::Table(id) => PayloadType::Table(self.table(id)),
            PayloadType::Message(id) => PayloadType::Message(id),
        }
    }

    fn ty(&self, ty: Type) -> Type {
        match ty {
            Type::Enum(id) => Type::Enum(self.enumeration(id)),
            Type::Struct(id) => Type::Struct(self.structure(id)),
            Type::Table(id) => Type::Table(self.table(id)),
            Type::Union(id) => Type::Union(self.union(id)),
            Type::UnionType(id) => Type::UnionType(self.union(id)),
            Type::Vector(Element::Enum(id)) => Type::Vector(Element::Enum(self.enumeration(id))),
            Type::Vector(Element::Struct(id)) => Type::Vector(Element::Struct(self.structure(id))),
            Type::Vector(Element::Table(id)) => Type::Vector(Element::Table(self.table(id))),
            Type::Scalar(_) | Type::String | Type::Vector(Element::Scalar(_) | Element::String) => {
                ty
            }
        }
    }

    fn struct_type(&self, ty: StructType) -> StructType {
        let element = |element| match element {
            StructElement::Enum(id) => StructElement::Enum(self.enumeration(id)),
            StructElement::Struct(id) => StructElement::Struct(self.structure(id)),
            StructElement::Scalar(_) => element,
        };
        match ty {
            StructType::One(one) => StructType::One(element(one)),
            StructType::Array { element: one, length } => {
                StructType::Array { element: element(one), length }
            }
        }
    }
}
