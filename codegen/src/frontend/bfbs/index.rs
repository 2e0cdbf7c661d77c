//! Every declaration of a file gets its id before any is converted: they refer to each other in any
//! order, by their position in the file.

use std::collections::{HashMap, HashSet};

use flatbuffers_reflection::reflection::{BaseType, Object};

use super::{convert::Converter, name};
use crate::ir::{
    TableId, code,
    flat::{EnumId, Scalar, StructId, UnionId},
};

/// Ids by position, and by name.
#[derive(Default)]
pub(super) struct Index<'b> {
    /// Tables and structs.
    pub(super) objects: Vec<ObjectId>,
    /// Enums and unions.
    pub(super) enums: Vec<EnumOrUnion>,
    /// The positions of structs, each behind those that it holds.
    pub(super) struct_order: Vec<usize>,
    objects_by_name: HashMap<&'b str, ObjectId>,
}

#[derive(Clone, Copy)]
pub(super) enum ObjectId {
    Table(TableId),
    Struct(StructId),
}

#[derive(Clone, Copy)]
pub(super) enum EnumOrUnion {
    Enum(EnumId),
    Union(UnionId),
}

impl<'b> Index<'b> {
    /// The table or struct at a position that the file gives.
    pub(super) fn object(&self, position: i32) -> Option<ObjectId> {
        usize::try_from(position).ok().and_then(|at| self.objects.get(at)).copied()
    }

    /// The enum or union at a position that the file gives.
    pub(super) fn enumeration(&self, position: i32) -> Option<EnumOrUnion> {
        usize::try_from(position).ok().and_then(|at| self.enums.get(at)).copied()
    }

    /// The table or struct of this full name.
    pub(super) fn named(&self, full_name: &str) -> Option<ObjectId> {
        self.objects_by_name.get(full_name).copied()
    }

    /// The table that `text` means in a namespace: the innermost of that name.
    pub(super) fn resolve_table(&self, namespace: &str, text: &str) -> Option<TableId> {
        let mut outer = namespace;
        loop {
            let found = match outer {
                "" => self.named(text),
                outer => self.named(&format!("{outer}.{text}")),
            };
            match (found, outer) {
                (Some(ObjectId::Table(id)), _) => return Some(id),
                (_, "") => return None,
                _ => outer = name::namespace(outer),
            }
        }
    }
}

impl<'b> Converter<'_, 'b> {
    /// Gives out ids. `None` when something stands in the way of looking further.
    pub(super) fn declare(&mut self) -> Option<()> {
        let mut names: HashSet<&'b str> = HashSet::new();
        let objects: Vec<Object<'b>> = self.objects().collect();
        self.spend(objects.len() + self.binary.enums().len(), 0)?;
        for it in &objects {
            self.check_declared(&mut names, it.name());
        }
        for it in self.binary.enums() {
            self.check_declared(&mut names, it.name());
        }
        let order = self.order_structs(&objects)?;
        let mut structs = HashMap::new();
        for (id, position) in order.iter().enumerate() {
            structs.insert(*position, StructId(id as u32));
        }
        let mut tables = 0;
        for (position, it) in objects.iter().enumerate() {
            let id = match structs.get(&position) {
                Some(id) => ObjectId::Struct(*id),
                None => {
                    tables += 1;
                    ObjectId::Table(TableId(tables - 1))
                }
            };
            self.index.objects.push(id);
            self.index.objects_by_name.insert(it.name(), id);
        }
        let (mut enums, mut unions) = (0, 0);
        for it in self.binary.enums() {
            let id = if it.is_union() {
                unions += 1;
                EnumOrUnion::Union(UnionId(unions - 1))
            } else {
                enums += 1;
                EnumOrUnion::Enum(EnumId(enums - 1))
            };
            self.index.enums.push(id);
        }
        self.index.struct_order = order;
        // With two of one name, positions and names would lead to different ones.
        (!self.session.diagnostics.has_errors()).then_some(())
    }

    /// Tables and structs in the order of the file.
    pub(super) fn objects(&self) -> impl Iterator<Item = Object<'b>> + use<'b> {
        self.binary.objects().iter()
    }

    fn check_declared(&mut self, names: &mut HashSet<&'b str>, full_name: &'b str) {
        if !name::is_full_name(full_name) {
            self.malformed(format!("a type is called {}", name::shown(full_name)));
        } else if !names.insert(full_name) {
            let message = format!("two types are called {}", name::shown(full_name));
            self.error(code::FBS_DUPLICATE, message);
        }
    }

    /// The positions of structs, each behind those that it holds. Iterative: how deep they are
    /// nested is up to the file.
    fn order_structs(&mut self, objects: &[Object<'b>]) -> Option<Vec<usize>> {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let mut state = vec![State::New; objects.len()];
        let mut order = Vec::new();
        for first in (0..objects.len()).filter(|at| objects[*at].is_struct()) {
            if state[first] != State::New {
                continue;
            }
            state[first] = State::Open;
            let mut stack = vec![(first, self.held_structs(objects, first)?)];
            while let Some((position, held)) = stack.last_mut() {
                let position = *position;
                match held.pop() {
                    None => {
                        state[position] = State::Done;
                        order.push(position);
                        stack.pop();
                    }
                    Some(next) if state[next] == State::New => {
                        state[next] = State::Open;
                        stack.push((next, self.held_structs(objects, next)?));
                    }
                    Some(next) if state[next] == State::Open => {
                        let message =
                            format!("struct {} holds itself", name::shown(objects[next].name()));
                        self.error(code::FBS_STRUCT, message);
                    }
                    Some(_) => {}
                }
            }
        }
        Some(order)
    }

    /// The positions of the structs in a struct. What is not there is reported where fields are
    /// converted.
    fn held_structs(&mut self, objects: &[Object<'b>], position: usize) -> Option<Vec<usize>> {
        let fields = objects[position].fields();
        // They are gone through once more to be converted, and counted there again.
        self.spend(fields.len().div_ceil(2), 0)?;
        let held = fields.iter().filter_map(|field| {
            let ty = field.type_();
            let held = [ty.base_type(), ty.element()].contains(&BaseType::Obj);
            let next = usize::try_from(ty.index()).ok().filter(|_| held)?;
            objects.get(next).is_some_and(|it| it.is_struct()).then_some(next)
        });
        Some(held.collect())
    }
}

/// The scalar of a base type.
pub(super) fn scalar(base: BaseType) -> Option<Scalar> {
    Some(match base {
        BaseType::Bool => Scalar::Bool,
        BaseType::Byte => Scalar::Int8,
        BaseType::UByte => Scalar::Uint8,
        BaseType::Short => Scalar::Int16,
        BaseType::UShort => Scalar::Uint16,
        BaseType::Int => Scalar::Int32,
        BaseType::UInt => Scalar::Uint32,
        BaseType::Long => Scalar::Int64,
        BaseType::ULong => Scalar::Uint64,
        BaseType::Float => Scalar::Float32,
        BaseType::Double => Scalar::Float64,
        _ => return None,
    })
}
