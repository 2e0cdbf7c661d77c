//! The generated messages, and the generated walkers beside them: a line for every accessor. The
//! macros are what stands around each, so that what is noted as called is what is called.

use crate::entry::entries;
use crate::walk::{Key, MaybeVector, Walk, Walker};

/// What stubwire generates from the schemas.
pub mod messages {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/messages/mod.rs"));
}

/// A table or a struct: its accessors; then its key, and how it compares; then the vectors that are
/// searched by the key of what they hold.
macro_rules! walk {
    (
        $module:ident $ty:ident $(<$life:lifetime>)?;
        read $($name:ident)*;
        $(key $key:ident;)?
        $(search $vector:ident by $by:ident;)*
    ) => {
        impl Walk for messages::$module::$ty $(<$life>)? {
            fn walk(&self, to: &mut Walker) {
                if !to.enter() {
                    return;
                }
                $(
                    to.reach(concat!(stringify!($module), "::", stringify!($ty), "::", stringify!($name)));
                    self.$name().walk(to);
                )*
                $(
                    to.reach(concat!(
                        stringify!($module), "::", stringify!($ty), "::key_compare_less_than"
                    ));
                    to.reach(concat!(
                        stringify!($module), "::", stringify!($ty), "::key_compare_with_value"
                    ));
                    self.key_compare_less_than(self).walk(to);
                    self.key_compare_with_value(self.$key()).walk(to);
                )?
                $(
                    if let Some(vector) = self.$vector().filled() {
                        let key = Key(vector.get(vector.len() / 2).$by());
                        vector
                            .lookup_by_key(key, |row, key| row.key_compare_with_value(key.0))
                            .walk(to);
                    }
                )*
                to.leave();
            }
        }
    };
}

/// An enum, or the type of a union: its number and its name.
macro_rules! choice {
    ($module:ident $ty:ident) => {
        impl Walk for messages::$module::$ty {
            fn walk(&self, to: &mut Walker) {
                self.0.walk(to);
                to.reach(concat!(stringify!($module), "::", stringify!($ty), "::variant_name"));
                self.variant_name().walk(to);
            }
        }
    };
}

/// A set of flags: its bits, and the names of them.
macro_rules! flags {
    ($module:ident $ty:ident) => {
        impl Walk for messages::$module::$ty {
            fn walk(&self, to: &mut Walker) {
                self.bits().walk(to);
                for (name, flag) in self.iter_names() {
                    name.walk(to);
                    flag.bits().walk(to);
                }
            }
        }
    };
}

::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/walkers.rs"));
