//! Requests as they come to whom serves them: of a file that is read, or of a list in memory.

use super::{Ahead, Position, TraceError, Within};
use crate::Record;
use std::path::PathBuf;
use std::sync::Arc;

/// The requests of a file or of a list: what serves the one serves the other.
pub enum Incoming {
    /// Of a file.
    File(Ahead),
    /// Of a list.
    List(Listed),
}

/// A list of requests, up to one that is not on the drive.
pub struct Listed {
    records: Arc<Vec<Record>>,
    out: usize,
    within: Within,
    shown: PathBuf,
}

impl Listed {
    /// A list, of which `within` says where it has to lie; `shown` stands for it in messages.
    #[must_use]
    pub fn new(records: Arc<Vec<Record>>, within: Within, shown: &str) -> Self {
        Self { records, out: 0, within, shown: shown.into() }
    }

    /// The last one, which does not lie on the drive as it is. Nothing comes after one that has no place.
    #[cold]
    fn placed(&mut self) -> Result<Record, TraceError> {
        let number = self.out - 1;
        let mut record = self.records[number];
        let placed = self.within.place(&mut record);
        placed.map(|()| record).map_err(|what| {
            self.out = self.records.len();
            TraceError::new(&self.shown, Position::Request(number as u64), what)
        })
    }
}

impl Incoming {
    /// The share that has come so far, from 0 to 1; `None` where it is not known how much there is.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        let (come, all) = match self {
            Self::File(file) => (file.bytes_read() as f64, file.bytes_total()? as f64),
            Self::List(list) => (list.out as f64, list.records.len() as f64),
        };
        (all > 0.0).then(|| (come / all).min(1.0))
    }

    /// How many requests were given another place, see [`Within`].
    #[must_use]
    pub fn wrapped(&self) -> u64 {
        match self {
            Self::File(file) => file.wrapped(),
            Self::List(list) => list.within.wrapped(),
        }
    }
}

impl Iterator for Incoming {
    type Item = Result<Record, TraceError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let list = match self {
            Self::File(file) => return file.next(),
            Self::List(list) => list,
        };
        let record = list.records.get(list.out)?;
        list.out += 1;
        Some(if list.within.holds(record) { Ok(*record) } else { list.placed() })
    }

    /// At least those that are in memory.
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::File(_) => (0, None),
            Self::List(list) => {
                let left = list.records.len() - list.out;
                (left, Some(left))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Beyond, Options, read, testing};
    use super::*;

    const EACH: u64 = 16;

    fn records(count: u64) -> Vec<Record> {
        let lines = (0..count).map(|i| format!("{i}.5 0 {} 8 1\n", i * EACH));
        let source = testing::source(lines.collect::<String>());
        read(source, None, &Options::default()).unwrap().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn a_list_comes_up_to_one_that_is_not_on_the_drive() {
        for count in [1, 2, 100] {
            let list = Arc::new(records(count));
            let on = |requests: u64, beyond| {
                let within = Within::new(512, None, u128::from(512 * EACH * requests), beyond);
                Incoming::List(Listed::new(Arc::clone(&list), within, "list"))
            };
            let mut whole = on(count, Beyond::Stop);
            assert_eq!(whole.size_hint().0 as u64, count);
            assert_eq!(whole.by_ref().collect::<Result<Vec<_>, _>>().unwrap(), *list);
            assert_eq!((whole.size_hint().0, whole.share()), (0, Some(1.0)));
            let mut short = on(count - 1, Beyond::Stop);
            let come: Vec<_> = short.by_ref().collect();
            let (error, before) = come.split_last().unwrap();
            assert_eq!(before.iter().filter(|one| one.is_ok()).count() as u64, count - 1);
            assert_eq!(error.as_ref().unwrap_err().position, Position::Request(count - 1));
            assert!(short.next().is_none());
            if count > 1 {
                let mut wrapped = on(count - 1, Beyond::Wrap);
                assert_eq!(wrapped.by_ref().last().unwrap().unwrap().lba, 0);
                assert_eq!(wrapped.wrapped(), 1);
            }
        }
    }
}
