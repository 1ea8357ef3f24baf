//! Our own per-request rows as `simulate --per-request FILE.parquet` and `--requests` write them;
//! and what is said of any other Parquet file whose columns nobody named.

use super::table::{is_parquet, open_parquet};
use super::{Declared, Format, rows, unknown};

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "rows-parquet",
    title: "Platterlab's own per-request rows, as Parquet",
    columns: rows::DECLARED.columns,
    silent: rows::DECLARED.silent,
    sniff: is_parquet,
    open: |source, _| {
        open_parquet(source, Format::RowsParquet, |names| {
            match rows::mapping(|name| names.contains(&name)) {
                Some(mapping) => mapping.parse(),
                None => Err(format!(
                    "is a Parquet file of another program, with the columns {}; say which is what, as \
                     in\n    --columns \"{}\"",
                    names.join(", "),
                    unknown::mapping_by_names(names)
                )),
            }
        })
    },
};
