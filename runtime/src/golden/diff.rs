//! Two texts, line by line: what is in one and not in the other, with a little around it.

/// Equal lines that are shown around a difference.
const CONTEXT: usize = 2;
/// Lines shown at most.
const LONGEST: usize = 120;
/// Pairs of lines that are compared at most; larger differences are shown whole.
const CELLS: usize = 4_000_000;

/// The difference: lines of `old` with `-`, of `new` with `+`, equal ones with a blank. Lines are the same when
/// `key` gives the same for both.
pub(super) fn diff<'t, Key: PartialEq>(
    old: &'t str,
    new: &'t str,
    key: impl Fn(&'t str) -> Key,
) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let old_keys: Vec<Key> = old.iter().map(|line| key(line)).collect();
    let new_keys: Vec<Key> = new.iter().map(|line| key(line)).collect();
    let mut lines = Vec::new();
    for step in steps(&old_keys, &new_keys) {
        lines.push(match step {
            Step::Both(at) => (' ', new[at]),
            Step::Old(at) => ('-', old[at]),
            Step::New(at) => ('+', new[at]),
        });
    }
    show(&lines)
}

#[derive(Clone, Copy)]
enum Step {
    /// By its place in the new list.
    Both(usize),
    Old(usize),
    New(usize),
}

/// The shortest way from one list to the other.
fn steps<Key: PartialEq>(old: &[Key], new: &[Key]) -> Vec<Step> {
    let same = |(one, other): &(&Key, &Key)| one == other;
    let head = old.iter().zip(new).take_while(same).count();
    let tails = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = tails.take_while(same).count();
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let mut steps: Vec<Step> = (0..head).map(Step::Both).collect();
    middle(&old[head..old_end], &new[head..new_end], head, &mut steps);
    steps.extend((0..tail).map(|at| Step::Both(new_end + at)));
    steps
}

/// What differs, by the longest common subsequence where that is not too much work.
fn middle<Key: PartialEq>(old: &[Key], new: &[Key], offset: usize, steps: &mut Vec<Step>) {
    let width = new.len() + 1;
    if (old.len() + 1).saturating_mul(width) > CELLS {
        steps.extend((0..old.len()).map(|at| Step::Old(offset + at)));
        steps.extend((0..new.len()).map(|at| Step::New(offset + at)));
        return;
    }
    // How many lines the rests from here on have in common.
    let mut common = vec![0_u32; (old.len() + 1) * width];
    for one in (0..old.len()).rev() {
        for other in (0..new.len()).rev() {
            common[one * width + other] = if old[one] == new[other] {
                common[(one + 1) * width + other + 1] + 1
            } else {
                common[(one + 1) * width + other].max(common[one * width + other + 1])
            };
        }
    }
    let (mut one, mut other) = (0, 0);
    while one < old.len() || other < new.len() {
        if one < old.len() && other < new.len() && old[one] == new[other] {
            steps.push(Step::Both(offset + other));
            (one, other) = (one + 1, other + 1);
        } else if other == new.len()
            || one < old.len()
                && common[(one + 1) * width + other] >= common[one * width + other + 1]
        {
            steps.push(Step::Old(offset + one));
            one += 1;
        } else {
            steps.push(Step::New(offset + other));
            other += 1;
        }
    }
}

fn show(lines: &[(char, &str)]) -> String {
    let changed: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].0 != ' ').collect();
    let near = |at: usize| {
        let next = changed.partition_point(|change| *change + CONTEXT < at);
        changed.get(next).is_some_and(|change| *change <= at + CONTEXT)
    };
    let mut out = String::new();
    let (mut shown, mut skipped) = (0, false);
    for (at, (sign, text)) in lines.iter().enumerate() {
        if !near(at) {
            skipped = true;
            continue;
        }
        if shown == LONGEST {
            out.push_str("  … and more\n");
            break;
        }
        if std::mem::take(&mut skipped) {
            out.push_str("  …\n");
        }
        out.push_str(format!("{sign} {text}").trim_end());
        out.push('\n');
        shown += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(old: &str, new: &str) -> String {
        diff(old, new, |line| line)
    }

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(plain("a\nb\nc\nd\ne", "a\nb\nc\nd\ne"), "");
        assert_eq!(plain("", ""), "");
    }

    #[test]
    fn a_changed_line_stands_between_its_neighbours() {
        let found = plain("a\nb\nc\nd\ne\nf\ng", "a\nb\nc\nX\ne\nf\ng");
        assert_eq!(found, "  …\n  b\n  c\n- d\n+ X\n  e\n  f\n");
    }

    #[test]
    fn lines_that_came_and_went_leave_the_others_alone() {
        assert_eq!(plain("a\nb\nc", "b\nc\nd"), "- a\n  b\n  c\n+ d\n");
        assert_eq!(plain("", "a\nb"), "+ a\n+ b\n");
        assert_eq!(plain("a", ""), "- a\n");
    }

    #[test]
    fn a_large_difference_is_cut() {
        let (old, new) = ("a\n".repeat(5_000), "b\n".repeat(5_000));
        let found = plain(&old, &new);
        assert_eq!(found.lines().count(), LONGEST + 1);
        assert!(found.ends_with("  … and more\n"));
    }
}
