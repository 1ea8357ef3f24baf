//! Sizes in bytes, read from text such as `128k`.

use std::fmt;

/// Bytes in a MiB.
pub const MIB: f64 = 1_048_576.0;

/// Why a size such as `128k` could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SizeError(String);

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a size; write a whole number of bytes, or one followed by k, M, G or T \
             (powers of 1024), such as 128k",
            self.0
        )
    }
}

impl std::error::Error for SizeError {}

/// Reads a size in bytes: `4096`, `128k`, `1M`, `2G`, `1T`; suffixes are powers of 1024.
///
/// # Errors
/// Anything else, including a size beyond 2^63 - 1 bytes.
pub fn parse_size(text: &str) -> Result<u64, SizeError> {
    let refuse = || SizeError(text.to_owned());
    let trimmed = text.trim();
    let (digits, shift) = match trimmed.chars().last().ok_or_else(refuse)? {
        'k' | 'K' => (&trimmed[..trimmed.len() - 1], 10),
        'm' | 'M' => (&trimmed[..trimmed.len() - 1], 20),
        'g' | 'G' => (&trimmed[..trimmed.len() - 1], 30),
        't' | 'T' => (&trimmed[..trimmed.len() - 1], 40),
        _ => (trimmed, 0),
    };
    let count: u64 = digits.parse().map_err(|_| refuse())?;
    let bytes = count.checked_mul(1 << shift).ok_or_else(refuse)?;
    if bytes > crate::MAX_LBA { Err(refuse()) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_powers_of_1024() {
        for (text, bytes) in
            [("0", 0), ("4096", 4096), ("128k", 131_072), ("1M", 1 << 20), (" 2g ", 2 << 30)]
        {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "k", "-1", "1.5k", "12x", "99999999999G", "1 k k"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
