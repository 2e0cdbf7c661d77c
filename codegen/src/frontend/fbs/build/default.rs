//! Default values: read by the type of their field.

use super::{
    super::{
        symbols::Kind,
        syntax::{Atom, FieldDecl, Text, ValueExpr, literal},
    },
    Builder, Here,
    attribute::shown,
};
use crate::ir::{
    code,
    flat::{EnumId, Scalar, Type, Value},
};

/// What a declaration says about absence.
pub(super) enum Default {
    /// Nothing.
    None,
    /// `= null`.
    Null,
    Value(Value),
}

/// What is wrong with a value.
type Wrong = String;

impl Builder<'_> {
    pub(super) fn default(&mut self, here: Here<'_>, decl: &FieldDecl, ty: Type) -> Default {
        let Some(expr) = &decl.default else { return self.implied(here, decl, ty) };
        match self.value(here, expr, ty) {
            Ok(default) => default,
            Err(wrong) => {
                self.error(here, code::FBS_DEFAULT, expr.extent, wrong);
                Default::None
            }
        }
    }

    /// The default of a field that names none.
    fn implied(&mut self, here: Here<'_>, decl: &FieldDecl, ty: Type) -> Default {
        match ty {
            Type::Scalar(Scalar::Bool) => Default::Value(Value::Bool(false)),
            Type::Scalar(scalar) if scalar.is_float() => Default::Value(Value::Float(0.0)),
            Type::Scalar(_) => Default::Value(Value::Int(0)),
            Type::Enum(id) => {
                let it = self.schema.flat.enumeration(id);
                if !it.bit_flags && it.value_of(0).is_none() {
                    let name = &it.declaration.schema_name;
                    let message = format!("`{name}` has no value 0, so its fields need a default");
                    self.error(here, code::FBS_DEFAULT, decl.name.extent, message);
                }
                Default::Value(Value::Int(0))
            }
            _ => Default::None,
        }
    }

    fn value(&mut self, here: Here<'_>, expr: &ValueExpr, ty: Type) -> Result<Default, Wrong> {
        let is_float = matches!(ty, Type::Scalar(scalar) if scalar.is_float());
        if !expr.functions.is_empty() && !is_float {
            return Err("functions give floats, and this is none".to_owned());
        }
        if let (Atom::Word(word), []) = (&expr.atom, expr.functions.as_slice())
            && word.value == "null"
        {
            return self.null(ty);
        }
        let value = match ty {
            Type::Scalar(Scalar::Bool) => boolean(&expr.atom)?,
            Type::Scalar(scalar) if scalar.is_float() => float(expr, scalar)?,
            Type::Scalar(scalar) => self.integer(here, &expr.atom, scalar)?,
            Type::Enum(id) => self.enum_default(&expr.atom, id)?,
            Type::String => match &expr.atom {
                Atom::String(text) => Value::String(text.value.clone()),
                _ => return Err("the default of a string is a string in quotes".to_owned()),
            },
            Type::Vector(_) => match &expr.atom {
                Atom::EmptyVector => Value::EmptyVector,
                _ => return Err("a vector has no default but `[]`".to_owned()),
            },
            Type::Struct(_) | Type::Table(_) | Type::Union(_) | Type::UnionType(_) => {
                return Err("structs, tables and unions have no defaults".to_owned());
            }
        };
        Ok(Default::Value(value))
    }

    /// `= null`: a scalar that may be absent.
    fn null(&self, ty: Type) -> Result<Default, Wrong> {
        match ty {
            Type::Enum(id) if self.enum_value(id, "null").is_some() => {
                let name = &self.schema.flat.enumeration(id).declaration.schema_name;
                Err(format!("`null` means an absent value, and is a value of `{name}`"))
            }
            Type::Scalar(_) | Type::Enum(_) => Ok(Default::Null),
            _ => {
                Err("only scalars have the default `null`; others are optional without".to_owned())
            }
        }
    }

    fn integer(&mut self, here: Here<'_>, atom: &Atom, scalar: Scalar) -> Result<Value, Wrong> {
        let number = match atom {
            Atom::Integer(text) => literal::integer(&text.value),
            Atom::String(text) => match literal::integer(text.value.trim()) {
                Some(number) => Some(number),
                None => Some(self.named(here, text)?),
            },
            Atom::Word(_) => {
                return Err("an integer is a number, or values of enums in quotes: \"Enum.Value\""
                    .to_owned());
            }
            Atom::Float(_) | Atom::EmptyVector => return Err("this is no integer".to_owned()),
        };
        in_range(number, scalar)
    }

    /// `"E.A E.B"` for an integer: the values of enums that are declared before, joined.
    fn named(&mut self, here: Here<'_>, text: &Text) -> Result<i128, Wrong> {
        let mut joined = 0;
        let mut names = text.value.split_ascii_whitespace().peekable();
        if names.peek().is_none() {
            return Err("this is no integer".to_owned());
        }
        for name in names {
            let unknown = || format!("`{}` is no integer and no value of an enum", shown(name));
            let (path, value) = name.rsplit_once('.').ok_or_else(unknown)?;
            let candidates = self.candidates(here, path);
            let known = candidates.iter().filter(|it| it.is_before(here.file, text.extent));
            let number = known.filter_map(|symbol| match symbol.kind {
                Kind::Enum(id) => self.enum_value(id, value),
                _ => None,
            });
            joined |= number.into_iter().next().ok_or_else(unknown)?;
        }
        Ok(joined)
    }

    fn enum_default(&self, atom: &Atom, id: EnumId) -> Result<Value, Wrong> {
        let it = self.schema.flat.enumeration(id);
        let name = &it.declaration.schema_name;
        let value_of = |value: &str| {
            let number = self.enum_value(id, value);
            number.ok_or_else(|| format!("`{name}` has no value `{}`", shown(value)))
        };
        let number = match atom {
            Atom::Word(word) => value_of(&word.value)?,
            Atom::Integer(text) => literal::integer(&text.value)
                .ok_or_else(|| format!("`{}` is no number", shown(&text.value)))?,
            Atom::String(text) => match literal::integer(text.value.trim()) {
                Some(number) => number,
                None => {
                    let mut names = text.value.split_ascii_whitespace().peekable();
                    names.peek().ok_or_else(|| format!("this is no value of `{name}`"))?;
                    names.try_fold(0, |joined, value| Ok::<_, Wrong>(joined | value_of(value)?))?
                }
            },
            Atom::Float(_) | Atom::EmptyVector => {
                return Err(format!("this is no value of `{name}`"));
            }
        };
        if !it.bit_flags && it.value_of(number).is_none() {
            return Err(format!("`{name}` has no value {number}"));
        }
        in_range(Some(number), it.underlying)
    }

    fn enum_value(&self, id: EnumId, name: &str) -> Option<i128> {
        self.enum_values.get(&id)?.get(name).copied()
    }
}

fn in_range(number: Option<i128>, scalar: Scalar) -> Result<Value, Wrong> {
    let (least, most) = scalar.range().unwrap_or_default();
    let fits = number.filter(|number| (least..=most).contains(number));
    let number = fits.ok_or_else(|| {
        format!("it does not fit into `{}`: from {least} to {most}", scalar.schema_name())
    })?;
    Ok(Value::Int(number))
}

fn boolean(atom: &Atom) -> Result<Value, Wrong> {
    let text = match atom {
        Atom::Word(text) | Atom::String(text) | Atom::Integer(text) => text.value.trim(),
        _ => "",
    };
    match (text, literal::integer(text)) {
        ("true", _) | (_, Some(1)) => Ok(Value::Bool(true)),
        ("false", _) | (_, Some(0)) => Ok(Value::Bool(false)),
        _ => Err("a bool is `true` or `false`".to_owned()),
    }
}

fn float(expr: &ValueExpr, scalar: Scalar) -> Result<Value, Wrong> {
    let (text, quoted) = match &expr.atom {
        Atom::Integer(text) | Atom::Float(text) | Atom::Word(text) => (text.value.as_str(), false),
        Atom::String(text) => (text.value.trim(), true),
        Atom::EmptyVector => ("", false),
    };
    if !quoted && matches!(expr.atom, Atom::Integer(_)) && text.contains(['x', 'X']) {
        return Err("a hexadecimal float needs an exponent: `0x10p0`".to_owned());
    }
    let mut value =
        literal::float(text).ok_or_else(|| format!("`{}` is no number", shown(text)))?;
    let is_word = text.contains("inf");
    for function in expr.functions.iter().rev() {
        value = apply(&function.value, value)?;
    }
    if scalar == Scalar::Float32 {
        // Rounded once: by way of a double the last bit may differ.
        let direct = text.parse::<f32>().ok().filter(|_| expr.functions.is_empty());
        value = direct.unwrap_or(value as f32).into();
    }
    let overflows = value.is_infinite();
    if overflows && !is_word && expr.functions.is_empty() {
        return Err(format!("it does not fit into `{}`", scalar.schema_name()));
    }
    Ok(Value::Float(value))
}

fn apply(function: &str, value: f64) -> Result<f64, Wrong> {
    Ok(match function {
        "deg" => value.to_degrees(),
        "rad" => value.to_radians(),
        "sin" => value.sin(),
        "cos" => value.cos(),
        "tan" => value.tan(),
        "asin" => value.asin(),
        "acos" => value.acos(),
        "atan" => value.atan(),
        other => return Err(format!("there is no function `{}`", shown(other))),
    })
}
