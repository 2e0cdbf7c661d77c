//! Whether to colour: the caller's choice, then the environment, then the terminal.

use std::env;

/// What the user asked for (`--color`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorChoice {
    /// No escape sequences.
    Never,
    /// Escape sequences, whatever the output is.
    Always,
    /// As the environment says, else when the output is a terminal.
    #[default]
    Auto,
}

/// The variables that decide in [`ColorChoice::Auto`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// `NO_COLOR`: any text but the empty one means no colour (no-color.org).
    pub no_color: Option<String>,
    /// `CLICOLOR_FORCE`: any text but the empty one and `0` means colour without a terminal too.
    pub clicolor_force: Option<String>,
    /// `TERM`: a `dumb` terminal gets no colour.
    pub term: Option<String>,
}

impl Environment {
    /// Reads the variables of this process.
    pub fn of_process() -> Self {
        Self {
            no_color: env::var("NO_COLOR").ok(),
            clicolor_force: env::var("CLICOLOR_FORCE").ok(),
            term: env::var("TERM").ok(),
        }
    }
}

impl ColorChoice {
    /// Decides. The caller knows whether its output is a terminal.
    pub fn colors(self, environment: &Environment, is_terminal: bool) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::Auto => {
                let set = |variable: &Option<String>| {
                    variable.as_deref().is_some_and(|text| !text.is_empty())
                };
                let is = |variable: &Option<String>, text| variable.as_deref() == Some(text);
                if set(&environment.no_color) {
                    return false;
                }
                if set(&environment.clicolor_force) && !is(&environment.clicolor_force, "0") {
                    return true;
                }
                is_terminal && !is(&environment.term, "dumb")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(no_color: &str, clicolor_force: &str, term: &str) -> Environment {
        Environment {
            no_color: Some(no_color.to_owned()),
            clicolor_force: Some(clicolor_force.to_owned()),
            term: Some(term.to_owned()),
        }
    }

    #[test]
    fn an_explicit_choice_wins() {
        assert!(!ColorChoice::Never.colors(&environment("", "1", ""), true));
        assert!(ColorChoice::Always.colors(&environment("1", "", "dumb"), false));
    }

    #[test]
    fn the_environment_decides_for_auto() {
        let auto = |environment: Environment, tty| ColorChoice::Auto.colors(&environment, tty);
        assert!(auto(Environment::default(), true));
        assert!(!auto(Environment::default(), false));
        assert!(!auto(environment("1", "1", "xterm"), true), "NO_COLOR is the stronger one");
        assert!(auto(environment("", "1", "dumb"), false));
        assert!(!auto(environment("", "0", "xterm"), false));
        assert!(!auto(environment("", "", "dumb"), true));
    }
}
