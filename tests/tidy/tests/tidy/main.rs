//! What a reviewer would otherwise have to look for by hand.

mod documents;
mod files;
mod imports;
mod manifests;
