//! Common code of all formats that read their records from one [`Source`](super::Source).

/// Makes a [`TraceReader`](super::TraceReader) of what has a `source`, `facts` and a `record` that is
/// read from there; then, if there are any, where its notes are, and the names of its devices.
macro_rules! over_source {
    ($reader:ty $(; $($notes:ident).+ $(; $($names:ident).+())?)?) => {
        impl Iterator for $reader {
            type Item = Result<$crate::Record, super::TraceError>;

            fn next(&mut self) -> Option<Self::Item> {
                let record = self.record();
                self.source.ended(record)
            }
        }

        impl super::TraceReader for $reader {
            fn facts(&self) -> &super::TraceFacts {
                &self.facts
            }

            fn bytes_read(&self) -> u64 {
                self.source.bytes_read()
            }

            fn bytes_total(&self) -> Option<u64> {
                self.source.bytes_total()
            }

            fn place(&self) -> super::Position {
                self.source.place()
            }

            $(
                fn notes(&self) -> super::Notes {
                    self.$($notes).+.clone()
                }

                $(
                    fn device_names(&self) -> &[String] {
                        self.$($names).+()
                    }
                )?
            )?
        }
    };
}
pub(super) use over_source;
