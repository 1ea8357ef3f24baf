//! Treatment of a request that does not lie on its device: beyond its end, or over it.

/// What becomes of requests of a trace that lie beyond the end of their volume, or run over it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum Beyond {
    /// The first one ends the run, with its place in the trace.
    #[default]
    Stop,
    /// They are left out, and counted as refused.
    Skip,
    /// Their addresses begin again at 0 where the volume ends, and they are counted as wrapped.
    Wrap,
}

impl Beyond {
    /// All rules and the words for them.
    pub const ALL: [(&'static str, Self); 3] =
        [("stop", Self::Stop), ("skip", Self::Skip), ("wrap", Self::Wrap)];

    /// Where a request of `sectors` at `first` comes to lie on a device of `end` sectors, and
    /// whether that is another place than it names. One that then runs over the end is moved back to
    /// end with the device.
    ///
    /// # Errors
    /// It does not lie on the device and the rule does not help: what is wrong, as one sentence.
    pub fn place(self, first: u64, sectors: u32, end: u64) -> Result<(u64, bool), String> {
        let length = u64::from(sectors);
        if first.checked_add(length).is_some_and(|last| last <= end) {
            return Ok((first, false));
        }
        match self {
            Self::Skip => Ok((first, false)),
            Self::Wrap if length <= end && end > 0 => Ok(((first % end).min(end - length), true)),
            Self::Wrap => Err(format!("{sectors} sectors are more than the {end} there are")),
            Self::Stop if first >= end => Err(format!("sector {first} is beyond the end")),
            Self::Stop => {
                Err(format!("{sectors} sectors from sector {first} on reach over the end"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_on_the_device_is_left_alone() {
        for (_, rule) in Beyond::ALL {
            assert_eq!(rule.place(92, 8, 100), Ok((92, false)));
        }
    }

    #[test]
    fn wrapped_addresses_begin_again_and_end_with_the_device() {
        assert_eq!(Beyond::Wrap.place(205, 8, 100), Ok((5, true)));
        assert_eq!(Beyond::Wrap.place(96, 8, 100), Ok((92, true)));
        assert_eq!(Beyond::Wrap.place(u64::MAX, 8, 100), Ok((15, true)));
        assert!(Beyond::Wrap.place(0, 101, 100).is_err());
        assert!(Beyond::Wrap.place(0, 1, 0).is_err());
    }

    #[test]
    fn a_stop_says_which_of_the_two_it_is() {
        assert!(Beyond::Stop.place(100, 1, 100).unwrap_err().contains("beyond the end"));
        assert!(Beyond::Stop.place(99, 2, 100).unwrap_err().contains("over the end"));
    }
}
