//! Which file sees which: its includes, theirs, and so on.

use super::parsed::Parsed;

/// For every file, the files it sees, itself among them.
pub(super) struct Reach {
    /// The group of a file: files that include each other in a circle see the same.
    groups: Vec<usize>,
    /// One bit a file, by group.
    seen: Vec<Vec<u64>>,
    /// Words of bits that were looked at while computing it.
    pub(super) work: u64,
}

impl Reach {
    /// `files` have to come in the order in which a walk along their includes leaves them.
    pub(super) fn new(files: &[Parsed]) -> Self {
        let groups = groups(files);
        let count = groups.iter().map(|group| group + 1).max().unwrap_or(0);
        let words = files.len().div_ceil(64);
        let mut members = vec![Vec::new(); count];
        for (file, group) in groups.iter().enumerate() {
            members[*group].push(file);
        }
        let mut reach = Self { groups, seen: vec![Vec::new(); count], work: 0 };
        // Groups are numbered includers first: what a group includes is ready before it.
        for group in (0..count).rev() {
            let mut seen = vec![0_u64; words];
            for file in &members[group] {
                seen[file / 64] |= 1 << (file % 64);
                for (target, _) in &files[*file].includes {
                    let other = reach.groups[*target];
                    if other != group {
                        seen.iter_mut().zip(&reach.seen[other]).for_each(|(to, from)| *to |= from);
                        reach.work += words as u64;
                    }
                }
            }
            reach.seen[group] = seen;
        }
        reach
    }

    pub(super) fn sees(&self, from: usize, to: usize) -> bool {
        let seen = self.groups.get(from).and_then(|group| self.seen.get(*group));
        seen.and_then(|seen| seen.get(to / 64)).is_some_and(|word| word >> (to % 64) & 1 == 1)
    }
}

/// Kosaraju's algorithm: the files in reverse of the order in which a walk left them, each with
/// what leads to it along reversed includes.
fn groups(files: &[Parsed]) -> Vec<usize> {
    let mut includers = vec![Vec::new(); files.len()];
    for (file, parsed) in files.iter().enumerate() {
        for (target, _) in &parsed.includes {
            includers[*target].push(file);
        }
    }
    let mut groups = vec![usize::MAX; files.len()];
    let mut count = 0;
    for first in (0..files.len()).rev() {
        if groups[first] != usize::MAX {
            continue;
        }
        groups[first] = count;
        let mut todo = vec![first];
        while let Some(file) = todo.pop() {
            for includer in &includers[file] {
                if groups[*includer] == usize::MAX {
                    groups[*includer] = count;
                    todo.push(*includer);
                }
            }
        }
        count += 1;
    }
    groups
}
