//! The wire keeps the schema's spelling, whatever Rust makes of it.

use stubwire_tests_generated::cases;

#[test]
fn names_o26_wire_names_are_the_schemas() {
    use cases::o26_wire_names as case;
    assert_eq!(case::TASK_STATE.full_name(), "Task/State");
    let nested = [
        case::containerd::task::v2::TASK_STATE,
        case::containerd::task::v2::TASK_MOVE,
        case::containerd::task::v2::TASK_NEW,
        case::containerd::task::v2::TASK_GET_HTTP_INFO,
    ];
    let names = nested.map(|method| method.full_name());
    assert_eq!(
        names,
        [
            "containerd.task.v2.Task/State",
            "containerd.task.v2.Task/move",
            "containerd.task.v2.Task/New",
            "containerd.task.v2.Task/get_HTTPInfo",
        ]
    );
    let camel = case::camel_case::inner::TASK_SERVICE_GET_STATE;
    assert_eq!(camel.full_name(), "CamelCase.Inner.task_service/getState");
}

#[test]
fn names_o23_keywords_keep_their_wire_names() {
    use cases::o23_methods_named_by_keywords::hz;
    assert_eq!(hz::S_MOVE.full_name(), "hz.S/Move");
    assert_eq!(hz::S_GEN.full_name(), "hz.S/Gen");
    assert_eq!(hz::S_SELF.full_name(), "hz.S/Self");
}

#[test]
fn names_o41_reserved_methods_keep_their_wire_names() {
    use cases::o41_methods_named_new_and_connect::hz;
    assert_eq!(hz::S_NEW.full_name(), "hz.S/New");
    assert_eq!(hz::S_CONNECT.full_name(), "hz.S/Connect");
}

#[test]
fn names_o33_flags_reach_the_descriptor() {
    use cases::o33_deprecated::hz;
    assert!(hz::FRESH_G.is_idempotent());
    assert!(hz::FRESH_G.is_deprecated());
    assert!(!hz::S_H.is_deprecated());
}

#[test]
fn names_o49_a_default_that_is_an_alias_is_the_first_name_of_its_number() {
    use cases::o49_enum_aliases_and_defaults::hz;
    let message = hz::M::default();
    assert_eq!(message.a(), hz::Aliased::AOne);
    assert_eq!(message.f() as i32, -3);
}
