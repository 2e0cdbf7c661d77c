//! The table of diagnostic codes: each stands here once, with a title of one line.
//!
//! A code never changes its meaning and is never used again: users search for it. Ranges: `SW00xx`
//! reading files, `SW01xx` names, `SW02xx` the Protobuf front end, `SW03xx` driving a generation,
//! `SW04xx` the FlatBuffers front end.

/// A diagnostic code.
pub type Code = &'static str;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $title:literal;)*) => {
        $(
            #[doc = concat!("`", $code, "`: ", $title, ".")]
            $(#[$doc])*
            pub const $name: Code = $code;
        )*
        /// Every code with its title, in order.
        pub const ALL: &[(Code, &str)] = &[$(($code, $title)),*];
    };
}

codes! {
    NO_INPUT = "SW0001", "no schema file was given";
    NOT_FOUND = "SW0002", "a schema file does not exist";
    BAD_INCLUDE = "SW0003", "an include directory cannot be used";
    NOT_REGULAR = "SW0004", "a schema is not a regular file";
    TOO_LARGE = "SW0005", "a schema is larger than the limit";
    NOT_UTF8 = "SW0006", "a schema is not UTF-8 text";
    NUL_BYTE = "SW0007", "a schema holds a NUL byte";
    UNREADABLE = "SW0008", "a schema file cannot be read";
    OUTSIDE_INCLUDES = "SW0009", "a schema file lies in no include directory";
    SHADOWED = "SW0010", "another include directory has a file of the same name";

    NAME_COLLISION = "SW0107", "two declarations have the same name in Rust";
    NAME_EMPTY = "SW0108", "nothing is left of a name in Rust";
    STREAMING = "SW0109", "a streaming method, which is not supported yet";
    DEEP_CHAIN = "SW0110", "message types nest deeper than rustc follows by default";
    REQUIRED_CYCLE = "SW0111", "a message requires itself";

    PROTO_SYNTAX = "SW0201", "a .proto file does not parse";
    PROTO_NESTING = "SW0202", "brackets or messages are nested too deep";
    PROTO_LONG_NAME = "SW0203", "a name is longer than the limit";
    PROTO_EDITION = "SW0204", "editions are not supported yet";
    PROTO_IMPORT_MISSING = "SW0205", "an imported file does not exist";
    PROTO_IMPORT_CYCLE = "SW0206", "files import each other in a circle";
    PROTO_IMPORT_TWICE = "SW0207", "a file is imported twice by the same file";
    PROTO_INVALID = "SW0208", "a declaration breaks a rule of Protobuf";
    PROTO_DUPLICATE = "SW0209", "a full name is declared twice";
    PROTO_UNRESOLVED = "SW0210", "a name does not resolve";
    PROTO_MESSAGE_SET = "SW0211", "message_set_wire_format is not supported";
    PROTO_ENUM_CLASH = "SW0212", "enum values are equal without their prefix";
    PROTO_JSON_CLASH = "SW0213", "fields have the same JSON name";
    PROTO_SET = "SW0214", "a descriptor set is malformed";
    PROTO_PANIC = "SW0215", "a parser we depend on failed";

    BAD_OPTION = "SW0301", "an option of the configuration is malformed";
    UNUSED_MAPPING = "SW0302", "an option of the configuration matches nothing";
    NOTHING_LEFT = "SW0303", "every type of an input is mapped to somewhere else";
    UNMAPPED = "SW0304", "a message has no Rust type in services-only mode";
    GENERATOR_FAILED = "SW0305", "the generator of messages failed";
    CANNOT_WRITE = "SW0306", "an output file cannot be written";
    SECOND_CALL = "SW0307", "a second call writes to the directory of the first";
    NO_OUT_DIR = "SW0308", "there is no directory to write to";

    FBS_SYNTAX = "SW0401", "a .fbs file does not parse";
    FBS_LITERAL = "SW0402", "a number or string is malformed";
    FBS_LIMIT = "SW0403", "something is longer, deeper or larger than the limit";
    FBS_INCLUDE_MISSING = "SW0404", "an included file does not exist";
    FBS_INCLUDE_OUTSIDE = "SW0405", "an include leads out of the include directories";
    FBS_NOT_INCLUDED = "SW0406", "a type comes from a file that is not included";
    FBS_DUPLICATE = "SW0407", "a name is declared twice";
    FBS_UNRESOLVED = "SW0408", "a type does not exist";
    FBS_TOO_EARLY = "SW0409", "a type is used before its declaration";
    FBS_AMBIGUOUS = "SW0410", "flatc would take another type of that name";
    FBS_ATTRIBUTE = "SW0411", "an attribute is unknown, malformed or does not apply";
    FBS_DEFAULT = "SW0412", "a default value does not fit";
    FBS_ENUM = "SW0413", "an enum breaks a rule";
    FBS_UNION = "SW0414", "a union breaks a rule";
    FBS_STRUCT = "SW0415", "a struct breaks a rule";
    FBS_FIELD = "SW0416", "a field breaks a rule";
    FBS_FIELD_ID = "SW0417", "the ids of fields break a rule";
    FBS_METHOD_ID = "SW0418", "the ids of methods break a rule";
    FBS_METHOD_ID_MISSING = "SW0419", "methods have no ids";
    FBS_RPC_TYPE = "SW0420", "a method takes or returns something that is no table";
    FBS_STREAMING = "SW0421", "the value of `streaming` means nothing";
    FBS_UNSUPPORTED = "SW0422", "something of FlatBuffers that Rust does not have";
    FBS_FILE = "SW0423", "a declaration about the whole file breaks a rule";
    FBS_DATA = "SW0424", "data in a schema";
    FBS_EMPTY = "SW0425", "a .fbs file declares nothing";
    FBS_PANIC = "SW0426", "the FlatBuffers front end failed";
    BFBS_MALFORMED = "SW0427", "a .bfbs file is malformed";
    /// Without `--bfbs-builtins` flatc leaves `streaming`, `idempotent`, `id` and `deprecated` out,
    /// and what is left looks the same as a service of plain methods.
    BFBS_BUILTINS = "SW0428", "a .bfbs file may lack what says how methods behave";
    /// A `.bfbs` has no defaults of strings and vectors, and none of `ulong` above the largest
    /// `long`: messages made of it could differ from those of every peer without a word.
    BFBS_MESSAGES = "SW0429", "messages are not generated from a .bfbs file";
    FLATC_MISSING = "SW0430", "there is no flatc of a supported version";
    FLATC_FAILED = "SW0431", "flatc refuses a schema, or gave something unexpected";
    /// flatc's Rust reads nested buffers unverified, and copies some texts of a schema into code.
    FLATC_UNSAFE = "SW0432", "flatc's Rust would not be safe for a schema";
}

/// The title of a code.
pub fn title(code: &str) -> Option<&'static str> {
    ALL.iter().find(|(known, _)| *known == code).map(|(_, title)| *title)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_are_unique_and_well_formed() {
        let mut seen = HashSet::new();
        for (code, title) in ALL {
            assert!(seen.insert(code), "{code} stands twice");
            let number = code.strip_prefix("SW").expect("codes start with SW");
            assert!(number.len() == 4 && number.bytes().all(|b| b.is_ascii_digit()), "{code}");
            assert!(!title.is_empty() && !title.contains('\n'), "{code}");
        }
    }

    #[test]
    fn titles_are_found() {
        assert_eq!(title(NO_INPUT), Some("no schema file was given"));
        assert_eq!(title("SW9999"), None);
    }
}
